/** Formats a span of time for a sentence: `0.42 s`, `12.3 s`, `3.4 min`, `2 h 5 min`. */
export function spanText(seconds: number): string {
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`;
  const minutes = seconds / 60;
  if (minutes < 99.95) return `${minutes.toFixed(1)} min`;
  const whole = Math.round(minutes);
  return `${Math.floor(whole / 60)} h ${whole % 60} min`;
}

/** Formats a size for a sentence: `812 bytes`, `3.4 kB`, `1.2 GB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return countText(bytes, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** Formats a count with its noun: `1 clip`, `3 clips`. @param plural needed if it is not the noun with an s */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}

const SHOWN_NAMES = 8;

/** Lists the first eight names for a sentence: `a, b and 7 more`. */
export function namesText(names: readonly string[]): string {
  const rest = names.length - SHOWN_NAMES;
  return names.slice(0, SHOWN_NAMES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

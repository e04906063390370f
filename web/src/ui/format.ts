const MINUS = '\u2212';
const DASH = '–';

/** Formats a number with a fixed number of decimals. Uses U+2212 for minus and never prints a negative zero. */
export function fixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return DASH;
  const text = value.toFixed(decimals);
  if (Number(text) === 0) return (0).toFixed(decimals);
  return text.replace('-', MINUS);
}

/** Formats an integer with thousands separators. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US', { useGrouping: true }).replace('-', MINUS);
}

/** Formats seconds as `m:ss`, or as `m:ss.cc` with two decimals. @param seconds null gives a dash */
export function clock(seconds: number | null, decimals: 0 | 2 = 0): string {
  if (seconds === null || !Number.isFinite(seconds)) return DASH;
  const scale = decimals === 2 ? 100 : 1;
  const units = Math.round(Math.max(0, seconds) * scale);
  const minutes = Math.floor(units / (60 * scale));
  const rest = units - minutes * 60 * scale;
  const whole = String(Math.floor(rest / scale)).padStart(2, '0');
  return decimals === 2 ? `${minutes}:${whole}.${String(rest % 100).padStart(2, '0')}` : `${minutes}:${whole}`;
}

/** Formats a number of bytes with a unit: `412 B`, `14.2 kB`, `1.9 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? 'kB'}`;
}

/** Formats a count with its noun: `1 clip`, `6 clips`, `1,427 clips`. */
export function count(n: number, noun: string): string {
  return `${whole(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/** Formats a frame rate without unneeded decimals: `30`, `29.97`. */
export function rate(fps: number | null): string {
  if (fps === null || !Number.isFinite(fps)) return DASH;
  return String(Number(fps.toFixed(2)));
}

/** Formats a playback speed as in the speed menu: `0.25×`. */
export function times(speed: number): string {
  return `${Number(speed.toFixed(2))}×`;
}

/** Formats the local time of day of an instant: `12:44:07`. */
export function timeOfDay(instant: number | string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return DASH;
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Formats the local date and time of an instant as the browser's language writes them: `4 May 2026, 12:44`. */
export function dateTime(instant: number | string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return DASH;
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats the time since an instant in its largest unit: `just now`, `12 s ago`, `3 min ago`, `5 h ago`, `2 d ago`. */
export function ago(instant: string, now: number): string {
  const seconds = Math.max(0, (now - new Date(instant).getTime()) / 1000);
  if (!Number.isFinite(seconds)) return DASH;
  if (seconds < 3) return 'just now';
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} d ago`;
}

/** Formats a duration: `0.8 s`, `2 min 5 s`, `3 h 12 min`. */
export function span(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** Returns a message of the service for the field it is about: without the API's name of that field, which the label
 *  already says: `run_name: is taken` → `Is taken`. */
export function ofField(text: string): string {
  return sentence(text.replace(/^[a-z][a-z0-9_.]*: /, ''));
}

/** Capitalises a message of the service, unless it starts with a name or a formula. */
export function sentence(text: string): string {
  return /^[a-z]+(?:[ ,.:;]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

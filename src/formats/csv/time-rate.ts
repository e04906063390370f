/** Number of rows from which the rate is computed. */
const JUDGED_ROWS = 64;
const NEWLINE = 10;
/** Units in which programs write times, s. */
const UNITS = [1, 1e-3, 1e-6, 1e-9] as const;
/** Rates that motion clips have, Hz. */
const RATES = { min: 4, max: 1000 } as const;
/** Largest difference of a regular step from the median step, as a share of it: times are rounded. */
const JITTER = 0.5;
/** Least share of regular steps; the others are lost rows. */
const REGULAR_SHARE = 0.8;

/** Returns the frame rate that follows from the times of the first rows, Hz; null if they are not regular times. Times
 *  are in s, ms, µs or ns. Steps of 1 are taken as numbers of rows.
 *  @param head first bytes of the file  @param timeAt column of the times, from 0 */
export function readTimeRate(head: Uint8Array, timeAt: number): number | null {
  const lines = new TextDecoder().decode(head.subarray(0, head.lastIndexOf(NEWLINE) + 1)).split('\n');
  const cells = lines.map((line) => line.split(',')[timeAt]?.trim() ?? '');
  // The first cells belong to comments and the header.
  const texts = cells.filter((cell) => /^[-+]?\.?\d/.test(cell)).slice(0, JUDGED_ROWS);
  const steps = texts.slice(1).map((text, index) => Number(text) - Number(texts[index]));
  const median = [...steps].sort((a, b) => a - b)[steps.length >> 1] ?? 0;
  const regular = steps.filter((step) => Math.abs(step - median) <= JITTER * median);
  if (steps.length < 2 || median === 1 || regular.length < REGULAR_SHARE * steps.length) return null;
  const duration = regular.reduce((sum, step) => sum + step, 0);
  const rate = regular.length / duration;
  const unit = UNITS.find((seconds) => rate / seconds >= RATES.min && rate / seconds <= RATES.max);
  return unit === undefined ? null : rounded(rate / unit, resolutionOf(texts) / duration);
}

/** Returns the smallest difference of two times with the written decimals. */
function resolutionOf(texts: readonly string[]): number {
  return 10 ** -Math.max(...texts.map((text) => (/\.(\d*)/.exec(text)?.[1] ?? '').length));
}

/** Returns the whole number that the rate may be within its error, else the rate with four decimals.
 *  @param error relative error of the rate, because times are rounded */
function rounded(rate: number, error: number): number {
  const whole = Math.round(rate);
  return Math.abs(rate - whole) <= rate * (error + 1e-9) ? whole : Number(rate.toFixed(4));
}

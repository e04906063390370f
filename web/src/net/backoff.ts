const FIRST_MS = 300;
const LONGEST_MS = 5000;

/** Returns the wait before the next attempt to connect. It doubles from 0.3 s to 5 s, less a random share of up to
 *  a quarter, so that the pages of a restarted service do not reconnect at the same time.
 *  @param attempt 0 for the first retry  @param random 0..1 */
export function backoffMs(attempt: number, random: number): number {
  const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return wait * (1 - 0.25 * random);
}

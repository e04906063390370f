/** What of a hundred the doctor does not claim even when everything fits. */
const MOST = 0.99;

/** Surer than this, a finding is an error; less sure a warning. */
export const CERTAIN = 0.9;
/** Less sure than this, the doctor says what it suspects and proposes nothing. */
export const PROPOSED = 0.7;

/** How sure it is that `found` is right where the file's own reading is wrong: both errors in one unit.
 *  @param noise error that a right reading has anyway  @returns 0.5 (either) to 0.99 */
export function confidence(own: number, found: number, noise: number): number {
  const ratio = ((own + noise) / (found + noise)) ** 2;
  return Math.max(0.5, Math.min(MOST, 1 - 1 / (1 + ratio)));
}

/** `97 % sure` */
export function confidenceText(share: number): string {
  return `${Math.round(100 * share)} % sure`;
}

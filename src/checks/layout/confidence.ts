/** Highest confidence that is reported, even if everything fits. */
const MOST = 0.99;

/** Above this confidence an issue is an error, below it a warning. */
export const CERTAIN = 0.9;
/** Below this confidence an issue does not propose a repair. */
export const PROPOSED = 0.7;

/** Returns the confidence that an alternative reading with error `found` is right and the reading as stored, with error
 *  `own`, is wrong. @param noise error of a right reading, in the same unit @returns 0.5 (undecided) to 0.99 */
export function confidence(own: number, found: number, noise: number): number {
  const ratio = ((own + noise) / (found + noise)) ** 2;
  return Math.max(0.5, Math.min(MOST, 1 - 1 / (1 + ratio)));
}

/** Formats a confidence as `97 % sure`. */
export function confidenceText(share: number): string {
  return `${Math.round(100 * share)} % sure`;
}

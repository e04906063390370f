/** Computes an exponential moving average with bias correction as in Adam: the running sum is divided by the sum of its
 *  weights. Missing values are skipped and remain missing. @param weight 0 returns the values unchanged; the closer to
 *  1, the smoother the result */
export function smoothed(values: readonly (number | null)[], weight: number): (number | null)[] {
  let sum = 0;
  let held = 0;
  return values.map((value) => {
    if (value === null || !Number.isFinite(value)) return null;
    sum = weight * sum + (1 - weight) * value;
    held = weight * held + (1 - weight);
    return held === 0 ? value : sum / held;
  });
}

/** Returns the smoothing weight for a position of the slider. Equal steps of the slider multiply the number of averaged
 *  points by equal factors. @param place position, 0..1 */
export function weightAt(place: number): number {
  return place <= 0 ? 0 : 1 - 10 ** (-2.7 * Math.min(1, place));
}

/** Exponential moving average with bias correction as in Adam: the running sum is divided by the sum of its weights.
 *  Missing values stay gaps and are skipped.
 *  @param weight 0 returns the values unchanged; closer to 1 is smoother */
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

/** Weight for a position of the slider: equal steps multiply the number of averaged points by equal factors.
 *  @param place 0..1 */
export function weightAt(place: number): number {
  return place <= 0 ? 0 : 1 - 10 ** (-2.7 * Math.min(1, place));
}

/** Exponential moving average without the pull of its start: the running sum is divided by the weight that it holds
 *  (Adam's bias correction). Values that are not there stay gaps and are skipped.
 *  @param weight 0 is the values themselves, towards 1 is smoother */
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

/** Weight of a slider's place: even steps of the slider are even steps of how many points are averaged.
 *  @param place 0..1 */
export function weightAt(place: number): number {
  return place <= 0 ? 0 : 1 - 10 ** (-2.7 * Math.min(1, place));
}

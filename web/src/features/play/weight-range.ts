/** Number of steps of the slider of a weight. */
const STEPS = 100;

export interface WeightRange {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** Returns the range of the slider of a weight: from zero to twice the run's weight, extended to the current weight. If
 *  the run's weight is zero, the range has both signs. @param first weight in the run */
export function weightRange(weight: number, first: number): WeightRange {
  const reach = Math.max(2 * Math.abs(first), Math.abs(weight), first === 0 ? 1 : 0);
  const [taken, given] = [first <= 0 || weight < 0, first >= 0 || weight > 0];
  const [min, max] = [taken ? -reach : 0, given ? reach : 0];
  return { min, max, step: (max - min) / STEPS };
}

/** Rounds the value of a slider to four significant digits. @param step step of the slider */
export function tidyWeight(value: number, step: number): number {
  return Math.abs(value) < step / 2 ? 0 : Number(value.toPrecision(4));
}

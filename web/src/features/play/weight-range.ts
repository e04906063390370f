/** Steps of a weight's slider. */
const STEPS = 100;

export interface WeightRange {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** What a weight's slider spans: from zero to twice the run's weight, wider where the weight now lies beyond that; both
 *  signs where the run gave none. */
export function weightRange(weight: number, first: number): WeightRange {
  const reach = Math.max(2 * Math.abs(first), Math.abs(weight), first === 0 ? 1 : 0);
  const [taken, given] = [first <= 0 || weight < 0, first >= 0 || weight > 0];
  const [min, max] = [taken ? -reach : 0, given ? reach : 0];
  return { min, max, step: (max - min) / STEPS };
}

/** Rounds a slider's value to four digits. @param step of the slider */
export function tidyWeight(value: number, step: number): number {
  return Math.abs(value) < step / 2 ? 0 : Number(value.toPrecision(4));
}

/** One curve: `values[k]` at iteration `steps[k]`, steps growing. */
export interface Series {
  readonly steps: Float64Array;
  readonly values: Float32Array;
}

/** Takes a curve down to at most `maxPoints` points and keeps what the eye looks for: the first and the last point, and
 *  the lowest and the highest of every stretch between, in their order. What is not finite counts as neither, but the
 *  first such point of a stretch is kept, so that a run that broke shows where.
 *  @returns indices into the series, growing; all of them where there are not more than `maxPoints` */
export function keptPoints({ values }: Pick<Series, 'values'>, maxPoints: number): number[] {
  const { length } = values;
  if (length <= maxPoints) return Array.from({ length }, (_, k) => k);
  if (maxPoints < 5) return maxPoints < 2 ? [0] : [0, length - 1];
  // A stretch gives up to three points: lowest, highest, first that is not finite.
  const broken = hasBroken(values);
  const stretches = Math.floor((maxPoints - 2) / (broken ? 3 : 2));
  const kept = [0];
  for (let stretch = 0; stretch < stretches; stretch++) {
    const start = 1 + Math.floor((stretch * (length - 2)) / stretches);
    const end = 1 + Math.floor(((stretch + 1) * (length - 2)) / stretches);
    let lowest = -1;
    let highest = -1;
    let notFinite = -1;
    for (let k = start; k < end; k++) {
      const value = values[k]!;
      if (!Number.isFinite(value)) {
        if (notFinite === -1) notFinite = k;
      } else {
        if (lowest === -1 || value < values[lowest]!) lowest = k;
        if (highest === -1 || value > values[highest]!) highest = k;
      }
    }
    for (const k of [...new Set([lowest, highest, notFinite])].sort((a, b) => a - b)) if (k !== -1) kept.push(k);
  }
  kept.push(length - 1);
  return kept;
}

function hasBroken(values: Float32Array): boolean {
  for (let k = 0; k < values.length; k++) if (!Number.isFinite(values[k]!)) return true;
  return false;
}

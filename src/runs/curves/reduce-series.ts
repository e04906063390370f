/** One curve: `values[k]` at iteration `steps[k]`, with ascending steps. */
export interface Series {
  readonly steps: Float64Array;
  readonly values: Float32Array;
}

/** Reduces a curve to at most `maxPoints` points: the first and last point and, in order, the lowest and highest point
 *  of each bucket between them. If points are not finite, the first such point of each bucket is also kept, so that a
 *  diverged run shows where it diverged.
 *  @returns indices into the series, ascending; all indices if the series has at most `maxPoints` points */
export function keptPoints({ values }: Pick<Series, 'values'>, maxPoints: number): number[] {
  const { length } = values;
  if (length <= maxPoints) return Array.from({ length }, (_, k) => k);
  if (maxPoints < 5) return maxPoints < 2 ? [0] : [0, length - 1];
  // A bucket yields up to three points: the lowest, the highest and the first that is not finite.
  const buckets = Math.floor((maxPoints - 2) / (hasNonFinite(values) ? 3 : 2));
  const kept = [0];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = 1 + Math.floor((bucket * (length - 2)) / buckets);
    const end = 1 + Math.floor(((bucket + 1) * (length - 2)) / buckets);
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

function hasNonFinite(values: Float32Array): boolean {
  for (let k = 0; k < values.length; k++) if (!Number.isFinite(values[k]!)) return true;
  return false;
}

/** One curve: `values[k]` at iteration `steps[k]`, with ascending steps. */
export interface Series {
  readonly steps: Float64Array;
  readonly values: Float32Array;
}

/** Reduces a curve to at most `maxPoints` points: the first and last point and, in order, the lowest and highest point
 *  of each bucket between them. If points are not finite, the first such point of each bucket is also kept, so that a
 *  diverged run shows where it diverged. Buckets have equal numbers of iterations instead of points, so that a curve
 *  whose older part was already reduced has the same resolution everywhere.
 *  @returns indices into the series, ascending; all indices if the series has at most `maxPoints` points */
export function keptPoints({ steps, values }: Series, maxPoints: number): number[] {
  const { length } = values;
  if (length <= maxPoints) return Array.from({ length }, (_, k) => k);
  if (maxPoints < 5) return maxPoints < 2 ? [0] : [0, length - 1];
  // A bucket yields up to three points: the lowest, the highest and the first that is not finite.
  const buckets = Math.floor((maxPoints - 2) / (hasNonFinite(values) ? 3 : 2));
  const last = length - 1;
  const perStep = buckets / (steps[last]! - steps[0]!);
  const kept = [0];
  let k = 1;
  for (let bucket = 1; bucket <= buckets; bucket++) {
    let lowest = -1;
    let highest = -1;
    let notFinite = -1;
    // The last bucket contains all remaining points, whatever the rounding.
    for (; k < last && (bucket === buckets || (steps[k]! - steps[0]!) * perStep < bucket); k++) {
      const value = values[k]!;
      if (!Number.isFinite(value)) {
        if (notFinite === -1) notFinite = k;
      } else {
        if (lowest === -1 || value < values[lowest]!) lowest = k;
        if (highest === -1 || value > values[highest]!) highest = k;
      }
    }
    pushSorted(kept, lowest, highest, notFinite);
  }
  kept.push(last);
  return kept;
}

/** Appends indices in ascending order, each once. Skips -1. Allocates nothing, because long curves have many
 *  buckets. */
function pushSorted(kept: number[], a: number, b: number, c: number): void {
  const low = Math.min(a, b, c);
  const high = Math.max(a, b, c);
  const middle = a + b + c - low - high;
  if (low !== -1) kept.push(low);
  if (middle !== low) kept.push(middle);
  if (high !== middle) kept.push(high);
}

function hasNonFinite(values: Float32Array): boolean {
  for (let k = 0; k < values.length; k++) if (!Number.isFinite(values[k]!)) return true;
  return false;
}

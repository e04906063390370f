/** Returns the value at `q` (0..1) of the sorted values; NaN for an empty list. */
export function quantile(values: ArrayLike<number>, q: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(q * (sorted.length - 1))]!;
}

/** Returns the median; NaN for an empty list. */
export function median(values: ArrayLike<number>): number {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Returns the median of `value` over `runs`. */
export function medianOf<T>(runs: readonly T[], value: (run: T) => number): number {
  return median(runs.map(value));
}

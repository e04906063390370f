/** Normalises observations: x ↦ (x − mean) / (std + ε), with the mean and variance of all observations so far. Works
 *  like rsl_rl's EmpiricalNormalization, but without its upper limit on the number of observations. */
export class RunningNormalizer {
  static readonly EPSILON = 0.01;
  readonly dim: number;
  /** (dim) population moments so far */
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  count = 0;

  constructor(dim: number) {
    this.dim = dim;
    this.mean = new Float64Array(dim);
    this.variance = new Float64Array(dim).fill(1);
  }

  /** Number of values that {@link momentsOf} writes. */
  static momentsLength(dim: number): number {
    return 1 + 2 * dim;
  }

  /** Computes the moments of rows for {@link merge}: count, mean and Σ(x − mean)². Each thread computes its own.
   *  @param rows (n, dim)  @param out (1 + 2·dim) */
  static momentsOf(rows: Float32Array, dim: number, out: Float64Array): void {
    const n = rows.length / dim;
    out.fill(0);
    out[0] = n;
    for (let at = 0; at < rows.length; at += dim) {
      for (let j = 0; j < dim; j++) out[1 + j]! += rows[at + j]! / n;
    }
    for (let at = 0; at < rows.length; at += dim) {
      for (let j = 0; j < dim; j++) {
        const off = rows[at + j]! - out[1 + j]!;
        out[1 + dim + j]! += off * off;
      }
    }
  }

  /** Adds the moments of {@link momentsOf} (Chan et al. 1979, parallel update of mean and variance). */
  merge(moments: Float64Array): void {
    const { dim, mean, variance, count } = this;
    const added = moments[0]!;
    if (added === 0) return;
    const total = count + added;
    for (let j = 0; j < dim; j++) {
      const delta = moments[1 + j]! - mean[j]!;
      mean[j]! += (delta * added) / total;
      const squares = (count === 0 ? 0 : variance[j]! * count) + moments[1 + dim + j]!;
      variance[j] = (squares + (delta * delta * count * added) / total) / total;
    }
    this.count = total;
  }

  /** Normalises `rows` (n, dim) into `out`, which may alias `rows`. */
  apply(rows: Float32Array, out: Float32Array): void {
    const { dim, mean, variance } = this;
    const scales = new Float64Array(dim);
    for (let j = 0; j < dim; j++) scales[j] = 1 / (Math.sqrt(variance[j]!) + RunningNormalizer.EPSILON);
    for (let at = 0; at < rows.length; at += dim) {
      for (let j = 0; j < dim; j++) out[at + j] = (rows[at + j]! - mean[j]!) * scales[j]!;
    }
  }
}

/** Returns the product of two row-major matrices, (rows, inner) times (inner, columns). */
export function product(a: Float64Array, b: Float64Array, rows: number, inner: number, columns: number): Float64Array {
  const out = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let k = 0; k < inner; k++) {
      const factor = a[r * inner + k]!;
      if (factor === 0) continue;
      for (let c = 0; c < columns; c++) out[r * columns + c]! += factor * b[k * columns + c]!;
    }
  }
  return out;
}

/** Returns the transpose of a row-major matrix (rows, columns). */
export function transposed(a: Float64Array, rows: number, columns: number): Float64Array {
  const out = new Float64Array(a.length);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[c * rows + r] = a[r * columns + c]!;
  return out;
}

/** Returns the inverse of a symmetric, positive definite matrix (n, n), by Gauss-Jordan elimination. */
export function inverse(matrix: Float64Array, n: number): Float64Array {
  const a = Float64Array.from(matrix);
  const out = new Float64Array(n * n);
  for (let k = 0; k < n; k++) out[k * n + k] = 1;
  for (let pivot = 0; pivot < n; pivot++) {
    const scale = 1 / a[pivot * n + pivot]!;
    for (let k = 0; k < n; k++) {
      a[pivot * n + k]! *= scale;
      out[pivot * n + k]! *= scale;
    }
    for (let row = 0; row < n; row++) {
      const factor = a[row * n + pivot]!;
      if (row === pivot || factor === 0) continue;
      for (let k = 0; k < n; k++) {
        a[row * n + k]! -= factor * a[pivot * n + k]!;
        out[row * n + k]! -= factor * out[pivot * n + k]!;
      }
    }
  }
  return out;
}

/** Returns the x ≥ 0 that minimises ½ xᵀ H x − gᵀ x, by coordinate descent.
 *  @param h (n, n) symmetric with a positive diagonal  @param g (n)  @param sweeps over all coordinates */
export function nonNegativeMinimum(h: Float64Array, g: Float64Array, sweeps: number): Float64Array {
  const n = g.length;
  const x = new Float64Array(n);
  const slope = Float64Array.from(g);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let i = 0; i < n; i++) {
      const change = Math.max(0, x[i]! + slope[i]! / h[i * n + i]!) - x[i]!;
      if (change === 0) continue;
      x[i]! += change;
      for (let k = 0; k < n; k++) slope[k]! -= change * h[k * n + i]!;
    }
  }
  return x;
}

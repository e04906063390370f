const N = 6;

/** Solves A·x = b by Cholesky decomposition.
 *  @param a (6, 6) row-major, symmetric and positive definite; only its lower half is read, and it is overwritten
 *  @param b (6,), overwritten with x */
export function solveSymmetric6(a: Float64Array, b: Float64Array): void {
  for (let row = 0; row < N; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = a[N * row + column]!;
      for (let k = 0; k < column; k += 1) sum -= a[N * row + k]! * a[N * column + k]!;
      a[N * row + column] = row === column ? Math.sqrt(sum) : sum / a[(N + 1) * column]!;
    }
  }
  for (let row = 0; row < N; row += 1) {
    let sum = b[row]!;
    for (let k = 0; k < row; k += 1) sum -= a[N * row + k]! * b[k]!;
    b[row] = sum / a[(N + 1) * row]!;
  }
  for (let row = N - 1; row >= 0; row -= 1) {
    let sum = b[row]!;
    for (let k = row + 1; k < N; k += 1) sum -= a[N * k + row]! * b[k]!;
    b[row] = sum / a[(N + 1) * row]!;
  }
}

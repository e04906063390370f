import { expect, test } from 'vitest';
import { inverse, nonNegativeMinimum, product, transposed } from '../../../src/train/guide/dense.ts';

/** A symmetric, positive definite matrix: B Bᵀ + I. */
function definite(n: number): Float64Array {
  const b = Float64Array.from({ length: n * n }, (_, k) => Math.sin(12.9898 * (k + 1)));
  const out = product(b, transposed(b, n, n), n, n, n);
  for (let k = 0; k < n; k++) out[k * n + k]! += 1;
  return out;
}

test('a matrix times its inverse is the identity', () => {
  const n = 7;
  const a = definite(n);
  const identity = product(a, inverse(a, n), n, n, n);
  for (let r = 0; r < n; r++) for (let c = 0; c < n; c++) expect(identity[r * n + c]).toBeCloseTo(r === c ? 1 : 0, 10);
});

test('products of matrices of different shapes are correct', () => {
  const a = Float64Array.of(1, 2, 3, 4, 5, 6);
  expect([...product(a, transposed(a, 2, 3), 2, 3, 2)]).toEqual([14, 32, 32, 77]);
});

test('at a minimum over non-negative values the slope is 0 for positive values, and not negative for values at 0', () => {
  const n = 6;
  const h = definite(n);
  const g = Float64Array.of(2, -3, 1, -1, 4, -2);
  const x = nonNegativeMinimum(h, g, 2000);
  const slope = product(h, x, n, n, 1).map((value, k) => value - g[k]!);
  expect(x.some((value) => value === 0) && x.some((value) => value > 0)).toBe(true);
  for (let k = 0; k < n; k++) {
    if (x[k]! > 0) expect(slope[k]).toBeCloseTo(0, 8);
    else expect(slope[k]).toBeGreaterThanOrEqual(0);
  }
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eigenvalues } from '../../../src/robots/prepare/spec/inertia.ts';

const entry = fc.double({ min: -10, max: 10, noNaN: true });

test('the eigenvalues of a matrix are ordered and give its trace and determinant', () => {
  fc.assert(
    fc.property(fc.tuple(entry, entry, entry, entry, entry, entry), (matrix) => {
      const [xx, yy, zz, xy, xz, yz] = matrix;
      const [a, b, c] = eigenvalues(matrix);
      expect(a).toBeLessThanOrEqual(b + 1e-6);
      expect(b).toBeLessThanOrEqual(c + 1e-6);
      expect(a + b + c).toBeCloseTo(xx + yy + zz, 6);
      expect(a * b + b * c + a * c).toBeCloseTo(xx * yy + yy * zz + xx * zz - xy * xy - xz * xz - yz * yz, 4);
      const determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
      expect(a * b * c).toBeCloseTo(determinant, 3);
    }),
  );
});

test('eigenvalues of diagonal matrices, including equal ones, are exact', () => {
  expect(eigenvalues([3, 1, 2, 0, 0, 0]).map((value) => Math.round(1e9 * value) / 1e9)).toEqual([1, 2, 3]);
  expect(eigenvalues([2, 2, 2, 0, 0, 0])).toEqual([2, 2, 2]);
});

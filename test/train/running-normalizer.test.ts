import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RunningNormalizer } from '../../src/train/ppo/running-normalizer.ts';

function momentsOf(rows: Float32Array, dim: number): Float64Array {
  const out = new Float64Array(RunningNormalizer.momentsLength(dim));
  RunningNormalizer.momentsOf(rows, dim, out);
  return out;
}

test('mean and variance are the same for rows in parts and rows at once', () => {
  const value = fc.float({ min: -100, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 40 }), fc.nat(), (pairs, cut) => {
      const rows = Float32Array.from(pairs.flat());
      const split = 2 * (1 + (cut % (pairs.length - 1)));
      const normalizer = new RunningNormalizer(2);
      normalizer.merge(momentsOf(rows.subarray(0, split), 2));
      normalizer.merge(momentsOf(rows.subarray(split), 2));
      for (const j of [0, 1]) {
        const column = pairs.map((pair) => Math.fround(pair[j as 0 | 1]));
        const mean = column.reduce((a, b) => a + b) / column.length;
        const variance = column.reduce((sum, x) => sum + (x - mean) ** 2, 0) / column.length;
        expect(normalizer.mean[j]).toBeCloseTo(mean, 4);
        expect(Math.abs(normalizer.variance[j]! - variance)).toBeLessThan(1e-6 * (1 + variance));
      }
      expect(normalizer.count).toBe(pairs.length);
    }),
  );
});

test('normalised rows have mean 0 and unit spread', () => {
  const rows = Float32Array.from({ length: 2000 }, (_, k) => (k % 2 === 0 ? 5 + Math.sin(k) : -3));
  const normalizer = new RunningNormalizer(2);
  normalizer.merge(momentsOf(rows, 2));
  const out = new Float32Array(rows.length);
  normalizer.apply(rows, out);
  const first = out.filter((_, k) => k % 2 === 0);
  expect(first.reduce((a, b) => a + b) / first.length).toBeCloseTo(0, 4);
  // The value is divided by a std of 0.707 + 0.01, so the result is slightly less than one.
  expect(Math.sqrt(first.reduce((sum, x) => sum + x * x, 0) / first.length)).toBeCloseTo(
    Math.SQRT1_2 / (Math.SQRT1_2 + 0.01),
    3,
  );
  expect(out[1]).toBeCloseTo(0, 6); // a constant value: the spread is zero, but there is no division by zero
});

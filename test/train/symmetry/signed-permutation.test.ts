import { expect, test } from 'vitest';
import { RunningNormalizer } from '../../../src/train/ppo/running-normalizer.ts';
import { findPermutation, mirrorMoments, mirrorValues } from '../../../src/train/symmetry/signed-permutation.ts';
import { randomFrom } from '../../support/random.ts';

const ROWS = 50;
const SLICES = [
  { term: 'position', offset: 0, dim: 3 },
  { term: 'sides', offset: 3, dim: 3 },
];
/** Mirrors [x, y, z, left, right, 0]. */
const [FROM, SIGN] = [
  [0, 1, 2, 4, 3, 5],
  [1, -1, 1, -1, -1, 1],
];

function pairs() {
  const random = randomFrom(3);
  const dim = FROM.length;
  const rows = Float32Array.from({ length: ROWS * dim }, (_, k) => (k % dim === 5 ? 0 : 2 * random() - 1));
  const mirrored = new Float32Array(rows.length);
  mirrorValues(rows, { from: Int32Array.from(FROM), sign: Float32Array.from(SIGN) }, mirrored);
  return { dim, rows, mirrored };
}

test('the permutation and the signs are found from rows and their mirror images', () => {
  const given = pairs();
  expect([...given.mirrored.subarray(0, 2)]).toEqual([given.rows[0], -given.rows[1]!]);
  expect(given.mirrored[3]).toBe(-given.rows[4]!);
  expect(findPermutation(given, SLICES)).toEqual({ from: Int32Array.from(FROM), sign: Float32Array.from(SIGN) });
});

test('a large mean does not hide a wrong variation', () => {
  const given = pairs();
  const shift = (values: Float32Array) => values.map((value, k) => value + (k % given.dim === 2 ? 10 : 0));
  const random = randomFrom(6);
  const rows = shift(given.rows);
  expect(findPermutation({ ...given, rows, mirrored: shift(given.mirrored) }, SLICES)).toMatchObject({
    from: Int32Array.from(FROM),
  });
  const mirrored = shift(given.mirrored.map((value, k) => (k % given.dim === 2 ? 2 * random() - 1 : value)));
  expect(findPermutation({ ...given, rows, mirrored }, SLICES)).toBe('position[2]');
});

test('mirrored moments are the moments of the mirrored rows', () => {
  const { dim, rows, mirrored } = pairs();
  const length = RunningNormalizer.momentsLength(dim);
  const [given, wanted, out] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  RunningNormalizer.momentsOf(rows, dim, given);
  RunningNormalizer.momentsOf(mirrored, dim, wanted);
  mirrorMoments(given, { from: Int32Array.from(FROM), sign: Float32Array.from(SIGN) }, out);
  for (const [k, value] of wanted.entries()) expect(out[k]).toBeCloseTo(value, 10);
});

test('small differences between the sides are allowed', () => {
  const given = pairs();
  const random = randomFrom(4);
  const mirrored = given.mirrored.map((value) => value * (1 + 0.2 * (random() - 0.5)));
  expect(findPermutation({ ...given, mirrored }, SLICES)).toMatchObject({ from: Int32Array.from(FROM) });
});

test('a value without a mirror image is named', () => {
  const given = pairs();
  const random = randomFrom(5);
  const mirrored = given.mirrored.map((value, k) => (k % given.dim === 2 ? 2 * random() - 1 : value));
  expect(findPermutation({ ...given, mirrored }, SLICES)).toBe('position[2]');
});

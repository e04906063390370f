import { expect, test } from 'vitest';
import { findPermutation, mirrorValues } from '../../../src/train/symmetry/signed-permutation.ts';
import { randomFrom } from '../../support/random.ts';

const ROWS = 50;
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
  expect(findPermutation(given)).toEqual({ from: Int32Array.from(FROM), sign: Float32Array.from(SIGN) });
});

test('small differences between the sides are allowed', () => {
  const given = pairs();
  const random = randomFrom(4);
  const mirrored = given.mirrored.map((value) => value * (1 + 0.2 * (random() - 0.5)));
  expect(findPermutation({ ...given, mirrored })).toMatchObject({ from: Int32Array.from(FROM) });
});

test('a value without a mirror image is named', () => {
  const given = pairs();
  const random = randomFrom(5);
  const mirrored = given.mirrored.map((value, k) => (k % given.dim === 2 ? 2 * random() - 1 : value));
  expect(findPermutation({ ...given, mirrored })).toBe(2);
});

import { expect, test } from 'vitest';
import {
  angleBetween,
  conjugate,
  multiply,
  normalize,
  rotateInverse,
  toMatrix,
} from '../../../src/core/math/quaternion.ts';
import {
  angleBetweenRows,
  gravityRow,
  gravityZ,
  relativeRow,
  rotateInverseDifference,
  rotateInverseRow,
  sixDRow,
  squaredDistance,
  squaredNorm,
  turnBetweenRows,
} from '../../../src/core/math/rows.ts';
import { randomFrom } from '../../support/random.ts';

/** Rows of quaternions and vectors, padded with NaN that must not be read. */
const random = randomFrom(7);
const vector = () => Array.from({ length: 3 }, () => 4 * random() - 2);
const quaternion = () => normalize([0, 0, 0, 0], [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]);
const padded = (row: readonly number[]) => Float64Array.of(Number.NaN, Number.NaN, ...row, Number.NaN);
const AT = 2;

function expectNear(actual: ArrayLike<number>, wanted: ArrayLike<number>) {
  for (let i = 0; i < wanted.length; i++) expect(actual[i]).toBeCloseTo(wanted[i]!, 12);
}

test.each(Array.from({ length: 20 }, (_, k) => k))('rows are rotated as single quaternions are (case %i)', () => {
  const [a, b] = [quaternion(), quaternion()];
  const [v, w] = [vector(), vector()];
  const out = new Float64Array(6);

  rotateInverseRow(out, 1, padded(a), AT, padded(v), AT);
  expectNear(out.subarray(1), rotateInverse([0, 0, 0], a, v));
  rotateInverseDifference(out, 1, padded(a), AT, padded(v), AT, padded(w), AT);
  expectNear(
    out.subarray(1),
    rotateInverse(
      [0, 0, 0],
      a,
      v.map((x, i) => x - w[i]!),
    ),
  );
  relativeRow(out, padded(a), AT, padded(b), AT);
  expectNear(out, multiply([0, 0, 0, 0], conjugate([0, 0, 0, 0], a), b));
  turnBetweenRows(out, padded(a), AT, padded(b), AT);
  expectNear(out, multiply([0, 0, 0, 0], a, conjugate([0, 0, 0, 0], b)));
  expect(angleBetweenRows(padded(a), AT, padded(b), AT)).toBeCloseTo(angleBetween(a, b), 12);
  gravityRow(out, 1, padded(a), AT);
  expectNear(out.subarray(1), rotateInverse([0, 0, 0], a, [0, 0, -1]));
  expect(gravityZ(padded(a), AT)).toBeCloseTo(out[3]!, 12);
  sixDRow(out, 0, padded(a), AT);
  const m = toMatrix([], a);
  expectNear(out, [m[0]!, m[1]!, m[3]!, m[4]!, m[6]!, m[7]!]);
  expect(squaredDistance(padded(v), AT, padded(w), AT)).toBeCloseTo(
    v.reduce((sum, x, i) => sum + (x - w[i]!) ** 2, 0),
    12,
  );
  expect(squaredNorm(padded(v), AT)).toBeCloseTo(
    v.reduce((sum, x) => sum + x * x, 0),
    12,
  );
});

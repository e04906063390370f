import { describe, expect, test } from 'vitest';
import * as quaternion from '../../../src/core/math/quaternion.ts';

const rootHalf = Math.SQRT1_2;
const quarterAboutZ = [rootHalf, 0, 0, rootHalf];
const quarterAboutX = [rootHalf, rootHalf, 0, 0];

function near(actual: ArrayLike<number>, expected: readonly number[], tolerance = 1e-12): void {
  for (const [i, value] of expected.entries()) expect(Math.abs(actual[i]! - value)).toBeLessThan(tolerance);
}

/** Deterministic rotations, spread over the unit quaternions. */
function samples(count: number): number[][] {
  return Array.from({ length: count }, (_, i) =>
    quaternion.normalize(
      [0, 0, 0, 0],
      [Math.sin(i * 1.7), Math.cos(i * 2.3), Math.sin(i * 3.1 + 1), Math.cos(i * 0.9 + 2)],
    ),
  );
}

describe('rotating vectors', () => {
  test('a quarter turn about z maps x to y, and its inverse maps it back', () => {
    near(quaternion.rotate([0, 0, 0], quarterAboutZ, [1, 0, 0]), [0, 1, 0]);
    near(quaternion.rotateInverse([0, 0, 0], quarterAboutZ, [0, 1, 0]), [1, 0, 0]);
  });

  test('a product applies its right factor first', () => {
    const both = quaternion.multiply([0, 0, 0, 0], quarterAboutZ, quarterAboutX);
    // The turn about x moves y to z; the turn about z leaves z.
    near(quaternion.rotate([0, 0, 0], both, [0, 1, 0]), [0, 0, 1]);
  });

  test('the matrix, the product with the conjugate and rotate agree for any rotation', () => {
    const v = [0.3, -1.2, 2.5];
    for (const q of samples(50)) {
      const turned = quaternion.rotate([0, 0, 0], q, v);
      const m = quaternion.toMatrix(new Float64Array(9), q);
      near(
        turned,
        [0, 1, 2].map((r) => m[3 * r]! * v[0]! + m[3 * r + 1]! * v[1]! + m[3 * r + 2]! * v[2]!),
      );
      near(quaternion.multiply([0, 0, 0, 0], q, quaternion.conjugate([0, 0, 0, 0], q)), [1, 0, 0, 0]);
    }
  });

  test('the output array may be the input array', () => {
    const v = [1, 2, 3];
    near(quaternion.rotate(v, quarterAboutZ, v), [-2, 1, 3]);
    const q = [...quarterAboutZ];
    near(quaternion.multiply(q, q, q), [0, 0, 0, 1]);
  });
});

describe('interpolating', () => {
  test('half way between no turn and a quarter turn is an eighth turn, by the shorter way', () => {
    const eighth = [Math.cos(Math.PI / 8), 0, 0, Math.sin(Math.PI / 8)];
    near(quaternion.slerp([0, 0, 0, 0], [1, 0, 0, 0], quarterAboutZ, 0.5), eighth);
    near(
      quaternion.slerp(
        [0, 0, 0, 0],
        [1, 0, 0, 0],
        quarterAboutZ.map((x) => -x),
        0.5,
      ),
      eighth,
    );
  });

  test('interpolation between nearly equal quaternions (four float32 epsilons) returns the first one unchanged', () => {
    const first = [1, 0, 0, 0];
    const close = [1, 1e-8, 0, 0];
    expect(quaternion.slerp([0, 0, 0, 0], first, close, 0.9)).toEqual(first);
  });

  test('interpolation has a constant speed along the path', () => {
    const [a, b] = samples(2) as [number[], number[]];
    const whole = quaternion.angleBetween(a, b);
    for (const u of [0.1, 0.35, 0.8]) {
      expect(quaternion.angleBetween(a, quaternion.slerp([0, 0, 0, 0], a, b, u))).toBeCloseTo(u * whole, 10);
    }
  });
});

describe('other forms', () => {
  test('converting roll, pitch and yaw to a quaternion and back gives the same angles', () => {
    const cases: [number, number, number][] = [
      [0.3, -0.8, 2.9],
      [-3, 1.2, -0.1],
      [0, 0, 0],
    ];
    for (const rpy of cases) {
      near(quaternion.toRpy([0, 0, 0], quaternion.fromEulerXyz([0, 0, 0, 0], ...rpy)), [...rpy], 1e-10);
    }
  });

  test('Euler angles turn about fixed x, then y, then z', () => {
    const about = (axis: number[], angle: number) => quaternion.fromAxisAngle([0, 0, 0, 0], axis, angle);
    const expected = quaternion.multiply(
      [0, 0, 0, 0],
      about([0, 0, 1], 0.7),
      quaternion.multiply([0, 0, 0, 0], about([0, 1, 0], -0.4), about([1, 0, 0], 0.2)),
    );
    near(quaternion.fromEulerXyz([0, 0, 0, 0], 0.2, -0.4, 0.7), expected);
  });

  test('a rotation vector points along the axis and never exceeds half a turn', () => {
    near(quaternion.toRotationVector([0, 0, 0], quarterAboutX), [Math.PI / 2, 0, 0]);
    // Three quarters of a turn about x equal a quarter turn about −x.
    const threeQuarters = quaternion.fromAxisAngle([0, 0, 0, 0], [1, 0, 0], 1.5 * Math.PI);
    near(quaternion.toRotationVector([0, 0, 0], threeQuarters), [-Math.PI / 2, 0, 0]);
    near(quaternion.toRotationVector([0, 0, 0], [1, 1e-14, 0, 0]), [2e-14, 0, 0], 1e-20);
  });

  test('yaw is the inverse of fromYaw', () => {
    expect(quaternion.yawOf(quaternion.fromYaw([0, 0, 0, 0], -2.2))).toBeCloseTo(-2.2, 12);
  });

  test('quaternions of source files have w last', () => {
    expect(quaternion.fromXyzw([0, 0, 0, 0], [1, 2, 3, 4])).toEqual([4, 1, 2, 3]);
    expect(quaternion.toXyzw([0, 0, 0, 0], [4, 1, 2, 3])).toEqual([1, 2, 3, 4]);
  });

  test('a quaternion of length 0 becomes the identity', () => {
    expect(quaternion.normalize([9, 9, 9, 9], [0, 0, 0, 0])).toEqual([1, 0, 0, 0]);
    expect(quaternion.normalize([9, 9, 9, 9], [Number.NaN, 0, 0, 1])).toEqual([1, 0, 0, 0]);
    near(quaternion.normalize([0, 0, 0, 0], [0, 0, 3, 4]), [0, 0, 0.6, 0.8]);
  });
});

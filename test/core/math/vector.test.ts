import { expect, test } from 'vitest';
import * as vector from '../../../src/core/math/vector.ts';

test('the cross product of x and y is z, also written over its own input', () => {
  expect(vector.cross([0, 0, 0], [1, 0, 0], [0, 1, 0])).toEqual([0, 0, 1]);
  const a = [1, 2, 3];
  expect(vector.cross(a, a, [4, 5, 6])).toEqual([-3, 6, -3]);
});

test('lengths and distances are Euclidean', () => {
  expect(vector.norm([2, 3, 6])).toBe(7);
  expect(vector.distance([1, 1, 1], [3, 4, 7])).toBe(7);
  expect(vector.dot([1, 2, 3], [4, -5, 6])).toBe(12);
});

test('sums, differences and multiples are computed by component', () => {
  expect(vector.add([0, 0, 0], [1, 2, 3], [4, 5, 6])).toEqual([5, 7, 9]);
  expect(vector.subtract([0, 0, 0], [1, 2, 3], [4, 5, 6])).toEqual([-3, -3, -3]);
  expect(vector.scale([0, 0, 0], [1, 2, 3], -2)).toEqual([-2, -4, -6]);
  expect(vector.addScaled([0, 0, 0], [1, 2, 3], [1, 0, 1], 0.5)).toEqual([1.5, 2, 3.5]);
  expect(vector.mix([0, 0, 0], [0, 0, 0], [4, 8, -4], 0.25)).toEqual([1, 2, -1]);
});

test('an angle is wrapped into (−π, π]', () => {
  expect(vector.wrapAngle(Math.PI)).toBe(Math.PI);
  expect(vector.wrapAngle(-Math.PI)).toBeCloseTo(Math.PI, 12);
  expect(vector.wrapAngle(7)).toBeCloseTo(7 - 2 * Math.PI, 12);
  expect(vector.wrapAngle(-20)).toBeCloseTo(-20 + 6 * Math.PI, 12);
});

test('clamping keeps values inside and leaves NaN visible', () => {
  expect([vector.clamp(-2, -1, 1), vector.clamp(0.5, -1, 1), vector.clamp(3, -1, 1)]).toEqual([-1, 0.5, 1]);
  expect(vector.clamp(Number.NaN, -1, 1)).toBeNaN();
});

import { expect, test } from 'vitest';
import { bump, ease, quintic, smoothed } from '../../../src/motion/procedural/curves.ts';

test('easing goes from 0 to 1 with zero velocity at both ends', () => {
  expect([ease(-1), ease(0), ease(0.5), ease(1), ease(2)]).toEqual([0, 0, 0.5, 1, 1]);
  expect(ease(1e-3)).toBeLessThan(1e-7);
});

test('a bump is 1 in the middle and 0 outside of its ends', () => {
  expect([bump(-0.1), bump(0), bump(0.5), bump(1), bump(1.1)]).toEqual([0, 0, 1, 0, 0]);
});

test('smoothing keeps straight lines, stays within the range of its knots and keeps the ends', () => {
  const curve = smoothed(
    [
      [0, 0],
      [1, 1],
      [2, 1],
    ],
    0.2,
  );
  expect(curve(0.5)).toBeCloseTo(0.5, 12);
  expect(curve(-1)).toBe(0);
  expect(curve(5)).toBeCloseTo(1, 12);
  expect(curve(1)).toBeLessThan(1);
  expect(curve(1)).toBeGreaterThan(0.9);
});

test('the quintic has the requested position, speed and acceleration at its ends', () => {
  const from = [1, 2, -3] as const;
  const to = [4, -1, 5] as const;
  const at = (t: number) => quintic(from, to, 0.7, t);
  const h = 1e-4;
  expect(at(0)).toBeCloseTo(1, 12);
  expect(at(0.7)).toBeCloseTo(4, 12);
  expect((at(h) - at(0)) / h).toBeCloseTo(2, 2);
  expect((at(0.7) - at(0.7 - h)) / h).toBeCloseTo(-1, 2);
  expect((at(2 * h) - 2 * at(h) + at(0)) / h ** 2).toBeCloseTo(-3, 0);
  expect((at(0.7) - 2 * at(0.7 - h) + at(0.7 - 2 * h)) / h ** 2).toBeCloseTo(5, 0);
});

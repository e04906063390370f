import { expect, test } from 'vitest';
import { gridCentres, gridSpacing } from '../../src/scene/grid-layout.ts';

/** Two rows of four numbers each: a root that moves `distance` m along x. */
const going = (distance: number) => ({ frames: 2, rows: Float64Array.of(5, 5, 1, 0, 5 + distance, 5, 1, 0) });

test('cells are laid out around the origin, as tracking environments are', () => {
  // 6 robots: three rows of two, 2 m apart.
  expect([...gridCentres(6, 2)]).toEqual([2, -1, 2, 1, 0, -1, 0, 1, -2, -1, -2, 1]);
  expect([...gridCentres(1, 2)]).toEqual([0, 0]);
});

test.each([1, 2, 3, 5, 7, 12, 33, 63, 64])('%i robots have different places, and the grid is nearly square', (n) => {
  const centres = gridCentres(n, 1);
  const places = new Set(Array.from({ length: n }, (_, k) => `${centres[2 * k]} ${centres[2 * k + 1]}`));
  expect(places.size).toBe(n);
  const extent = (axis: 0 | 1) => {
    const all = Array.from({ length: n }, (_, k) => centres[2 * k + axis]!);
    return Math.max(...all) - Math.min(...all) + 1;
  };
  expect(extent(0) / extent(1)).toBeLessThanOrEqual(3);
  expect(extent(1)).toBeLessThanOrEqual(extent(0));
  const mean = centres.reduce((sum, value) => sum + value, 0) / n;
  expect(Math.abs(mean)).toBeLessThan(1);
});

test('neighbours are far enough apart for the widest path, within reason', () => {
  expect(gridSpacing([going(0), going(0.1)], 4)).toBe(1.4);
  expect(gridSpacing([going(0), going(1.2)], 4)).toBeCloseTo(3.4, 9);
  expect(gridSpacing([going(50)], 4)).toBe(4);
});

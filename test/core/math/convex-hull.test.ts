import { describe, expect, test } from 'vitest';
import { distanceToHull, nearestInHull } from '../../../src/core/math/convex-hull.ts';

describe('the distance to an area', () => {
  const square = [0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5];
  test.each([
    ['inside', 0.3, 0.9, square, 0],
    ['beside an edge', 0.5, -2, square, 2],
    ['beside a corner', 4, 5, square, 5],
    ['an area that is a line', 0.5, 1, [0, 0, 1, 0, 0.2, 0], 1],
    ['an area that is one point', 3, 4, [0, 0, 0, 0], 5],
  ])('the distance of a point to an area is measured: %s', (_, x, y, points, distance) => {
    expect(distanceToHull(x, y, points)).toBeCloseTo(distance, 12);
  });
});

test('the nearest point of an area is in the area, and no corner is nearer', () => {
  const points = Array.from({ length: 16 }, (_, k) => Math.sin(12.9898 * (k + 1)));
  for (let k = 0; k < 50; k++) {
    const [x, y] = [3 * Math.sin(78.233 * k), 3 * Math.cos(37.719 * k)];
    const [nearestX, nearestY] = nearestInHull(x, y, points);
    expect(distanceToHull(nearestX, nearestY, points)).toBeCloseTo(0, 12);
    const distance = Math.hypot(x - nearestX, y - nearestY);
    for (let corner = 0; corner < 8; corner++)
      expect(distance).toBeLessThanOrEqual(Math.hypot(x - points[2 * corner]!, y - points[2 * corner + 1]!) + 1e-12);
  }
});

test('a point inside an area is its own nearest point', () => {
  expect(nearestInHull(0.25, 0.5, [0, 0, 1, 0, 1, 1, 0, 1])).toEqual([0.25, 0.5]);
});

import { expect, test } from 'vitest';
import { curvePoint } from '../../../web/src/scene/marks/overlays.ts';

/** Lines of a path: both end points of each piece. */
const linesOf = (points: readonly number[][]) => points.slice(1).flatMap((point, k) => [...points[k]!, ...point]);

test('a trail passes through its points and turns gradually between them', () => {
  const points = Array.from({ length: 7 }, (_, k) => [Math.cos(k * 0.6), Math.sin(k * 0.6), 0.1 * k]);
  const blob = linesOf(points);
  const at = (t: number) => {
    const out = new Float32Array(3);
    curvePoint(blob, 0, 6, t, out, 0);
    return out;
  };
  for (const [k, point] of points.entries())
    for (const axis of [0, 1, 2]) expect(at(k)[axis]).toBeCloseTo(point[axis]!, 5);
  // halfway, the chord is 4.5 % inside of the circle; the curve is much closer
  const middle = at(2.5);
  expect(Math.hypot(middle[0]!, middle[1]!)).toBeGreaterThan(0.99);
});

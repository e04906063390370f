import { expect, test } from 'vitest';
import {
  basis,
  cameraAxes,
  eyeOf,
  fitDistance,
  fitPoints,
  lag,
  MAX_ELEVATION,
  metresPerPixel,
  nearest,
  type Orbit,
  orbitBy,
  panBy,
  snapAngles,
  wrap,
  zoomBy,
} from '../../../web/src/scene/camera.ts';

const FOV = Math.PI / 6;
const orbit = (): Orbit => ({ azimuth: 0.5, elevation: 0.2, distance: 3, target: [1, 2, 0.7] });
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, k) => sum + x * b[k]!, 0);

test('right, up and view axes are orthonormal, and up points to the sky', () => {
  const { right, up, toward } = basis(2.1, 0.4);
  for (const v of [right, up, toward]) expect(dot(v, v)).toBeCloseTo(1, 12);
  for (const product of [dot(right, up), dot(right, toward), dot(up, toward)]) expect(product).toBeCloseTo(0, 12);
  expect(up[2]).toBeGreaterThan(0);
});

test('from azimuth 0 the camera looks along −x with y to its right', () => {
  expect(eyeOf({ azimuth: 0, elevation: 0, distance: 2, target: [0, 0, 1] })).toEqual([2, 0, 1]);
  const [x, y, z] = cameraAxes(0, 0);
  expect([x?.toward, y?.right, z?.up]).toEqual([1, 1, 1]);
});

test('a drag never turns the camera upside down', () => {
  const o = orbit();
  orbitBy(o, 0, 10_000, 800);
  expect(o.elevation).toBe(MAX_ELEVATION);
  orbitBy(o, 800, 0, 800);
  expect(o.azimuth).toBeCloseTo(0.5 - Math.PI, 12); // half a turn over the whole height
});

test('panning moves the target in the image plane by the movement of the pointer', () => {
  const o = orbit();
  panBy(o, 100, 0, FOV, 800);
  const moved = [o.target[0] - 1, o.target[1] - 2, o.target[2] - 0.7];
  const { right } = basis(0.5, 0.2);
  expect(dot(moved, right)).toBeCloseTo(-100 * metresPerPixel(3, FOV, 800), 12);
  expect(Math.hypot(...moved)).toBeCloseTo(100 * metresPerPixel(3, FOV, 800), 12);
});

test('zoom stays within its limits', () => {
  const o = orbit();
  zoomBy(o, 1e-9);
  expect(o.distance).toBeGreaterThan(0.1);
  zoomBy(o, 1e9);
  expect(o.distance).toBeLessThan(200);
});

test('a fitted box fills its share of the height, or of the width if that is tighter', () => {
  const far = fitDistance(0.6, 1.3, FOV, 1.5, 0.7);
  expect(1.3 / (2 * far * Math.tan(FOV / 2))).toBeCloseTo(0.7, 12);
  expect(fitDistance(0.6, 1.3, FOV, 0.2, 0.7)).toBeGreaterThan(far);
});

test('snapping to an axis turns the short way; a second snap turns to the opposite side', () => {
  expect(snapAngles('x', 6, 0.3).azimuth).toBeCloseTo(2 * Math.PI, 12); // 2π, which is nearer to 6 than 0
  expect(wrap(snapAngles('x', 0, 0).azimuth - Math.PI)).toBeCloseTo(0, 12);
  expect(snapAngles('z', 1.2, 0)).toEqual({ azimuth: 1.2, elevation: MAX_ELEVATION });
  expect(nearest(0.1, 7)).toBeCloseTo(0.1 + 2 * Math.PI, 12);
});

test('smoothing covers 63 % of the distance in its time constant, whatever the steps', () => {
  expect(lag(0.3, 0.3)).toBeCloseTo(1 - 1 / Math.E, 12);
  const twice = 1 - (1 - lag(0.1, 0.3)) * (1 - lag(0.2, 0.3));
  expect(twice).toBeCloseTo(lag(0.3, 0.3), 12);
});

test('points fill their share of the image, exactly on the tightest side, with perspective', () => {
  const angles = { azimuth: 0.5, elevation: 0.4 };
  const { right, up, toward } = basis(angles.azimuth, angles.elevation);
  const seen = (points: readonly number[][], aspect: number) => {
    const { distance, target } = fitPoints(points, angles, { across: 0, high: 0, fov: FOV, aspect, share: 0.9 });
    const eye = eyeOf({ ...angles, distance, target });
    const slope = Math.tan(FOV / 2);
    return points.map((point) => {
      const from = point.map((x, k) => x - eye[k]!);
      const depth = -dot(from, toward);
      return [dot(from, right) / (depth * slope * aspect), dot(from, up) / (depth * slope)] as const;
    });
  };
  const scattered = [-3, 0, 4].flatMap((x) => [-1, 2].flatMap((y) => [0, 1.3].map((z) => [x, y, z])));
  for (const aspect of [0.5, 1, 2]) {
    const places = seen(scattered, aspect);
    const ends = [0, 1].map((axis) => [
      Math.min(...places.map((place) => place[axis]!)),
      Math.max(...places.map((place) => place[axis]!)),
    ]);
    // all points are within the share, and one axis touches it at both ends
    for (const [low, high] of ends) expect(Math.max(-low!, high!)).toBeLessThan(0.9 + 1e-9);
    expect(ends.some(([low, high]) => Math.abs(low! + 0.9) < 1e-9 && Math.abs(high! - 0.9) < 1e-9)).toBe(true);
  }
});

test('the focused point moves towards the middle of the picture, and no point leaves it', () => {
  const angles = { azimuth: 0, elevation: 0.4 };
  const { right, up, toward } = basis(angles.azimuth, angles.elevation);
  const crew = [-1.25, 1.25].flatMap((x) => [-1.25, 1.25].map((y) => [x, y, 0.7]));
  const framing = { across: 0.4, high: 0.8, fov: FOV, aspect: 1, share: 1 };
  const placesFor = (focus: number) => {
    const place = fitPoints(crew, angles, framing, focus);
    const eye = eyeOf({ ...angles, ...place });
    const slope = Math.tan(FOV / 2);
    return crew.map((point) => {
      const from = point.map((x, k) => x - eye[k]!);
      const depth = -dot(from, toward);
      return [dot(from, right) / (depth * slope), dot(from, up) / (depth * slope)] as const;
    });
  };
  const [, without] = placesFor(-1);
  const places = placesFor(1);
  expect(Math.abs(places[1]![0])).toBeLessThan(Math.abs(without![0]) - 0.05);
  for (const [x, y] of places) expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(1);
});

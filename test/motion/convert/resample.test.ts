import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromAxisAngle, toRotationVector } from '../../../src/core/math/quaternion.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import { resample, resampledFrames } from '../../../src/motion/convert/resample.ts';
import { clipVelocities } from '../../../src/motion/convert/velocities.ts';

/** A clip that moves along x at `speed` m/s, turns about `axis` at `rate` rad/s and moves its joint at 2 rad/s. */
function steady(
  frames: number,
  fps: number,
  speed: number,
  rate: number,
  axis: readonly number[] = [0, 0, 1],
): ClipRows {
  const rows = new Float64Array(frames * 8);
  for (let k = 0; k < frames; k += 1) {
    const t = k / fps;
    rows.set([speed * t, 0, 1, ...fromAxisAngle([0, 0, 0, 0], axis, rate * t), 2 * t], 8 * k);
  }
  return { fps, frames, rows };
}

test.each([
  [148, 30, 50, 245], // multiplying by the output rate would give 246
  [7840, 30, 50, 13065],
  [863, 120, 50, 360],
  [1, 30, 50, 1],
  [0, 30, 50, 0],
  [31, 30, 30, 30],
])('%i frames at %i per second give, at %i per second, %i frames', (frames, input, output, expected) => {
  expect(resampledFrames(frames, input, output)).toBe(expected);
});

test('a steady motion is the same at every frame rate', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 200 }),
      fc.constantFrom(24, 25, 30, 50, 60, 120),
      fc.constantFrom(24, 30, 50, 100),
      fc.double({ min: -3, max: 3, noNaN: true }),
      (frames, input, output, rate) => {
        const out = resample(steady(frames, input, 1.5, rate), output);
        const expected = steady(out.frames, output, 1.5, rate).rows;
        expect(out.rows.length).toBe(expected.length);
        for (let k = 0; k < expected.length; k += 1) expect(out.rows[k]).toBeCloseTo(expected[k]!, 6);
      },
    ),
    { numRuns: 60 },
  );
});

test('a quaternion that changes sign keeps its orientation', () => {
  const clip = steady(3, 10, 0, 0.4);
  for (let k = 11; k < 15; k += 1) clip.rows[k] = -clip.rows[k]!;
  const { rows } = resample(clip, 20);
  const half = toRotationVector([0, 0, 0], rows.subarray(8 + 3, 8 + 7));
  expect(half[2]).toBeCloseTo(0.02, 9);
});

test('velocities of a steady motion equal its speeds', () => {
  const axis = [0.6, 0, 0.8];
  const out = clipVelocities(steady(20, 50, 1.5, 0.7, axis));
  for (let frame = 0; frame < 20; frame += 1) {
    const row = [...out.subarray(7 * frame, 7 * frame + 7)];
    // A turn about a fixed axis has the same axis in the body's frame.
    for (const [k, value] of [1.5, 0, 0, 0.42, 0, 0.56, 2].entries()) expect(row[k]).toBeCloseTo(value, 9);
  }
});

test('the root’s angular velocity is given in its frame, not in the world', () => {
  const frames = 9;
  const rows = new Float64Array(frames * 8);
  const lying = fromAxisAngle([0, 0, 0, 0], [0, 1, 0], Math.PI / 2);
  for (let k = 0; k < frames; k += 1) {
    const turned = fromAxisAngle([0, 0, 0, 0], [0, 0, 1], 0.02 * k);
    const [w, x, y, z] = turned as [number, number, number, number];
    const [a, b, c, d] = lying as [number, number, number, number];
    rows.set([0, 0, 1, w * a - z * d, w * b - z * c, w * c + z * b, w * d + z * a, 0], 8 * k);
    expect(x + y).toBe(0);
  }
  const out = clipVelocities({ fps: 50, frames, rows });
  // World z is −x in the frame of the lying body.
  expect(out[7 * 4 + 3]).toBeCloseTo(-1, 9);
  expect(out[7 * 4 + 5]).toBeCloseTo(0, 9);
});

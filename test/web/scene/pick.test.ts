import { expect, test } from 'vitest';
import type { Frame } from '../../../src/protocol/frame.ts';
import { pickBody, sceneBounds } from '../../../web/src/scene/pick.ts';

const half = Math.SQRT1_2;

/** A frame of robots with two bodies each. @param poses one row of seven numbers per body */
function frame(n: number, poses: readonly (readonly number[])[]): Frame {
  const blob = Float32Array.from(poses.flat());
  return {
    header: {
      seq: 1,
      time: 0,
      n,
      nbody: 2,
      owner: 'robots',
      hud: { text: [] },
      model_version: 1,
      terrain_version: 1,
      focus: 0,
      poses: { offset: 0, count: blob.length },
      ghost: null,
      overlays: [],
    },
    blob,
  };
}
// body 0: a bar along x; body 1: no shapes
const boxes = Float32Array.of(
  -1,
  -0.1,
  -0.1,
  1,
  0.1,
  0.1,
  Infinity,
  Infinity,
  Infinity,
  -Infinity,
  -Infinity,
  -Infinity,
);
const still = [0, 0, 0, 1, 0, 0, 0];

test('a ray hits the nearest robot, with the orientation of its bodies', () => {
  const two = frame(2, [[0, 0, 0, half, 0, 0, half], still, [0, 5, 0, half, 0, 0, half], still]); // both 90° about z
  const hit = pickBody({ origin: [0, 10, 0], direction: [0, -1, 0] }, two, boxes);
  expect(hit).toMatchObject({ robot: 1, body: 0 });
  expect(hit?.point[1]).toBeCloseTo(6, 5); // the bar now reaches 1 m along y
  expect(pickBody({ origin: [0.5, 10, 0], direction: [0, -1, 0] }, two, boxes)).toBeNull();
});

test('the bounds of a scene include all rotated bodies; an empty scene has none', () => {
  const bounds = sceneBounds(frame(2, [[0, 0, 1, half, 0, 0, half], still, [3, 0, 1, 1, 0, 0, 0], still]), boxes);
  expect([...(bounds ?? [])].map((x) => Math.round(100 * x) / 100)).toEqual([-0.1, -1, 0.9, 4, 1, 1.1]);
  expect(sceneBounds(frame(0, []), boxes)).toBeNull();
});

import { expect, test } from 'vitest';
import type { Frame, FrameHeader } from '../../../src/protocol/frame.ts';
import { bodyErrors } from '../../../web/src/scene/marks/body-errors.ts';
import { focusedIn } from '../../../web/src/scene/marks/overlays.ts';

/** A frame of two robots with two bodies each, at the given points. */
function frame(poses: readonly number[][], ghosts: readonly number[][] | null, focus = 1): Frame {
  const rows = (points: readonly number[][]) => points.flatMap((point) => [...point, 1, 0, 0, 0]);
  const blob = Float32Array.from([...rows(poses), ...(ghosts === null ? [] : rows(ghosts))]);
  const header = {
    owner: 'play',
    n: 2,
    nbody: 2,
    focus,
    poses: { offset: 0, count: 28 },
    ghost: ghosts === null ? null : { offset: 28, count: 28, n: 2 },
  } as unknown as FrameHeader;
  return { header, blob };
}

const POSES = [
  [0, 0, 1],
  [0, 0, 1.5],
  [5, 0, 1],
  [5, 0.3, 1.5],
];

test('the error of a body is relative to its root, so it does not include drift of the whole robot', () => {
  const drifted = POSES.map(([x, y, z]) => [x! + 2, y! - 1, z!]);
  expect([...bodyErrors(frame(POSES, drifted), new Float32Array())]).toEqual([0, 0, 0, 0]);
  const bent = drifted.map((point, k) => (k === 3 ? [point[0]!, point[1]! - 0.3, point[2]! + 0.4] : point));
  const errors = bodyErrors(frame(POSES, bent), new Float32Array());
  expect([...errors].map((error) => Number(error.toFixed(5)))).toEqual([0, 0, 0, 0.5]);
});

test('without a reference no body has an error, also if it had one before', () => {
  expect([...bodyErrors(frame(POSES, null), Float32Array.of(1, 1, 1, 1))]).toEqual([0, 0, 0, 0]);
});

test('the focused robot of several is marked; a single robot, or one of another scene, is not', () => {
  expect(focusedIn(frame(POSES, null))).toEqual({ robot: 1, x: 5, y: 0, top: 1.5 });
  const { header, blob } = frame(POSES, null);
  expect(focusedIn({ blob, header: { ...header, n: 1, focus: 0 } })).toBeNull();
  expect(focusedIn({ blob, header: { ...header, owner: 'data' } })).toBeNull();
});

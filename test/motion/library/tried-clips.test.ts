import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { MotionNpz } from '../../../src/formats/motion-npz.ts';
import { formatMotionNpz } from '../../../src/formats/motion-npz-write.ts';
import { loadTriedClips } from '../../../src/motion/library/tried-clips.ts';

const FPS = 2;
const ROBOT = { joints: [{ name: 'hip' }], bodies: ['trunk'] };

/** A clip whose joint position is the number of the frame. */
function counting(frames: number): MotionNpz {
  const filled = (width: number) => new Float32Array(width * frames).fill(0.5);
  return {
    fps: FPS,
    frames,
    joints: 1,
    bodies: 1,
    jointPos: Float32Array.from({ length: frames }, (_, frame) => frame),
    jointVel: filled(1),
    bodyPosW: filled(3),
    bodyQuatW: filled(4),
    bodyLinVelW: filled(3),
    bodyAngVelW: filled(3),
    jointNames: ['hip'],
    robot: null,
    warnings: [],
  };
}

test('a trial loads at most 16 clips, and of each at most the middle five minutes', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tried-clips-'));
  const files = Array.from({ length: 40 }, (_, k) => {
    const file = path.join(folder, `${k}.npz`);
    writeFileSync(file, Buffer.concat(formatMotionNpz(counting(k === 0 ? 1000 : 10 + k), '{}')));
    return { name: `${k}`, path: file };
  });
  const { clips, jointPos } = await loadTriedClips(files, ROBOT);
  expect(clips).toHaveLength(16);
  expect(clips.slice(0, 3).map(({ name, frames }) => [name, frames])).toEqual([
    ['0', 300 * FPS],
    ['2', 12],
    ['5', 15],
  ]);
  expect([jointPos[0], jointPos[300 * FPS - 1]]).toEqual([200, 799]);
  const whole = await loadTriedClips(files.slice(1, 3), ROBOT);
  expect([...whole.jointPos]).toEqual([...counting(11).jointPos, ...counting(12).jointPos]);
  rmSync(folder, { recursive: true });
});

test('a clip that cannot be read is named', async () => {
  const files = [{ name: 'walk', path: path.join(os.tmpdir(), 'tried-clips-missing.npz') }];
  await expect(loadTriedClips(files, ROBOT)).rejects.toThrow('motion: walk: ENOENT');
});

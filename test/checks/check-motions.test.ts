import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkMotions } from '../../src/checks/check-motions.ts';
import type { MotionNpz } from '../../src/formats/motion-npz.ts';
import { formatMotionNpz } from '../../src/formats/motion-npz-write.ts';
import type { ClipRobot } from '../../src/motion/clip-robot.ts';
import { convertClip } from '../../src/motion/convert/convert-clip.ts';
import { builtinClip, cutClip, KIT_CLIPS, kitClip } from '../support/clips.ts';
import { firstFrames } from '../support/first-frames.ts';
import { hasKit } from '../support/kit.ts';
import { g1ClipRobot, humanoidClipRobot } from '../support/robots.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'check-motions-'));
const options = { outputFps: 50, debiasZ: false };
let humanoid: ClipRobot;
let walk: MotionNpz;

beforeAll(async () => {
  humanoid = await humanoidClipRobot();
  walk = convertClip(humanoid, builtinClip('walk_forward'), options).motion;
});
afterAll(() => rmSync(folder, { recursive: true }));

async function problemOf(motion: MotionNpz, robot = humanoid): Promise<string | null> {
  const file = path.join(folder, 'one.npz');
  writeFileSync(file, Buffer.concat(formatMotionNpz(motion, '{}')));
  return (await checkMotions(robot, [{ name: 'one', path: file }], 50, Number.POSITIVE_INFINITY)).problem;
}
const reversed = (values: Float32Array, width: number) =>
  Float32Array.from(values, (_, at) => values[at - (at % width) + width - 1 - (at % width)]!);

test('converted clips pass the check of motions', async () => {
  expect(await problemOf(walk)).toBeNull();
  for (const name of ['squat', 'arm_wave'] as const)
    expect(await problemOf(convertClip(humanoid, builtinClip(name), options).motion)).toBeNull();
  if (!hasKit) return;
  const g1 = await g1ClipRobot();
  for (const name of KIT_CLIPS)
    expect(await problemOf(convertClip(g1, cutClip(kitClip(name), 0, 120), options).motion, g1)).toBeNull();
}, 60_000);

test('motions with non-finite numbers in any array are refused', async () => {
  for (const key of ['jointPos', 'jointVel', 'bodyPosW', 'bodyQuatW', 'bodyLinVelW', 'bodyAngVelW'] as const) {
    const values = walk[key].slice();
    values[100] = Number.NaN;
    expect(await problemOf({ ...walk, [key]: values })).toMatch(/numbers that are not finite/);
  }
});

test('a motion of fewer than three frames is refused', async () => {
  expect(await problemOf(firstFrames(walk, 1))).toMatch(/^clip "one": it has 1 frame, but training needs at least 3/);
  expect(await problemOf(firstFrames(walk, 2))).toMatch(/^clip "one": it has 2 frames/);
  expect(await problemOf(firstFrames(walk, 3))).toBeNull();
});

test('motions whose joints match the bodies in no order are refused, such as angles in degrees', async () => {
  const degrees = { ...walk, jointPos: walk.jointPos.map((angle) => (angle * 180) / Math.PI) };
  expect(await problemOf(degrees)).toMatch(/^clip "one": the joint columns do not fit the bodies in any order/);
});

test('motions whose joint velocities do not match the joints are refused: another order, or never computed', async () => {
  const another = await problemOf({ ...walk, jointVel: reversed(walk.jointVel, walk.joints) });
  expect(another).toMatch(/^clip "one": joint_vel is in another order than the poses in the file/);
  expect(await problemOf({ ...walk, jointVel: new Float32Array(walk.jointVel.length) })).toMatch(/joint_vel differs/);
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { multiply } from '../../../src/core/math/quaternion.ts';
import { readMotionNpz } from '../../../src/formats/motion-npz.ts';
import { formatMotionNpz } from '../../../src/formats/motion-npz-write.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import type { ClipRows } from '../../../src/motion/clip-rows.ts';
import { type ConvertedClip, convertClip } from '../../../src/motion/convert/convert-clip.ts';
import { mirrorMap, mirrorRows } from '../../../src/motion/convert/mirror.ts';
import { humanoidClipRobot } from '../../support/robots.ts';

let robot: ClipRobot;
let clip: ClipRows;
let converted: ConvertedClip;
const OPTIONS = { outputFps: 50, debiasZ: false };

/** One second of swinging, turning and rising, with all joints moving. */
function swing(nq: number): ClipRows {
  const frames = 31;
  const rows = new Float64Array(frames * nq);
  for (let k = 0; k < frames; k += 1) {
    const t = k / 30;
    const at = k * nq;
    const yaw = 0.8 * t;
    rows.set([0.5 * t, 0.2 * Math.sin(3 * t), 1 + 0.1 * t, Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)], at);
    for (let j = 7; j < nq; j += 1) rows[at + j] = 0.2 * Math.sin(2 * t + 0.3 * j);
  }
  return { fps: 30, frames, rows };
}

beforeAll(async () => {
  robot = await humanoidClipRobot();
  clip = swing(robot.nq);
  converted = convertClip(robot, clip, OPTIONS);
});

test('velocities of the bodies are the differences of their poses', () => {
  const { bodies, frames, bodyPosW, bodyQuatW, bodyLinVelW, bodyAngVelW } = converted.motion;
  let fastest = 0;
  for (let frame = 2; frame < frames - 2; frame += 1) {
    for (let body = 0; body < bodies; body += 1) {
      const at = frame * bodies + body;
      const next = at + bodies;
      const before = at - bodies;
      for (let axis = 0; axis < 3; axis += 1) {
        const difference = (bodyPosW[3 * next + axis]! - bodyPosW[3 * before + axis]!) * 25;
        fastest = Math.max(fastest, Math.abs(difference));
        expect(Math.abs(bodyLinVelW[3 * at + axis]! - difference)).toBeLessThan(0.02);
      }
      const [w, x, y, z] = bodyQuatW.subarray(4 * before, 4 * before + 4) as unknown as [
        number,
        number,
        number,
        number,
      ];
      const turn = multiply([0, 0, 0, 0], bodyQuatW.subarray(4 * next, 4 * next + 4), [w, -x, -y, -z]);
      for (let axis = 0; axis < 3; axis += 1)
        expect(Math.abs(bodyAngVelW[3 * at + axis]! - 50 * turn[axis + 1]! * Math.sign(turn[0]!))).toBeLessThan(0.02);
    }
  }
  expect(fastest).toBeGreaterThan(0.5);
});

test('body 0 is the root: its pose and velocity are those of the clip', () => {
  const { bodies, frames, bodyPosW, bodyLinVelW } = converted.motion;
  expect(bodies).toBe(robot.facts.bodies.length);
  const middle = Math.floor(frames / 2);
  expect(bodyPosW[3 * bodies * middle]).toBeCloseTo(0.5 * (middle / 50), 6);
  expect(bodyLinVelW[3 * bodies * middle]).toBeCloseTo(0.5, 5);
});

test('the lowest sole is put on the floor on request', () => {
  const { motion, shiftZ } = convertClip(robot, clip, { ...OPTIONS, debiasZ: true });
  const feet = robot.facts.wiring.feet.map((name) => robot.facts.bodies.findIndex((body) => body.name === name));
  let lowest = Number.POSITIVE_INFINITY;
  for (let frame = 0; frame < motion.frames; frame += 1)
    for (const foot of feet)
      lowest = Math.min(lowest, motion.bodyPosW[3 * (frame * motion.bodies + foot) + 2]! - robot.facts.footSoleZ);
  expect(lowest).toBeCloseTo(0, 6);
  expect(motion.bodyPosW[2]! + shiftZ).toBeCloseTo(converted.motion.bodyPosW[2]!, 6);
});

describe('the mirror image', () => {
  test('the mirror image puts every body at the place of its twin, on the other side', () => {
    const image = convertClip(robot, mirrorRows(clip, mirrorMap(robot)), OPTIONS).motion;
    const names = robot.facts.bodies.map(({ name }) => name);
    const other = names.map((name) =>
      names.indexOf(name.includes('left') ? name.replace('left', 'right') : name.replace('right', 'left')),
    );
    expect(other.every((body) => body >= 0)).toBe(true);
    const { bodies, bodyPosW } = converted.motion;
    for (let frame = 0; frame < image.frames; frame += 7)
      for (let body = 0; body < bodies; body += 1) {
        const a = 3 * (frame * bodies + body);
        const b = 3 * (frame * bodies + other[body]!);
        expect(image.bodyPosW[a]).toBeCloseTo(bodyPosW[b]!, 5);
        expect(image.bodyPosW[a + 1]).toBeCloseTo(-bodyPosW[b + 1]!, 5);
        expect(image.bodyPosW[a + 2]).toBeCloseTo(bodyPosW[b + 2]!, 5);
      }
  });

  test('the mirror image of the mirror image is the original clip', () => {
    const map = mirrorMap(robot);
    const twice = mirrorRows(mirrorRows(clip, map), map).rows;
    for (let k = 0; k < twice.length; k += 1) expect(twice[k]).toBeCloseTo(clip.rows[k]!, 12);
  });
});

test('a clip with too few frames for velocities is refused, with both counts', () => {
  const short = { fps: 120, frames: 4, rows: clip.rows.slice(0, 4 * robot.nq) };
  expect(() => convertClip(robot, short, OPTIONS)).toThrow(
    /4 frames at 120 per second give 2 at 50 per second, expected at least 3/,
  );
});

describe('the npz file', () => {
  const bytes = () => Buffer.concat(formatMotionNpz(converted.motion, '{"version":1}'));

  test('the npz file reads back equal', async () => {
    const { warnings, ...back } = await readMotionNpz(bytes());
    expect(warnings).toEqual([]);
    expect(back).toMatchObject({ fps: 50, frames: 50, robot: 'humanoid' });
    expect(back.jointNames).toEqual(robot.facts.joints.map(({ name }) => name));
    expect(back.bodyAngVelW).toEqual(converted.motion.bodyAngVelW);
  });

  test('the npz file is byte-equal for equal clips', () => {
    const again = convertClip(robot, swing(robot.nq), OPTIONS).motion;
    expect(Buffer.concat(formatMotionNpz(again, '{"version":1}')).equals(bytes())).toBe(true);
  });

  test('the npz file is loaded by numpy without pickles', (context) => {
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'npz-')), 'clip.npz');
    writeFileSync(file, bytes());
    const program = `import json, numpy as np
z = np.load(${JSON.stringify(file)}, allow_pickle=False)
print(json.dumps({k: [list(z[k].shape), str(z[k].dtype)] for k in z.files}))
assert z['joint_names'].tolist()[0] == ${JSON.stringify(robot.facts.joints[0]!.name)} and str(z['robot']) == 'humanoid'
assert abs(float(z['body_pos_w'][0, 0, 2]) - 1) < 1e-6`;
    const { status, stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', program], { encoding: 'utf8' });
    if (status !== 0 && /No module named 'numpy'|ENOENT/.test(stderr ?? 'ENOENT'))
      context.skip('numpy is not installed');
    expect(stderr).toBe('');
    const n = robot.facts.bodies.length;
    const joints = robot.facts.joints.length;
    expect(JSON.parse(stdout)).toMatchObject({
      fps: [[1], 'float32'],
      joint_pos: [[50, joints], 'float32'],
      joint_vel: [[50, joints], 'float32'],
      body_pos_w: [[50, n, 3], 'float32'],
      body_quat_w: [[50, n, 4], 'float32'],
      body_lin_vel_w: [[50, n, 3], 'float32'],
      body_ang_vel_w: [[50, n, 3], 'float32'],
      robot: [[], '<U8'],
    });
  });
});

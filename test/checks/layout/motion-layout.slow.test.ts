import { beforeAll, describe, expect, test } from 'vitest';
import { checkSpeedRate } from '../../../src/checks/layout/frame-rate.ts';
import { checkMotionLayout } from '../../../src/checks/layout/motion-layout.ts';
import { bodyOrders, jointOrders } from '../../../src/checks/layout/orders.ts';
import type { MotionNpz } from '../../../src/formats/motion-npz.ts';
import type { ClipRobot } from '../../../src/motion/clip-robot.ts';
import { convertClip } from '../../../src/motion/convert/convert-clip.ts';
import { parseFix } from '../../../src/motion/fixes.ts';
import { builtinClip, cutClip, kitClip } from '../../support/clips.ts';
import { hasKit } from '../../support/kit.ts';
import { randomFrom } from '../../support/random.ts';
import { g1ClipRobot, humanoidClipRobot } from '../../support/robots.ts';

const cases: { name: string; robot: ClipRobot; motion: MotionNpz }[] = [];

beforeAll(async () => {
  const humanoid = await humanoidClipRobot();
  const options = { outputFps: 50, debiasZ: false };
  for (const clip of ['walk_forward', 'arm_wave', 'squat'] as const)
    cases.push({ name: clip, robot: humanoid, motion: convertClip(humanoid, builtinClip(clip), options).motion });
  if (!hasKit) return;
  const g1 = await g1ClipRobot();
  for (const clip of ['dance1_subject2', 'flip_360_009__A416', 'fallAndGetUp1_subject1'] as const)
    cases.push({ name: clip, robot: g1, motion: convertClip(g1, cutClip(kitClip(clip), 0, 300), options).motion });
}, 60_000);

/** The file with its bodies reordered: body `order[place]` comes at `place`. */
function withBodies(motion: MotionNpz, order: readonly number[]): MotionNpz {
  const permuted = (values: Float32Array, width: number) => {
    const out = new Float32Array(values.length);
    for (let frame = 0; frame < motion.frames; frame++)
      for (const [place, body] of order.entries()) {
        const from = (frame * motion.bodies + body) * width;
        out.set(values.subarray(from, from + width), (frame * motion.bodies + place) * width);
      }
    return out;
  };
  return {
    ...motion,
    bodyPosW: permuted(motion.bodyPosW, 3),
    bodyQuatW: permuted(motion.bodyQuatW, 4),
    bodyLinVelW: permuted(motion.bodyLinVelW, 3),
    bodyAngVelW: permuted(motion.bodyAngVelW, 3),
  };
}

function withJoints(motion: MotionNpz, order: readonly number[]): MotionNpz {
  const permuted = (values: Float32Array) => {
    const out = new Float32Array(values.length);
    for (let frame = 0; frame < motion.frames; frame++)
      for (const [column, joint] of order.entries())
        out[frame * motion.joints + column] = values[frame * motion.joints + joint]!;
    return out;
  };
  return { ...motion, jointPos: permuted(motion.jointPos), jointVel: permuted(motion.jointVel) };
}

function withXyzw(motion: MotionNpz): MotionNpz {
  const out = new Float32Array(motion.bodyQuatW.length);
  for (let at = 0; at < out.length; at += 4) {
    const [w, x, y, z] = motion.bodyQuatW.subarray(at, at + 4);
    out.set([x!, y!, z!, w!], at);
  }
  return { ...motion, bodyQuatW: out };
}

function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let k = count - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [order[k], order[other]] = [order[other]!, order[k]!];
  }
  return order;
}

/** Largest difference between the clip that the check reads from a file and the original, rad or m. */
function difference(robot: ClipRobot, found: MotionNpz, truth: MotionNpz): number {
  const read = checkMotionLayout(robot, found).clip;
  const wanted = checkMotionLayout(robot, truth).clip;
  return Math.max(...read.rows.map((value, index) => Math.abs(value - wanted.rows[index]!)));
}

test('a file written by the converter has no finding', () => {
  for (const { robot, motion, name } of cases)
    expect([name, checkMotionLayout(robot, motion).issues]).toEqual([name, []]);
});

describe('bodies', () => {
  test('bodies in every known order are found with certainty', () => {
    for (const { robot, motion, name } of cases)
      for (const known of bodyOrders(robot).slice(1)) {
        const file = withBodies(motion, known.order);
        const { issues } = checkMotionLayout(robot, file);
        expect([name, known.name, issues.map((issue) => issue.kind)]).toEqual([name, known.name, ['body_order']]);
        expect(issues[0]!.text).toContain(known.name.split(' ')[0]);
        expect(Number(/(\d+) % sure/.exec(issues[0]!.text)![1])).toBeGreaterThan(90);
        expect(difference(robot, file, motion)).toBeLessThan(1e-6);
      }
  });

  test('bodies in any order are found, wherever the root is', () => {
    const random = randomFrom(5);
    for (const { robot, motion, name } of cases) {
      const order = shuffled(robot.nbody, random);
      const file = withBodies(motion, order);
      const { issues } = checkMotionLayout(robot, file);
      expect([name, issues.map((issue) => issue.kind)]).toEqual([name, ['body_order']]);
      expect(parseFix(issues[0]!.fix!)).toEqual({ kind: 'reorder_bodies', root: order.indexOf(0) });
      expect(difference(robot, file, motion)).toBeLessThan(1e-6);
    }
  });

  test('bodies of another number cannot be compared, so they are recomputed', () => {
    const { robot, motion } = cases[0]!;
    const bodies = motion.bodies - 3;
    const few = { ...motion, bodies, bodyPosW: motion.bodyPosW.slice(0, motion.frames * bodies * 3) };
    const [issue] = checkMotionLayout(robot, few).issues;
    expect(issue).toMatchObject({ kind: 'body_order', severity: 'error', fix: 'reorder_bodies' });
  });
});

test('quaternions x y z w are found, whatever the order of bodies', () => {
  const random = randomFrom(11);
  for (const { robot, motion, name } of cases) {
    const alone = withXyzw(motion);
    expect([name, checkMotionLayout(robot, alone).issues.map(({ kind, fix }) => [kind, fix])]).toEqual([
      name,
      [['quaternion_order', 'swap_quaternion']],
    ]);
    const both = withXyzw(withBodies(motion, shuffled(robot.nbody, random)));
    expect(checkMotionLayout(robot, both).issues.map((issue) => issue.kind)).toEqual([
      'quaternion_order',
      'body_order',
    ]);
    for (const file of [alone, both]) expect(difference(robot, file, motion)).toBeLessThan(1e-6);
  }
});

test('velocities in another order than the poses are found and described', () => {
  const random = randomFrom(17);
  for (const { robot, motion, name } of cases) {
    const bodies = withBodies(motion, shuffled(robot.nbody, random));
    const joints = withJoints(motion, shuffled(motion.joints, random));
    for (const [array, kind, file] of [
      ['body_lin_vel_w', 'body_order', { ...motion, bodyLinVelW: bodies.bodyLinVelW }],
      ['body_ang_vel_w', 'body_order', { ...motion, bodyAngVelW: bodies.bodyAngVelW }],
      ['joint_vel', 'joint_order', { ...motion, jointVel: joints.jointVel }],
    ] as const) {
      const { issues } = checkMotionLayout(robot, file);
      expect([name, array, issues.map((issue) => [issue.kind, issue.severity, issue.fix])]).toEqual([
        name,
        array,
        [[kind, 'error', 'reorder_bodies']],
      ]);
      expect(issues[0]!.text).toContain(`${array} is in another order`);
      expect(difference(robot, file, motion)).toBe(0);
    }
  }
});

test('scaled, missing, smoothed, late or noisy velocities are not mistaken for another order', () => {
  const random = randomFrom(23);
  for (const { robot, motion, name } of cases) {
    const { joints, frames } = motion;
    const changed = (of: (velocity: Float32Array, width: number) => Float32Array) => ({
      ...motion,
      jointVel: of(motion.jointVel, joints),
      bodyLinVelW: of(motion.bodyLinVelW, 3 * motion.bodies),
      bodyAngVelW: of(motion.bodyAngVelW, 3 * motion.bodies),
    });
    /** @param weights of consecutive frames of a velocity @param first frame of the weights, relative to the output */
    const filtered = (weights: readonly number[], first: number) => (velocity: Float32Array, width: number) =>
      velocity.map((_, at) => {
        const frame = Math.floor(at / width);
        return weights.reduce((sum, weight, k) => {
          const of = Math.min(frames - 1, Math.max(0, frame + first + k));
          return sum + weight * velocity[of * width + (at % width)]!;
        }, 0);
      });
    const files = [0, 0.8, 0.5, 2].map((by) => changed((velocity) => velocity.map((value) => by * value)));
    files.push(
      changed(filtered(new Array<number>(9).fill(1 / 9), -4)),
      changed(filtered([1], 1)),
      changed(filtered([1], -2)),
    );
    // Half of the joints are held; every joint has sensor noise of its own size.
    const held = (values: Float32Array) => values.map((value, at) => ((at % joints) % 2 === 0 ? 0 : value));
    for (const noise of [0.003, 0.005, 0.01, 0.05]) {
      const by = Array.from({ length: joints }, () => 0.1 + 1.8 * random());
      const jointVel = held(motion.jointVel).map((value, at) => value + noise * by[at % joints]! * (2 * random() - 1));
      files.push({ ...motion, jointPos: held(motion.jointPos), jointVel });
    }
    for (const [k, file] of files.entries()) {
      const found = checkMotionLayout(robot, file).issues.filter(({ text }) =>
        text.includes('another order than the poses'),
      );
      expect([name, k, found]).toEqual([name, k, []]);
    }
  }
});

test('velocities left in the order of the robot are described with the joint names of the file', () => {
  for (const { robot, motion, name } of cases) {
    const known = jointOrders(robot)[1]!;
    const { issues } = checkMotionLayout(robot, { ...withJoints(motion, known.order), jointVel: motion.jointVel });
    const stray = issues.find(({ text }) => text.startsWith('joint_vel is in another order'))!;
    const [, should, is] = /velocity of (\S+) is at the place of (\S+)\. /.exec(stray.text)!;
    const index = (joint: string) => robot.facts.joints.findIndex((one) => one.name === joint);
    // The velocity of a joint is in the robot's column, where the file has another joint.
    expect([name, known.order[index(should!)]]).toEqual([name, index(is!)]);
    expect(stray.plot.channels).toEqual([`joint.${should}`]);
  }
});

describe('joints', () => {
  test('joints in known orders are found by the motion of the bodies', () => {
    for (const { robot, motion, name } of cases)
      for (const known of jointOrders(robot).slice(1)) {
        const file = withJoints(motion, known.order);
        // Joints that do not move are interchangeable.
        const { issues } = checkMotionLayout(robot, file);
        expect(difference(robot, file, motion), `${name} ${known.name}`).toBeLessThan(0.06);
        for (const issue of issues) expect([issue.kind, issue.fix !== null]).toEqual(['joint_order', true]);
      }
  });

  test('joints in any order, with any order of bodies, are found', () => {
    const random = randomFrom(3);
    for (const { robot, motion, name } of cases.filter(({ name: clip }) => clip !== 'squat' && clip !== 'arm_wave')) {
      const order = shuffled(motion.joints, random);
      const file = withBodies(withJoints(motion, order), shuffled(robot.nbody, random));
      const { issues } = checkMotionLayout(robot, file);
      expect([name, issues.map((issue) => issue.kind)]).toEqual([name, ['body_order', 'joint_order']]);
      expect(difference(robot, file, motion)).toBeLessThan(0.1);
    }
  });
});

test('a frame rate that contradicts the velocities is found', () => {
  for (const { motion, name } of cases)
    for (const fps of [25, 30, 60, 100]) {
      const [issue] = checkSpeedRate(fps, motion.frames, motion.jointPos, motion.jointVel);
      expect([name, fps, issue?.kind, issue?.fix]).toEqual([name, fps, 'frame_rate', 'input_fps:50']);
    }
  for (const { motion } of cases)
    expect(checkSpeedRate(50, motion.frames, motion.jointPos, motion.jointVel)).toEqual([]);
});

import { beforeAll, describe, expect, test } from 'vitest';
import type { EventTermConfig, TaskConfig } from '../../../src/mdp/task-config.ts';
import { baseTasks } from '../../../src/mdp/tasks/base-tasks.ts';
import type { MotionLibrary } from '../../../src/motion/library/motion-library.ts';
import type { PreparedRobot } from '../../../src/robots/prepared-robot.ts';
import { builtinClip } from '../../support/clips.ts';
import { preparedHumanoid } from '../../support/robots.ts';
import { environmentsOf, libraryOf } from '../../support/tracking.ts';

let robot: PreparedRobot;
let library: MotionLibrary;

beforeAll(async () => {
  robot = await preparedHumanoid();
  library = await libraryOf(robot, { squat: builtinClip('squat') });
});

const EVENT: EventTermConfig = { func: '', mode: 'interval', interval_range_s: null, params: {} };

/** Creates environments in which only the events are random. */
function make(events: TaskConfig['events'], n = 1, change: Partial<TaskConfig> = {}) {
  const { config } = baseTasks(robot.facts)[0]!;
  const { motion } = config.commands;
  return environmentsOf(robot, {
    library,
    n,
    config: {
      ...config,
      episode_length_s: 1e9,
      terminations: {},
      observations: {},
      events,
      commands: {
        motion: {
          ...motion,
          pose_range: {},
          velocity_range: {},
          joint_position_range: [0, 0],
          rsi: { ...motion.rsi, sampling_mode: 'start' },
        },
      },
      ...change,
    },
  });
}

describe('a push', () => {
  test('a push happens at its interval and adds a velocity within its limits, in world axes', async () => {
    const range = { x: [1, 2], y: [0, 0], z: [0, 0], roll: [0, 0], pitch: [0, 0], yaw: [3, 4] };
    const push = { ...EVENT, func: 'push_robot', interval_range_s: [0.1, 0.1] as const, params: range };
    const [pushed, calm] = [await make({ push }), await make({})];
    const actions = new Float32Array(pushed.actionDim);
    for (let step = 1; step <= 5; step++) {
      pushed.step(actions);
      calm.step(actions);
      const dx = pushed.state.bodyLinVelW[0]! - calm.state.bodyLinVelW[0]!;
      const dz = pushed.state.bodyAngVelW[2]! - calm.state.bodyAngVelW[2]!;
      if (step < 5) expect([dx, dz]).toEqual([0, 0]);
      else {
        expect(dx).toBeGreaterThanOrEqual(1);
        expect(dx).toBeLessThanOrEqual(2);
        expect(dz).toBeGreaterThanOrEqual(3);
        expect(dz).toBeLessThanOrEqual(4);
        expect(pushed.state.bodyLinVelW[1]).toBeCloseTo(calm.state.bodyLinVelW[1]!, 9);
      }
    }
    pushed.delete();
    calm.delete();
  });

  test('a push without an interval, or with an unknown name, is refused by name', async () => {
    await expect(make({ push: { ...EVENT, func: 'push_robot' } })).rejects.toThrow(/events\.push\.interval_range_s/);
    await expect(make({ push: { ...EVENT, func: 'push_robt' } })).rejects.toThrow(
      /events\.push: no event is named "push_robt"; did you mean "push_robot"/,
    );
  });
});

test('the friction of the feet is drawn once per robot and applied', async () => {
  const slippery = {
    friction: { ...EVENT, mode: 'startup' as const, func: 'foot_friction', params: { ranges: [0.001, 0.001] } },
  };
  const [ice, floor] = [await make(slippery), await make({})];
  const actions = new Float32Array(ice.actionDim);
  for (const envs of [ice, floor]) {
    for (let step = 0; step < 10; step++) envs.step(actions);
    envs.push(0, 0, 0.8);
    for (let step = 0; step < 10; step++) envs.step(actions);
  }
  const foot = 3 * robot.facts.bodies.findIndex(({ name }) => name === robot.facts.wiring.feet[0]);
  const moved = (envs: typeof ice) => Math.abs(envs.state.bodyPosW[foot + 1]! - envs.state.refBodyPosW[foot + 1]!);
  expect(moved(ice)).toBeGreaterThan(3 * moved(floor));
  ice.delete();
  floor.delete();
});

test('the centre of mass is shifted for each robot separately', async () => {
  const shifted = {
    com: { ...EVENT, mode: 'startup' as const, func: 'base_com', params: { x: [0.1, 0.1], y: [0, 0], z: [0, 0] } },
  };
  const [a, b] = [await make(shifted), await make({})];
  const actions = new Float32Array(a.actionDim);
  // With more weight in front, the robot tips forward, so the anchor's angular velocity about +y grows.
  for (let step = 0; step < 15; step++) {
    a.step(actions);
    b.step(actions);
  }
  expect(a.state.bodyAngVelW[1]! - b.state.bodyAngVelW[1]!).toBeGreaterThan(0.01);
  a.delete();
  b.delete();
});

test("an encoder that reads too high lowers the joint's target", async () => {
  const bias = {
    bias: { ...EVENT, mode: 'startup' as const, func: 'encoder_bias', params: { bias_range: [0.2, 0.2] } },
  };
  const [a, b] = [await make(bias), await make({})];
  const actions = new Float32Array(a.actionDim);
  a.step(actions);
  b.step(actions);
  for (let j = 0; j < a.actionDim; j++) expect(a.state.jointPos[j]! - b.state.jointPos[j]!).toBeLessThan(0);
  a.delete();
  b.delete();
});

test('a random wrench acts on its body until the next wrench, also together with assistance', async () => {
  const pull = {
    pull: {
      ...EVENT,
      func: 'pull_robot',
      interval_range_s: [0.02, 0.02] as const,
      params: { force_range: [200, 200], torque_range: [0, 0] },
    },
    help: { ...EVENT, mode: 'step' as const, func: 'assistive_wrench' },
  };
  const [a, b] = [await make(pull), await make({})];
  const actions = new Float32Array(a.actionDim);
  for (let step = 0; step < 3; step++) {
    a.step(actions);
    b.step(actions);
  }
  // The force is drawn after the first step, so it has acted for two steps: about F t / m, less what the feet absorb.
  const dv = a.state.bodyLinVelW[0]! - b.state.bodyLinVelW[0]!;
  expect(dv).toBeGreaterThan((0.3 * 200 * 0.04) / robot.facts.mass);
  a.delete();
  b.delete();
});

test('assistance grows with failures up to beta_max, and is absent without failures', async () => {
  const { config } = baseTasks(robot.facts)[0]!;
  const { motion } = config.commands;
  const change = {
    commands: { motion: { ...motion, pose_range: {}, velocity_range: {}, joint_position_range: [0, 0] as const } },
  };
  const assist = { assist: { ...EVENT, mode: 'step' as const, func: 'assistive_wrench' } };
  const envs = await make(assist, 1, change);
  const actions = new Float32Array(envs.actionDim);
  const gainAt = (level: number) => {
    envs.sampling.levels.fill(level);
    envs.step(actions);
    return envs.state.assistGain[0]!;
  };
  expect(gainAt(0.2)).toBe(0);
  expect(envs.state.assistForce.every((value) => value === 0)).toBe(true);
  expect(gainAt(0.6)).toBeCloseTo(1 - 0.4 / 0.8, 12);
  expect(gainAt(1)).toBe(0.6);
  // Expected by upstream's formula for the force along z: β (M a_z + kvp Δz + kvd Δv_z + 9.81).
  const { state } = envs;
  const anchor = robot.facts.bodies.findIndex(({ name }) => name === robot.facts.wiring.anchor);
  const p = 3 * anchor + 2;
  const { frames, bodies, bodyLinVelW } = library;
  const frame = state.frame[0]!;
  const at = (row: number) => bodyLinVelW[3 * (row * bodies + anchor) + 2]!;
  const [before, after] = [Math.max(0, frame - 1), Math.min(frames - 1, frame + 1)];
  const acceleration = ((at(after) - at(before)) / (after - before)) * library.fps;
  const mass = state.assistForce[2]! / 0.6 - 9.81;
  const rest = state.refBodyPosW[p]! - state.bodyPosW[p]! + 10 * (state.refBodyLinVelW[p]! - state.bodyLinVelW[p]!);
  expect((mass - rest) / acceleration).toBeGreaterThan(1);
  expect((mass - rest) / acceleration).toBeLessThan(robot.facts.mass);
  envs.delete();
});

test('with eta 0 only a bin without a success gets assistance, which is a number', async () => {
  const assist = { ...EVENT, mode: 'step' as const, func: 'assistive_wrench', params: { eta: 0 } };
  const { config } = baseTasks(robot.facts)[0]!;
  const envs = await make({ assist }, 1, { commands: config.commands });
  for (const [level, gain] of [
    [0.9, 0],
    [1, 0.6],
  ] as const) {
    envs.sampling.levels.fill(level);
    envs.step(new Float32Array(envs.actionDim));
    expect(envs.state.assistGain[0]).toBe(gain);
  }
  envs.step(new Float32Array(envs.actionDim));
  expect(envs.terminated[0]).toBe(0);
  envs.delete();
});

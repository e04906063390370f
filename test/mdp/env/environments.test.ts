import { beforeAll, describe, expect, test } from 'vitest';
import type { BatchedEnvironments } from '../../../src/mdp/env/batched-environments.ts';
import type { TaskConfig } from '../../../src/mdp/task-config.ts';
import { baseTasks } from '../../../src/mdp/tasks/base-tasks.ts';
import type { MotionLibrary } from '../../../src/motion/library/motion-library.ts';
import type { PreparedRobot } from '../../../src/robots/prepared-robot.ts';
import { builtinClip, cutClip } from '../../support/clips.ts';
import { randomFrom } from '../../support/random.ts';
import { preparedHumanoid } from '../../support/robots.ts';
import { environmentsOf, libraryOf } from '../../support/tracking.ts';

let robot: PreparedRobot;
let library: MotionLibrary;
let task: TaskConfig;

beforeAll(async () => {
  robot = await preparedHumanoid();
  library = await libraryOf(robot, {
    walk: cutClip(builtinClip('walk_forward'), 0, 240),
    squat: cutClip(builtinClip('squat'), 0, 60),
  });
  task = baseTasks(robot.facts)[0]!.config;
});

/** Returns the task without randomness. Episodes start at frame 0 of the first clip and are endless. */
function quiet(change: Partial<TaskConfig> = {}): TaskConfig {
  const { motion } = task.commands;
  return {
    ...task,
    episode_length_s: 1e9,
    events: {},
    observations: Object.fromEntries(
      Object.entries(task.observations).map(([name, group]) => [name, { ...group, enable_corruption: false }]),
    ),
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
  };
}

const make = (config: TaskConfig, n: number, more: object = {}) =>
  environmentsOf(robot, { config, library, n, ...more });

/** Returns all results of a step in one environment. */
function outcome(envs: BatchedEnvironments, env: number) {
  const row = (name: string) => {
    const { dim, values } = envs.observations.get(name)!;
    return Array.from(values.subarray(env * dim, (env + 1) * dim));
  };
  return {
    qpos: Array.from(envs.qpos(env)),
    clip: envs.state.clip[env],
    frame: envs.state.frame[env],
    reward: envs.rewards[env],
    cause: envs.cause[env],
    actor: row('actor'),
    critic: row('critic'),
  };
}

describe('a seed', () => {
  test('a seed gives the same bits, whichever threads simulate the environments', async () => {
    const total = 8;
    const steps = 60;
    const layouts = [
      [{ n: 8, firstEnv: 0, stride: 1 }],
      [
        { n: 4, firstEnv: 0, stride: 1 },
        { n: 4, firstEnv: 4, stride: 1 },
      ],
      [
        { n: 3, firstEnv: 0, stride: 3 },
        { n: 3, firstEnv: 1, stride: 3 },
        { n: 2, firstEnv: 2, stride: 3 },
      ],
    ];
    const ways: unknown[][] = [];
    for (const parts of layouts) {
      const way: unknown[] = new Array(total);
      for (const part of parts) {
        const envs = await make(task, part.n, { ...part, total, seed: 7 });
        const actions = new Float32Array(part.n * envs.actionDim);
        const seen = Array.from({ length: part.n }, () => [] as unknown[]);
        const streams = seen.map((_, k) => randomFrom(part.firstEnv + k * part.stride));
        for (let step = 0; step < steps; step++) {
          for (let k = 0; k < part.n; k++)
            for (let j = 0; j < envs.actionDim; j++) actions[k * envs.actionDim + j] = 2 * streams[k]!() - 1;
          envs.step(actions);
          for (let k = 0; k < part.n; k++) seen[k]!.push(outcome(envs, k));
        }
        for (const [k, list] of seen.entries()) way[part.firstEnv + k * part.stride] = list;
        envs.delete();
      }
      ways.push(way);
    }
    expect(ways[1]).toEqual(ways[0]);
    expect(ways[2]).toEqual(ways[0]);
    // Environments differ and some episodes have ended, so the comparison is meaningful.
    expect(ways[0]![0]).not.toEqual(ways[0]![1]);
    const all = ways[0]!.flat() as { cause: number }[];
    expect(all.some(({ cause }) => cause >= 0)).toBe(true);
  });

  test('another seed gives other results', async () => {
    const [a, b] = [await make(task, 1, { seed: 1 }), await make(task, 1, { seed: 2 })];
    expect(outcome(a, 0)).not.toEqual(outcome(b, 0));
    a.delete();
    b.delete();
  });
});

describe('an episode', () => {
  test('an episode starts exactly in the state of its reference, wherever the environment is placed', async () => {
    const envs = await make(quiet(), 4);
    for (let env = 0; env < 4; env++) {
      envs.pin(env, 0, 100);
      const { state } = envs;
      for (let j = 0; j < state.joints; j++) {
        expect(state.jointPos[env * state.joints + j]).toBe(library.jointPos[100 * state.joints + j]);
        expect(state.jointVel[env * state.joints + j]).toBe(library.jointVel[100 * state.joints + j]);
      }
      for (let k = 0; k < 3 * state.bodies; k++) {
        const at = 3 * env * state.bodies + k;
        expect(state.bodyPosW[at]).toBeCloseTo(state.refBodyPosW[at]!, 5);
        expect(state.bodyLinVelW[at]).toBeCloseTo(state.refBodyLinVelW[at]!, 2);
        expect(state.bodyAngVelW[at]).toBeCloseTo(state.refBodyAngVelW[at]!, 2);
      }
    }
    // The grid of 4 environments has rows of 2, spaced by 2 m.
    expect(Array.from(envs.state.envOrigin)).toEqual([1, -1, 0, 1, 1, 0, -1, -1, 0, -1, 1, 0]);
    envs.delete();
  });

  test('after a step from frame k, an episode is compared with frame k + 1', async () => {
    const envs = await make(quiet(), 1);
    envs.pin(0, 0, 10);
    expect(envs.state.frame[0]).toBe(10);
    envs.step(new Float32Array(envs.actionDim));
    expect(envs.state.frame[0]).toBe(11);
    expect(envs.state.refJointPos[0]).toBe(library.jointPos[11 * envs.actionDim]);
    expect(envs.state.episodeStep[0]).toBe(1);
    envs.delete();
  });

  test('a failed episode ends, reports its last state, and starts again', async () => {
    const envs = await make(quiet(), 2);
    const ends: { env: number; steps: number; error: number; cause: string }[] = [];
    envs.onEnd = (env) => {
      const { state } = envs;
      const p = 3 * env * state.bodies + 2;
      ends.push({
        env,
        steps: state.episodeStep[env]!,
        error: Math.abs(state.bodyPosW[p]! - state.refBodyPosW[p]!),
        cause: envs.terminationNames[envs.cause[env]!]!,
      });
    };
    const actions = new Float32Array(2 * envs.actionDim).fill(3);
    for (let step = 0; step < 200 && ends.length === 0; step++) envs.step(actions);
    const [end] = ends;
    expect(end!.steps).toBeGreaterThan(3);
    expect(['anchor_pos', 'anchor_ori', 'ee_body_pos', 'keybody_ground_contact_force']).toContain(end!.cause);
    expect(envs.terminated[end!.env]).toBe(1);
    expect(envs.timedOut[end!.env]).toBe(0);
    expect(envs.state.episodeStep[end!.env]).toBe(0);
    expect(envs.state.frame[end!.env]).toBe(0);
    expect(envs.state.actions[0]).toBe(0);
    envs.delete();
  });

  test('an episode of full length ends by a time-out, not by a failure', async () => {
    const envs = await make(quiet({ episode_length_s: 0.1, terminations: { time_out: timeOut } }), 1);
    const actions = new Float32Array(envs.actionDim);
    const out: number[] = [];
    for (let step = 0; step < 11; step++) {
      envs.step(actions);
      out.push(envs.timedOut[0]!);
    }
    expect(out).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    envs.delete();
  });

  test('without terminations an episode continues while the robot lies on the ground', async () => {
    const envs = await make(quiet(), 1);
    envs.terminations = false;
    const actions = new Float32Array(envs.actionDim).fill(2);
    let held = 0;
    for (let step = 0; step < 250; step++) {
      envs.step(actions);
      if (envs.cause[0]! >= 0) held++;
    }
    expect(held).toBeGreaterThan(50);
    expect(envs.terminated[0]).toBe(0);
    expect(envs.state.episodeStep[0]).toBe(250);
    expect(envs.qpos(0)[2]).toBeLessThan(0.5 * robot.facts.rootHeight);
    expect(envs.qpos(0)[2]).toBeGreaterThan(0);
    envs.delete();
  });

  test('an episode with a non-finite state ends without a reward, whatever the terminations are', async () => {
    const envs = await make(quiet(), 2);
    envs.terminations = false;
    const actions = new Float32Array(2 * envs.actionDim);
    actions[0] = Number.NaN;
    envs.step(actions);
    expect(envs.terminationNames[envs.cause[0]!]).toBe('nan_detection');
    expect([...envs.terminated]).toEqual([1, 0]);
    expect(envs.rewards[0]).toBe(0);
    expect(envs.rewards[1]).toBeGreaterThan(0);
    expect([...envs.rewardTerms.subarray(0, envs.rewardNames.length)].every((term) => term === 0)).toBe(true);
    expect(envs.state.episodeStep[0]).toBe(0);
    for (const { values } of envs.observations.values()) expect(values.every(Number.isFinite)).toBe(true);
    envs.delete();
  });
});

const timeOut = { func: 'time_out', time_out: true, params: {} };

test('a pinned clip loops from its frame, in its environment only', async () => {
  const envs = await make(quiet({ terminations: {} }), 2);
  const { frames } = library.clips[1]!;
  envs.pin(1, 1, frames - 4);
  const actions = new Float32Array(2 * envs.actionDim);
  const seen: number[] = [];
  const ends: number[] = [];
  for (let step = 0; step < 8; step++) {
    envs.step(actions);
    seen.push(envs.state.frame[1]! - frames);
    ends.push(envs.clipEnded[1]!);
    expect(envs.clipEnded[0]).toBe(0);
  }
  expect(ends).toEqual([0, 0, 1, 0, 0, 1, 0, 0]);
  // The robot is compared with the last frame during that step; then the clip restarts.
  expect(seen).toEqual([-3, -2, -4, -3, -2, -4, -3, -2]);
  expect([...envs.state.clip]).toEqual([0, 1]);
  expect(envs.state.episodeStep[1]).toBe(8);
  envs.pin(1, null, 0);
  expect([...envs.state.clip]).toEqual([0, 0]);
  expect(() => envs.pin(0, 2, 0)).toThrow(/clip: the library has 2 clips/);
  expect(() => envs.pin(0, 0, 1e6)).toThrow(/^frame: must be an integer from 0 to/);
  envs.delete();
});

test('a push changes the velocity of the root by the given amount', async () => {
  const envs = await make(quiet(), 2);
  const before = envs.state.bodyLinVelW.slice();
  envs.push(1, 1.5, -0.5);
  const root = 3 * envs.state.bodies;
  expect(envs.state.bodyLinVelW[root]! - before[root]!).toBeCloseTo(1.5, 9);
  expect(envs.state.bodyLinVelW[root + 1]! - before[root + 1]!).toBeCloseTo(-0.5, 9);
  expect(envs.state.bodyLinVelW[0]).toBe(before[0]);
  const x = envs.qpos(1)[0]!;
  envs.step(new Float32Array(2 * envs.actionDim));
  // 1.5 m/s for 1/50 s, in addition to the motion of the clip's start
  expect(envs.qpos(1)[0]! - x).toBeGreaterThan(0.02);
  envs.delete();
});

test('reward weights take effect at once, and a weight of 0 switches its term off', async () => {
  const envs = await make(quiet(), 1);
  const actions = new Float32Array(envs.actionDim);
  const at = envs.rewardNames.indexOf('survival');
  envs.step(actions);
  expect(envs.rewardTerms[at]).toBeCloseTo(0.02, 7);
  const sum = envs.rewardTerms.reduce((total, value) => total + value, 0);
  expect(envs.rewards[0]).toBeCloseTo(sum, 5);
  envs.rewardWeights[at] = 5;
  envs.step(actions);
  expect(envs.rewardTerms[at]).toBeCloseTo(0.1, 7);
  envs.rewardWeights[at] = 0;
  envs.step(actions);
  expect(envs.rewardTerms[at]).toBe(0);
  envs.delete();
});

test('inactive environments stay unchanged', async () => {
  const envs = await make(quiet(), 3);
  envs.active = 1;
  const before = Array.from(envs.qpos(2));
  const actions = new Float32Array(3 * envs.actionDim);
  for (let step = 0; step < 3; step++) envs.step(actions);
  expect(Array.from(envs.qpos(2))).toEqual(before);
  expect([...envs.state.episodeStep]).toEqual([3, 0, 0]);
  envs.delete();
});

test('a new layout changes only the positions of environments', async () => {
  const [a, b] = [await make(quiet(), 2), await make(quiet(), 2)];
  const actions = new Float32Array(2 * a.actionDim).fill(0.1);
  a.step(actions);
  b.step(actions);
  b.arrange(9);
  expect(Array.from(b.state.envOrigin.subarray(0, 3))).toEqual([2, -2, 0]);
  const [x] = b.qpos(0);
  expect(b.state.bodyPosW[0]).toBeCloseTo(x!, 12);
  for (let step = 0; step < 20; step++) {
    a.step(actions);
    b.step(actions);
  }
  expect(Array.from(b.qpos(1).subarray(2))).toEqual(Array.from(a.qpos(1).subarray(2)));
  a.delete();
  b.delete();
});

test('a task that does not fit the robot is refused by the name of the field', async () => {
  const { joint_pos } = task.actions;
  const wrong: [Partial<TaskConfig>, RegExp][] = [
    [
      { rewards: { one: { func: 'action_rat_l1', weight: 1, params: {} } } },
      /rewards\.one: no reward .*"action_rate_l1"/,
    ],
    [{ terminations: { fall: { ...timeOut, func: 'fell' } } }, /terminations\.fall: no termination is named "fell"/],
    [{ actions: { joint_pos: { ...joint_pos, scale: [1] } } }, /actions\.joint_pos\.scale: has 1 numbers/],
    [{ robot: { stiffness: [1, 2] } }, /robot\.stiffness: has 2 numbers/],
    [{ decimation: 5 }, /motion: the library has 50 frames per second, the task 40 control steps/],
    [
      { commands: { motion: { ...task.commands.motion, anchor_body: 'x' } } },
      /commands\.motion\.anchor_body: .* no body x/,
    ],
  ];
  for (const [change, message] of wrong) await expect(make({ ...task, ...change }, 1)).rejects.toThrow(message);
});

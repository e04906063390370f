import { beforeAll, describe, expect, test } from 'vitest';
import { toRpy } from '../../src/core/math/quaternion.ts';
import type { MotionLibrary } from '../../src/motion/library/motion-library.ts';
import { createRecordRing, keptRows, type RecordRing } from '../../src/play/record/record-ring.ts';
import { rowWidth } from '../../src/play/record/row-writer.ts';
import { playChannels, playColumns } from '../../src/plots/play-channels.ts';
import type { PreparedRobot } from '../../src/robots/prepared-robot.ts';
import { builtinClip, cutClip } from '../support/clips.ts';
import { planOf, type SmallSession, shardsOf } from '../support/play.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { libraryOf } from '../support/tracking.ts';

let robot: PreparedRobot;
let library: MotionLibrary;

beforeAll(async () => {
  robot = await preparedHumanoid();
  library = await libraryOf(robot, {
    walk: cutClip(builtinClip('walk_forward'), 0, 120),
    squat: cutClip(builtinClip('squat'), 0, 60),
  });
});

async function session(options: SmallSession = {}) {
  const plan = planOf(robot, library, options);
  const { memory, shards, group } = await shardsOf(robot, plan, options.threads);
  const { signals } = shards[0]!.shard.shape;
  const record = (env: number): RecordRing => {
    const ring = createRecordRing(rowWidth(signals), 3000, 0);
    group.apply({ kind: 'record', env, buffer: ring.buffer });
    return ring;
  };
  return { plan, memory, shards, group, record, columns: playColumns(signals), channels: playChannels(signals) };
}

describe('the record', () => {
  test("the record contains the state after each step, its reference, and the reference's clip and frame", async () => {
    const { shards, group, record, columns, channels } = await session({ numEnvs: 2, terminations: false });
    const { state, rewards, rewardTerms, rewardNames, observations } = shards[0]!.envs;
    const ring = record(1);
    const [J, B] = [state.joints, state.bodies];
    for (let step = 0; step < 40; step += 1) {
      await group.advance(1, step % 2);
      const at = step * ring.width;
      const row = (first: number, count: number) => [...ring.rows.subarray(at + first, at + first + count)];
      const singles = (values: ArrayLike<number>, from: number, count: number) =>
        Array.from({ length: count }, (_, k) => Math.fround(values[from + k]!));
      expect(row(columns.pos, 3)).toEqual(singles(state.bodyPosW, 3 * B, 3));
      expect(row(columns.rpy, 3)).toEqual(singles(toRpy([0, 0, 0], state.bodyQuatW.subarray(4 * B, 4 * B + 4)), 0, 3));
      expect(row(columns.rootVel, 3)).toEqual(singles(state.bodyLinVelW, 3 * B, 3));
      expect(row(columns.joint, J)).toEqual(singles(state.jointPos, J, J));
      expect(row(columns.torque, J)).toEqual(singles(state.torque, J, J));
      expect(row(columns.total, 1)).toEqual(singles(rewards, 1, 1));
      expect(row(columns.reward, rewardNames.length)).toEqual(
        singles(rewardTerms, rewardNames.length, rewardNames.length),
      );
      const group0 = observations.get('actor')!;
      expect(row(columns.obs, group0.dim)).toEqual(singles(group0.values, group0.dim, group0.dim));
      expect(row(columns.count + columns.joint, J)).toEqual(singles(state.refJointPos, J, J));
      expect(row(columns.count + columns.ref, 3)).toEqual([state.clip[1], state.frame[1], step + 1]);
    }
    // Each step advances the frame by one. The joints of the reference are those of the library at this frame.
    const meta = (step: number) => ring.rows.subarray(step * ring.width + columns.count + columns.ref);
    expect(meta(30)[1]! - meta(29)[1]!).toBe(1);
    const clip = library.clips[meta(30)[0]!]!;
    const knee = channels.findIndex(({ id }) => id === 'joint.left_knee_joint') - columns.joint;
    expect(ring.rows[30 * ring.width + columns.count + columns.joint + knee]).toBe(
      library.jointPos[(clip.first + meta(30)[1]!) * J + knee],
    );
  });

  test('the record names its columns: root, joints, torques with limits, actions, rewards, observations', async () => {
    const { channels, columns, shards } = await session();
    const { joints } = robot.facts;
    expect(channels).toHaveLength(columns.count);
    expect(new Set(channels.map(({ id }) => id)).size).toBe(columns.count);
    expect(channels.slice(0, 9).map(({ id }) => id)).toEqual([
      'root.pos.x',
      'root.pos.y',
      'root.pos.z',
      'root.rpy.roll',
      'root.rpy.pitch',
      'root.rpy.yaw',
      'root.vel.x',
      'root.vel.y',
      'root.vel.z',
    ]);
    const knee = channels.find(({ id }) => id === 'torque.left_knee_joint')!;
    const limit = joints.find(({ name }) => name === 'left_knee_joint')!.effortLimit!;
    expect(knee).toMatchObject({ group: 'torques', unit: 'Nm', lower: -limit, upper: limit });
    expect(knee.limit_note).toMatch(/effort limit/);
    expect(channels[columns.total]).toMatchObject({ id: 'reward.total', group: 'rewards', unit: 'reward' });
    expect(channels[columns.action]).toMatchObject({ id: `action.${joints[0]!.name}`, group: 'actions', unit: '' });
    expect(channels[columns.obs]).toMatchObject({
      id: `obs.${shards[0]!.shard.shape.signals.observations[0]!.term}[0]`,
      unit: 'raw',
    });
  });

  test('a row of the record states how an episode ended, and the next row starts the next episode', async () => {
    const { group, record, shards, columns, channels } = await session();
    const ring = record(0);
    const { shard } = shards[0]!;
    let ended: ReturnType<typeof shard.takeEvents> = [];
    for (let step = 0; step < 400 && ended.length === 0; step += 1) {
      await group.advance(1, 0);
      ended = shard.takeEvents();
    }
    // Zero action only holds the joints on the reference, so a walking robot falls.
    expect(ended).toMatchObject([{ env: 0, generation: 0, kind: 'failure', step: expect.any(Number) }]);
    expect(shards[0]!.shard.shape.terminations).toContain(ended[0]!.cause);
    await group.advance(1, 0);
    const stepOf = (row: number) => ring.rows[row * ring.width + columns.count + columns.ref + 2];
    expect(ended[0]!.row).toBe(keptRows(ring, null).end - 2);
    expect(stepOf(ended[0]!.row)).toBe(ended[0]!.step);
    expect(stepOf(ended[0]!.row + 1)).toBe(1);
    // The observations of each row belong to the state of the same row, also at the end of an episode.
    const firstOf = (id: string) => channels.findIndex((channel) => channel.id === id);
    for (let row = ended[0]!.row - 1; row <= ended[0]!.row + 1; row += 1)
      for (const [j, joint] of robot.facts.joints.entries()) {
        const at = row * ring.width;
        const observed = ring.rows[at + firstOf('obs.joint_pos[0]') + j]!;
        expect(observed).toBeCloseTo(ring.rows[at + columns.joint + j]! - joint.default, 5);
      }
  });
});

describe('a session', () => {
  test('a session gives the same bits with one thread and with three', async () => {
    const outcome = async (threads: number) => {
      const { group, record, memory } = await session({ numEnvs: 7, capacity: 8, threads, seed: 5 });
      const rings = [0, 3, 6].map(record);
      await group.advance(60, 1);
      const rows = rings.map((ring) => [...ring.rows.subarray(0, 60 * ring.width)]);
      return { rows, poses: [...memory.pictures[1].poses], targets: [...memory.pictures[1].targets] };
    };
    const one = await outcome(1);
    expect(one.rows[0]!.some((value) => value !== 0)).toBe(true);
    expect(await outcome(3)).toEqual(one);
  });

  test('without terminations a robot that fell stays on the ground', async () => {
    const { group, memory } = await session({ terminations: false });
    group.apply({ kind: 'pin', env: 0, clip: 0, frame: 0 });
    await group.advance(500, 0);
    expect(memory.pictures[0].poses[2]).toBeLessThan(0.5);
  });

  test('a push changes the velocity of the root by the given amount, for one robot or for all', async () => {
    const { group, record, columns, shards } = await session({ numEnvs: 2, terminations: false });
    const { state } = shards[0]!.envs;
    const ring = record(1);
    await group.advance(5, 0);
    const before = [...state.bodyLinVelW.subarray(0, 3)];
    const other = [...state.bodyLinVelW.subarray(3 * state.bodies, 3 * state.bodies + 3)];
    group.apply({ kind: 'push', env: 1, pushes: [{ x: 0, y: 1.5 }] });
    await group.advance(0, 0);
    const events = shards[0]!.shard.takeEvents();
    expect(events).toMatchObject([{ env: 1, row: 4, kind: 'push', text: '1.50 m/s' }]);
    await group.advance(1, 0);
    expect(Math.abs(state.bodyLinVelW[1]! - before[1]!)).toBeLessThan(0.5);
    expect(state.bodyLinVelW[3 * state.bodies + 1]! - other[1]!).toBeGreaterThan(1);
    expect(
      ring.rows[5 * ring.width + columns.rootVel + 1]! - ring.rows[4 * ring.width + columns.rootVel + 1]!,
    ).toBeGreaterThan(1);
  });

  test('a pinned clip starts at its frame and loops', async () => {
    const { group, shards } = await session({ numEnvs: 1, terminations: false });
    const { state } = shards[0]!.envs;
    const { frames } = library.clips[1]!;
    group.apply({ kind: 'pin', env: 0, clip: 1, frame: frames - 5 });
    await group.advance(0, 0);
    expect([state.clip[0], state.frame[0]]).toEqual([1, frames - 5]);
    const seen: number[] = [];
    for (let step = 0; step < frames + 10; step += 1) {
      await group.advance(1, 0);
      expect(state.clip[0]).toBe(1);
      seen.push(state.frame[0]!);
    }
    // The clip's last frame and the frame at which it restarts share one step.
    expect(seen.slice(0, 5)).toEqual([frames - 4, frames - 3, frames - 2, frames - 5, frames - 4]);
  });

  test('a restart of a session restarts all environments with records of a new generation', async () => {
    const { group, record, shards } = await session({ numEnvs: 3 });
    const ring = record(2);
    await group.advance(10, 0);
    group.apply({ kind: 'restart', generation: 4 });
    expect(keptRows(ring, null)).toEqual({ generation: 4, start: 0, end: 0 });
    await group.advance(3, 0);
    expect(keptRows(ring, null)).toEqual({ generation: 4, start: 0, end: 3 });
    expect([...shards[0]!.envs.state.episodeStep]).toEqual([3, 3, 3]);
  });

  test('a session changes its number of environments; new ones start a new episode', async () => {
    const { group, shards, record } = await session({ numEnvs: 2, capacity: 8, threads: 2, terminations: false });
    const active = () => shards.map(({ envs }) => envs.active);
    expect(active()).toEqual([1, 1]);
    const ring = record(4);
    await group.advance(5, 0);
    expect(keptRows(ring, null).end).toBe(0);
    group.apply({ kind: 'num-envs', numEnvs: 5 });
    expect(active()).toEqual([3, 2]);
    await group.advance(5, 0);
    expect(keptRows(ring, null).end).toBe(5);
    expect(shards[0]!.envs.state.episodeStep.slice(0, 3)).toEqual(Int32Array.of(10, 5, 5));
  });

  test('an environment that was removed and added again has lost its pin', async () => {
    const { group, shards } = await session({ numEnvs: 2, terminations: false });
    const { state } = shards[0]!.envs;
    const { frames } = library.clips[1]!;
    group.apply({ kind: 'pin', env: 1, clip: 1, frame: frames - 5 });
    for (const numEnvs of [1, 2]) group.apply({ kind: 'num-envs', numEnvs });
    const starts = Array.from({ length: 10 }, () => {
      group.apply({ kind: 'restart', generation: 1 });
      return `${state.clip[1]} ${state.frame[1]}`;
    });
    expect(new Set(starts).size).toBeGreaterThan(1);
  });

  test('a session uses new reward weights from the next step on', async () => {
    const { group, shards, record, columns } = await session({ terminations: false });
    const { rewards: names } = shards[0]!.shard.shape.signals;
    const ring = record(0);
    await group.advance(1, 0);
    group.apply({
      kind: 'rewards',
      weights: Object.fromEntries(names.map((name) => [name, name === 'survival' ? 3 : 0])),
    });
    await group.advance(1, 0);
    const survival = columns.reward + names.indexOf('survival');
    expect(ring.rows[ring.width + survival]).toBeCloseTo(3 * 0.02, 6);
    expect(ring.rows[ring.width + columns.total]).toBeCloseTo(3 * 0.02, 6);
  });

  test('a session refuses a policy of other dimensions by name', async () => {
    const { group } = await session();
    const layer = { inputs: 3, outputs: 2, weight: new Float32Array(6), bias: new Float32Array(2) };
    const policy = { normalizer: null, layers: [layer], activation: 'elu' as const };
    expect(() => group.apply({ kind: 'policy', policy })).toThrow(/checkpoint: the policy expects 3 observations/);
  });
});

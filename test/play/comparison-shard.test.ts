import { beforeAll, describe, expect, test } from 'vitest';
import type { Environments } from '../../src/mdp/environments.ts';
import { meanErrors } from '../../src/mdp/step-errors.ts';
import type { MotionLibrary } from '../../src/motion/library/motion-library.ts';
import { ComparisonShard } from '../../src/play/comparison-shard.ts';
import type { ComparePlan, PlayPlan } from '../../src/play/plan.ts';
import { HISTORY_S } from '../../src/play/plan.ts';
import { COMPARED, COMPARED_VALUES, createPlayMemory, playSizes } from '../../src/play/play-memory.ts';
import { createRecordRing, type RecordRing } from '../../src/play/record/record-ring.ts';
import { rowWidth } from '../../src/play/record/row-writer.ts';
import { playColumns } from '../../src/plots/play-channels.ts';
import type { PolicyWeights } from '../../src/policy/policy.ts';
import type { PreparedRobot } from '../../src/robots/prepared-robot.ts';
import { builtinClip, cutClip } from '../support/clips.ts';
import { planOf } from '../support/play.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { environmentsOf, libraryOf } from '../support/tracking.ts';

let robot: PreparedRobot;
let library: MotionLibrary;
/** frames of the source; 74 at 50 Hz. Zero action falls at frame 84. */
const SOURCE_FRAMES = 45;
let frames: number;

beforeAll(async () => {
  robot = await preparedHumanoid();
  library = await libraryOf(robot, {
    squat: cutClip(builtinClip('squat'), 0, SOURCE_FRAMES),
    walk: cutClip(builtinClip('walk_forward'), 0, 120),
  });
  frames = library.clips[0]!.frames;
});

/** A policy that gives the same action always: the larger, the sooner the robot falls. */
function constant(observed: number, action: number): PolicyWeights {
  const joints = robot.facts.joints.length;
  const layer = {
    inputs: observed,
    outputs: joints,
    weight: new Float32Array(joints * observed),
    bias: new Float32Array(joints).fill(action),
  };
  return { normalizer: null, layers: [layer], activation: 'elu' };
}

interface Comparison {
  readonly actions: readonly (number | null)[];
  readonly layout?: ComparePlan['layout'];
  readonly clip?: number;
  readonly frame?: number;
  readonly seed?: number;
  readonly config?: (config: PlayPlan['config']) => PlayPlan['config'];
}

async function comparison({
  actions,
  layout = 'overlay',
  clip = 0,
  frame = 0,
  seed = 1,
  config = (same) => same,
}: Comparison) {
  const base = planOf(robot, library, { numEnvs: actions.length, seed, config });
  const each: Environments[] = [];
  for (const _ of actions) each.push(await environmentsOf(robot, { config: base.config, library, n: 1, seed }));
  const observed = each[0]!.observations.get('actor')!.dim;
  const policies = actions.map((action) => ({
    config: base.config,
    policy: action === null ? null : constant(observed, action),
  }));
  const compare: ComparePlan = { policies, layout, spacing: 1.5, clip, frame };
  const plan: PlayPlan = { ...base, compare };
  const memory = createPlayMemory(playSizes(plan));
  const shard = new ComparisonShard(plan, compare, each, memory, HISTORY_S);
  const rings = actions.map((_, env): RecordRing => {
    const ring = createRecordRing(rowWidth(shard.shapes[env]!.signals), 3000, 0);
    shard.apply({ kind: 'record', env, buffer: ring.buffer });
    return ring;
  });
  const value = (env: number, name: keyof typeof COMPARED) =>
    memory.comparison[env * COMPARED_VALUES + COMPARED[name]]!;
  const rows = (env: number, count: number) => [...rings[env]!.rows.subarray(0, count * rings[env]!.width)];
  return { shard, each, memory, rings, value, rows, columns: playColumns(shard.shapes[0]!.signals) };
}

describe('entries in lock step', () => {
  test('two equal entries give equal bits over falls, restarts, pushes and start noise', async () => {
    const noisy = (config: PlayPlan['config']): PlayPlan['config'] => {
      const { motion } = config.commands;
      return { ...config, commands: { ...config.commands, motion: { ...motion, joint_position_range: [-0.1, 0.1] } } };
    };
    const { shard, value, rows, rings, memory } = await comparison({ actions: [0.3, 0.3], config: noisy });
    for (let step = 0; step < 400; step += 1) {
      if (step === 120 || step === 250)
        shard.apply({
          kind: 'push',
          env: null,
          pushes: [
            { x: 0.5, y: 0.2 },
            { x: 0.5, y: 0.2 },
          ],
        });
      if (step === 300) shard.apply({ kind: 'pin', env: 0, clip: 1, frame: 7 });
      shard.advance(1, step % 2);
      if (step === 299) expect(value(0, 'falls')).toBeGreaterThan(1);
    }
    expect(rows(1, 400)).toEqual(rows(0, 400));
    const half = memory.comparison.length / 2;
    expect([...memory.comparison.subarray(half)]).toEqual([...memory.comparison.subarray(0, half)]);
    const { poses } = memory.pictures[1];
    expect([...poses.subarray(7 * memory.nbody)]).toEqual([...poses.subarray(0, 7 * memory.nbody)]);
    // Each episode starts with other noise.
    const { width } = rings[0]!;
    const firsts = [...Array(400).keys()].filter((row) => rings[0]!.rows[(row + 1) * width - 1] === 1);
    expect(firsts.length).toBeGreaterThan(2);
    const start = (row: number) => [...rings[0]!.rows.subarray(row * width, row * width + 60)];
    expect(start(firsts[1]!)).not.toEqual(start(firsts[0]!));
  });

  test('the same seed gives the same bits again', async () => {
    const outcome = async (seed: number) => {
      const { shard, rows } = await comparison({
        actions: [0.3, null, 0.1],
        seed,
        config: (config) => ({
          ...config,
          commands: { motion: { ...config.commands.motion, joint_position_range: [-0.05, 0.05] } },
        }),
      });
      shard.advance(150, 0);
      return [rows(0, 150), rows(1, 150), rows(2, 150)];
    };
    const first = await outcome(4);
    expect(await outcome(4)).toEqual(first);
    expect(await outcome(5)).not.toEqual(first);
  });

  test('all entries see the same frame of the same clip in every row', async () => {
    const { shard, rings, columns } = await comparison({ actions: [0.6, null, 0], frame: 20 });
    shard.advance(300, 0);
    const meta = (env: number, row: number) => {
      const { width, rows } = rings[env]!;
      const at = row * width + columns.count + columns.ref;
      return [...rows.subarray(at, at + 3)];
    };
    expect(meta(0, 0)).toEqual([0, 21, 1]);
    for (let row = 0; row < 300; row += 1) {
      expect(meta(1, row)).toEqual(meta(0, row));
      expect(meta(2, row)).toEqual(meta(0, row));
    }
  });
});

describe('a fallen entry', () => {
  test('a fallen entry stays down until the clip ends, then all entries restart together', async () => {
    const { shard, value, each } = await comparison({ actions: [0.9, 0] });
    let fell = -1;
    for (let step = 0; step < frames - 2; step += 1) {
      shard.advance(1, 0);
      if (fell < 0 && value(0, 'down') === 1) fell = step;
    }
    expect(fell).toBeGreaterThan(0);
    expect(fell).toBeLessThan(frames - 20);
    expect([value(0, 'falls'), value(1, 'falls'), value(0, 'down'), value(1, 'down')]).toEqual([1, 0, 1, 0]);
    expect(each[0]!.state.bodyPosW[2]!).toBeLessThan(each[1]!.state.bodyPosW[2]! - 0.2);
    expect([value(0, 'episodes'), value(1, 'episodes')]).toEqual([0, 0]);
    shard.advance(1, 0);
    expect([value(0, 'episodes'), value(1, 'episodes')]).toEqual([1, 1]);
    expect([value(0, 'down'), value(1, 'down'), value(0, 'falls')]).toEqual([0, 0, 1]);
    expect(each.map(({ state }) => [state.frame[0], state.episodeStep[0]])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(each[0]!.state.bodyPosW[2]).toBe(each[1]!.state.bodyPosW[2]);
  });

  test('all entries restart at once when the last one has fallen', async () => {
    const { shard, value, each } = await comparison({ actions: [0.9, 0.7] });
    let steps = 0;
    while (value(0, 'episodes') === 0 && steps < frames) {
      shard.advance(1, 0);
      steps += 1;
    }
    expect(steps).toBeLessThan(frames - 1);
    expect([value(0, 'falls'), value(1, 'falls')]).toEqual([1, 1]);
    expect(each.map(({ state }) => state.episodeStep[0])).toEqual([0, 0]);
  });

  test('a fall is an event of its environment, with the cause', async () => {
    const { shard } = await comparison({ actions: [0.9, 0] });
    shard.advance(frames - 2, 0);
    const events = shard.takeEvents();
    expect(events).toMatchObject([{ env: 0, kind: 'failure', clip: 'squat' }]);
    expect(shard.shapes[0]!.terminations).toContain(events[0]!.cause);
  });

  test('a fallen entry adds no errors', async () => {
    const { shard, value, memory } = await comparison({ actions: [0.9, 0] });
    while (value(0, 'down') === 0) shard.advance(1, 0);
    const up = value(0, 'steps');
    expect(up).toBeGreaterThan(0);
    shard.advance(5, 0);
    expect(value(0, 'steps')).toBe(up);
    expect(value(1, 'steps')).toBe(up + 6);
    const sums = memory.comparison.subarray(COMPARED.errors, COMPARED_VALUES);
    const errors = meanErrors(sums, up);
    expect(errors.body_pos).toBeGreaterThan(0.01);
    expect(errors.body_pos).toBeLessThan(1);
  });
});

describe('the picture', () => {
  test('the scene shows the robots in one place, or side by side at the given spacing', async () => {
    const { shard, memory } = await comparison({ actions: [0, 0, 0], layout: 'overlay' });
    shard.advance(3, 0);
    const y = (env: number) => memory.pictures[0].poses[env * memory.nbody * 7 + 1]!;
    expect([y(1), y(2)]).toEqual([y(0), y(0)]);
    const one = y(0);
    shard.apply({ kind: 'layout', layout: 'beside' });
    shard.advance(0, 0);
    expect(y(0) - one).toBeCloseTo(1.5, 6);
    expect(y(1)).toBe(one);
    expect(y(2) - one).toBeCloseTo(-1.5, 6);
  });
});

describe('a comparison', () => {
  test('the table of a comparison starts again when another clip is chosen', async () => {
    const { shard, value } = await comparison({ actions: [0.9, 0] });
    shard.advance(frames, 0);
    expect(value(0, 'falls')).toBeGreaterThan(0);
    shard.apply({ kind: 'pin', env: 0, clip: 1, frame: 3 });
    shard.advance(0, 0);
    expect([value(0, 'falls'), value(0, 'episodes'), value(0, 'steps')]).toEqual([0, 0, 0]);
  });
});

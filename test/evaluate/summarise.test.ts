import { expect, test } from 'vitest';
import type { EpisodeResult } from '../../src/evaluate/episode-result.ts';
import { planEpisodes, planUnits } from '../../src/evaluate/episodes.ts';
import { FollowMeter, followingOf } from '../../src/evaluate/follow-meter.ts';
import { gateResults } from '../../src/evaluate/gate.ts';
import { addLoads, marginsOf, metricsOf, robustnessOf, rowOf } from '../../src/evaluate/summarise.ts';
import { createState } from '../../src/mdp/env/state-arrays.ts';
import type { RobotFacts } from '../../src/robots/robot-facts.ts';

const episode = (changes: Partial<EpisodeResult> = {}): EpisodeResult => ({
  clip: 0,
  start: 0,
  possible: 100,
  steps: 100,
  failure: null,
  body_pos: 0,
  body_pos_local: 0,
  body_rot: 0,
  joint_pos: 0,
  joint_vel: 0,
  anchor_pos: 0,
  anchor_rot: 0,
  action: 0,
  action_steps: 99,
  jerk: 0,
  jerk_steps: 98,
  ...changes,
});
const failure = (frame: number) => ({ frame, term: 'anchor_pos', subject: 'torso', value: 0.6, limit: 0.5, unit: 'm' });
const NAMES = { checkpoint: 'model_1.pt', condition: 'nominal', clip: 'walk' };

test('times and shares are means over all episodes, errors over all their steps', () => {
  const metrics = metricsOf(
    [
      episode({ body_pos: 10, joint_pos: 4 * 100 }),
      episode({ possible: 200, steps: 50, failure: failure(51), body_pos: 20, joint_pos: 9 * 50 }),
    ],
    50,
  );
  expect(metrics).toMatchObject({ episodes: 2, success: 0.5, tracked_s: 1.5, tracked_share: 0.5 });
  expect(metrics.errors.body_pos).toBeCloseTo(30 / 150, 12);
  expect(metrics.errors.joint_pos).toBeCloseTo(Math.sqrt((400 + 450) / 150), 12);
});

test('episodes that fail in their first step have finite metrics', () => {
  const metrics = metricsOf([episode({ steps: 0, action_steps: 0, jerk_steps: 0, failure: failure(1) })], 50);
  expect(metrics).toMatchObject({ success: 0, tracked_s: 0, tracked_share: 0, action_rate: 0, jerk: 0 });
  expect(Object.values(metrics.errors)).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test('the worst episode has the smallest tracked share or, if equal, the largest error', () => {
  const late = episode({ start: 10, steps: 80, failure: failure(91) });
  const early = episode({ start: 50, steps: 20, possible: 50, failure: failure(71) });
  expect(rowOf(NAMES, [episode(), late, early], 50).worst).toEqual({
    start: 50,
    failed: 71,
    term: 'anchor_pos',
    subject: 'torso',
    value: 0.6,
    limit: 0.5,
    unit: 'm',
  });
  const poor = episode({ start: 7, body_pos_local: 5 });
  expect(rowOf(NAMES, [episode(), poor, episode({ start: 9 })], 50).worst).toMatchObject({ start: 7, failed: null });
});

test('margins are shares of the limits, with the correlation of joint and reference; loads of parallel units add up', () => {
  const facts = {
    joints: [
      { name: 'knee', velocityLimit: 20, continuousTorque: 30 },
      { name: 'wrist', velocityLimit: null },
    ],
  } as unknown as RobotFacts;
  // The knee moves against its reference, whose mean is 1 and whose spread is 0.5 rad. The reference of the wrist does
  // not move.
  const moments = {
    ...{ joint: [0, 0], reference: [50, 50] },
    ...{ joint_squares: [50 * 0.25, 50], reference_squares: [50 * 1.25, 50], cross: [50 * -0.25, 0, 0, 0] },
  };
  const loads = (torque: number, saturated: number) => ({
    steps: 50,
    torque_peak: [torque, 0],
    torque_squares: [50 * torque * torque, 0],
    saturated: [saturated, 0],
    speed_peak: [10 * torque, 3],
    power_peak: [100 * torque, 1],
    heat_squares: [50 * (60 * torque) ** 2, 0],
    moments,
  });
  const [knee, wrist] = marginsOf(NAMES, addLoads(loads(0.5, 0), loads(1, 20)), facts, 20);
  expect(knee).toMatchObject({ joint: 'knee', torque_peak: 1, saturated: 0.2, speed_peak: 0.5, power_peak: 100 });
  expect(knee!.torque_rms).toBeCloseTo(Math.sqrt((0.25 + 1) / 2), 12);
  expect(knee!.heat).toBeCloseTo((60 * Math.sqrt((0.25 + 1) / 2)) / 30, 12);
  expect(knee!.follows).toBeCloseTo(-1, 12);
  expect(wrist).toMatchObject({ speed_peak: 0, power_peak: 1, heat: null, follows: null });
});

/** Joints of a robot that move as `positions` of each step say, while the references move as `references` say. */
function followingOfMoves(steps: number, positions: (t: number) => number[], references: (t: number) => number[]) {
  const joints = positions(0).length;
  const state = createState({ n: 1, joints, bodies: 1, keybodies: 0, feet: 0 });
  const meter = new FollowMeter(state);
  for (let step = 0; step < steps; step++) {
    state.jointPos.set(positions(step / 50));
    state.refJointPos.set(references(step / 50));
    meter.add(0);
  }
  return followingOf(meter.result, steps, 50);
}

test('two joints that follow the reference of each other are named as exchanged; an inverted joint is not', () => {
  const references = (t: number) => [Math.sin(3 * t), Math.sin(5 * t), Math.cos(7 * t), Math.cos(2 * t)];
  const found = followingOfMoves(
    500,
    (t) => {
      const [a, b, c, d] = references(t) as [number, number, number, number];
      return [a, c + 0.2, b, -d];
    },
    references,
  );
  expect(found.map(({ exchangedWith }) => exchangedWith)).toEqual([null, 2, 1, null]);
  expect(found[0]!.follows).toBeCloseTo(1, 6);
  expect(found[3]!.follows).toBeCloseTo(-1, 6);
});

test('joints whose references move alike are not exchanged, also if both follow badly', () => {
  // Both legs of a squat have the same reference, so each joint also follows that of the other leg.
  const found = followingOfMoves(
    500,
    (t) => [Math.sin(3 * t) + Math.sin(17 * t), Math.sin(3 * t) - Math.sin(17 * t)],
    (t) => [Math.sin(3 * t), Math.sin(3 * t)],
  );
  expect(found.map(({ exchangedWith }) => exchangedWith)).toEqual([null, null]);
});

test('less than 5 s in all are too short for a correlation', () => {
  const still = (t: number) => [Math.sin(9 * t)];
  expect(followingOfMoves(249, still, still)).toEqual([{ follows: null, exchangedWith: null }]);
  expect(followingOfMoves(250, still, still)[0]!.follows).toBeCloseTo(1, 6);
});

test('robustness lists conditions with a number; it breaks at the first success below 0.9', () => {
  const summary = (success: number) => ({ ...NAMES, ...metricsOf([episode()], 50), success });
  const conditions = [
    { name: 'nominal' },
    { name: 'friction=0.6', friction: 0.6 },
    { name: 'integrator=euler', integrator: 'euler' as const },
    { name: 'friction=0.3', friction: 0.3 },
    { name: 'both', friction: 0.1, delay_steps: 1 },
    { name: 'delay_steps=1', delay_steps: 1 },
  ];
  expect(robustnessOf(conditions, [1, 0.95, 0.2, 0.89, 0, 1].map(summary))).toEqual([
    { field: 'friction', values: [0.6, 0.3], success: [0.95, 0.89], breaks_at: 0.3 },
    { field: 'delay_steps', values: [1], success: [1], breaks_at: null },
  ]);
});

test('a gate passes at its exact bound', () => {
  const summary = { ...NAMES, ...metricsOf([episode({ failure: failure(3) }), episode()], 50) };
  expect(gateResults({ success: { min: 0.5, max: 0.5 }, tracked_s: { max: 1.9 } }, [summary])).toEqual([
    { checkpoint: 'model_1.pt', metric: 'success', min: 0.5, max: 0.5, value: 0.5, ok: true },
    { checkpoint: 'model_1.pt', metric: 'tracked_s', max: 1.9, value: 2, ok: false },
  ]);
});

test('an error over no step at all misses its gate, because 0 is not a good value of it', () => {
  const fallen = {
    ...NAMES,
    ...metricsOf([episode({ steps: 0, action_steps: 0, jerk_steps: 0, failure: failure(1) })], 50),
  };
  const results = gateResults({ 'errors.joint_pos': { max: 0.14 }, tracked_s: { max: 1 } }, [fallen]);
  expect(results.map(({ metric, value, ok }) => [metric, value, ok])).toEqual([
    ['errors.joint_pos', 0, false],
    ['tracked_s', 0, true],
  ]);
});

test('start 0 is frame 0, the others are spread evenly; episodes end with the clip or the horizon', () => {
  const library = {
    fps: 50,
    clips: [
      { name: 'a', first: 0, frames: 401 },
      { name: 'b', first: 401, frames: 3 },
    ],
  };
  expect(planEpisodes(library, 4, null)).toEqual([
    { clip: 0, start: 0, steps: 400 },
    { clip: 0, start: 100, steps: 300 },
    { clip: 0, start: 200, steps: 200 },
    { clip: 0, start: 300, steps: 100 },
    { clip: 1, start: 0, steps: 2 },
    { clip: 1, start: 0, steps: 2 },
    { clip: 1, start: 1, steps: 1 },
    { clip: 1, start: 1, steps: 1 },
  ]);
  expect(planEpisodes(library, 1, 2)[0]).toEqual({ clip: 0, start: 0, steps: 100 });
});

test('units cover every episode of every checkpoint and condition once', () => {
  const units = planUnits(70, 2, 3);
  const seen = units.flatMap(({ checkpoint, condition, first, count }) =>
    Array.from({ length: count }, (_, k) => `${checkpoint} ${condition} ${first + k}`),
  );
  expect(new Set(seen).size).toBe(2 * 3 * 70);
  expect(seen).toHaveLength(2 * 3 * 70);
  expect(Math.max(...units.map(({ count }) => count))).toBeLessThanOrEqual(8);
});

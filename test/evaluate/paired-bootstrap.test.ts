import { expect, test } from 'vitest';
import { pairedDifferences } from '../../src/evaluate/compare/paired-bootstrap.ts';
import type { EpisodeResult } from '../../src/evaluate/episode-result.ts';

/** An episode with 100 possible steps whose errors are `error` per step. */
function episode(steps: number, error: number): EpisodeResult {
  const failure = steps < 100 ? { frame: steps, term: 'fell', subject: null, value: null, limit: null } : null;
  const sum = steps * error;
  const square = steps * error * error;
  return {
    ...{ clip: 0, start: 0, possible: 100, steps, failure },
    ...{ body_pos: sum, body_pos_local: sum, body_rot: sum, anchor_pos: sum, anchor_rot: sum },
    ...{ joint_pos: square, joint_vel: square, action: square, action_steps: steps },
    ...{ jerk: error, jerk_steps: steps },
  };
}
const HZ = 50;
const metric = (name: string, a: EpisodeResult[], b: EpisodeResult[]) =>
  pairedDifferences(a, b, HZ).find((one) => one.metric === name)!;

test('metrics of both sides follow the definitions', () => {
  const a = [episode(100, 0.1), episode(50, 0.4)];
  const b = [episode(100, 0.1), episode(100, 0.2)];
  expect(metric('success', a, b)).toMatchObject({ a: 0.5, b: 1, mean: 0.5 });
  expect(metric('tracked_s', a, b)).toMatchObject({ a: 75 / HZ, b: 100 / HZ });
  expect(metric('tracked_share', a, b)).toMatchObject({ a: 0.75, b: 1 });
  // Errors are means over steps, not over episodes: (100 · 0.1 + 50 · 0.4) / 150.
  expect(metric('errors.body_pos', a, b).a).toBeCloseTo(0.2, 12);
  expect(metric('errors.joint_pos', a, b).a).toBeCloseTo(Math.sqrt((100 * 0.01 + 50 * 0.16) / 150), 12);
  expect(metric('action_rate', a, b).b).toBeCloseTo(Math.sqrt((0.01 + 0.04) / 2) * HZ, 12);
});

test('the same episodes on both sides differ by exactly zero', () => {
  const a = Array.from({ length: 12 }, (_, k) => episode(40 + 5 * k, 0.1 + 0.01 * k));
  for (const { mean, low, high } of pairedDifferences(a, structuredClone(a), HZ))
    expect([mean, low, high]).toEqual([0, 0, 0]);
});

test('a policy that is better in most pairs gets an interval without zero, the same in every run', () => {
  const a = Array.from({ length: 20 }, (_, k) => episode(30 + k, 0.3));
  const b = Array.from({ length: 20 }, (_, k) => episode(k % 5 === 0 ? 30 + k : 100, 0.2));
  const { low, high, mean } = metric('success', a, b);
  expect(mean).toBeCloseTo(0.8, 12);
  // The interval of a binomial share of 0.8 over 20 pairs, by its quantiles: 0.6 to 0.95.
  expect(low).toBeCloseTo(0.6, 1);
  expect(high).toBeCloseTo(0.95, 1);
  expect(metric('errors.body_pos', a, b).high).toBeLessThan(0);
  expect(pairedDifferences(a, b, HZ)).toEqual(pairedDifferences(a, b, HZ));
});

test('a small difference in every pair is detected although episodes differ much more', () => {
  const a = Array.from({ length: 30 }, (_, k) => episode(100, 0.1 + 0.02 * k));
  const b = Array.from({ length: 30 }, (_, k) => episode(100, 0.11 + 0.02 * k));
  const { low, high } = metric('errors.body_pos', a, b);
  expect(low).toBeCloseTo(0.01, 9);
  expect(high).toBeCloseTo(0.01, 9);
});

test('episodes that failed in their first step have no errors', () => {
  const nothing = [episode(0, 0)];
  expect(metric('errors.body_pos', nothing, [episode(100, 0.1)])).toMatchObject({ a: 0 });
});

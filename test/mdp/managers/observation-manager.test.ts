import { expect, test } from 'vitest';
import { ObservationManager } from '../../../src/mdp/managers/observation-manager.ts';
import { EnvRandom } from '../../../src/mdp/random/env-random.ts';
import type { ObservationGroupConfig, ObservationTermConfig } from '../../../src/mdp/task-config.ts';
import type { ObservationTerm, TermContext } from '../../../src/mdp/term.ts';
import { plainObservation } from '../../support/tracking.ts';

/** Returns a term with two values: the number of steps, and ten times the index of the environment. */
function counter(): { readonly now: { step: number }; readonly count: ObservationTerm } {
  const now = { step: 0 };
  return {
    now,
    count: {
      description: 'step and environment',
      unit: '1',
      params: {},
      make: () => ({
        dim: 2,
        compute: (env, out, at) => {
          out[at] = now.step;
          out[at + 1] = 10 * env;
        },
      }),
    },
  };
}

function groupOf(
  terms: Readonly<Record<string, Partial<ObservationTermConfig>>>,
  more: Partial<ObservationGroupConfig> = {},
  seed = 1,
) {
  const { now, count } = counter();
  const n = 2;
  const config = {
    terms: Object.fromEntries(
      Object.entries(terms).map(([name, change]) => [name, { ...plainObservation('count'), ...change }]),
    ),
    enable_corruption: true,
    history_length: null,
    ...more,
  };
  const context = { state: { n } } as unknown as TermContext;
  const random = new EnvRandom(n, { seed, purpose: 3, first: 0, stride: 1 });
  const group = new ObservationManager('actor', config, { count }, context, random);
  return {
    group,
    /** Returns the values of environment 1 after a step. */
    step(fresh = false): number[] {
      for (let env = 0; env < n; env++) group.compute(env, fresh);
      now.step++;
      return Array.from(group.values.subarray(group.dim));
    },
  };
}

test('an observation contains the values of its terms in order', () => {
  const { group, step } = groupOf({ a: {}, b: { scale: [2, 0.5] } });
  expect(group.dim).toBe(4);
  expect(group.slices).toEqual([
    { term: 'a', offset: 0, dim: 2 },
    { term: 'b', offset: 2, dim: 2 },
  ]);
  step(true);
  expect(step()).toEqual([1, 10, 2, 5]);
});

test('values are clipped before they are scaled', () => {
  const { step } = groupOf({ a: { clip: [-1, 4], scale: 3 } });
  expect(step(true)).toEqual([0, 12]);
});

test('history runs from oldest to newest per term, and starts filled with the first value', () => {
  const { group, step } = groupOf({ a: { history_length: 3 }, b: {} });
  expect(group.slices.map(({ dim }) => dim)).toEqual([6, 2]);
  expect(step(true)).toEqual([0, 10, 0, 10, 0, 10, 0, 10]);
  expect(step()).toEqual([0, 10, 0, 10, 1, 10, 1, 10]);
  step();
  expect(step()).toEqual([1, 10, 2, 10, 3, 10, 3, 10]);
  expect(step(true)).toEqual([4, 10, 4, 10, 4, 10, 4, 10]);
});

test('the history length of a group overrides those of its terms', () => {
  expect(groupOf({ a: { history_length: 5 } }, { history_length: 2 }).group.dim).toBe(4);
  expect(groupOf({ a: { history_length: 5 } }, { history_length: 1 }).group.dim).toBe(2);
});

test('noise is uniform within its limits times noise_scale, and off without corruption', () => {
  const noise = { n_min: [-1, 0], n_max: [1, 0.5] };
  const { step } = groupOf({ a: { noise, noise_scale: 2 } });
  const first: number[] = [];
  const second: number[] = [];
  for (let k = 0; k < 2000; k++) {
    const [a, b] = step(k === 0);
    first.push(a! - k);
    second.push(b! - 10);
  }
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  expect(Math.min(...first)).toBeGreaterThanOrEqual(-2.001);
  expect(Math.max(...first)).toBeLessThanOrEqual(2.001);
  expect(Math.max(...first)).toBeGreaterThan(1.9);
  expect(mean(first)).toBeCloseTo(0, 0);
  expect(Math.min(...second)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...second)).toBeLessThanOrEqual(1);
  expect(mean(second)).toBeCloseTo(0.5, 1);
  expect(groupOf({ a: { noise } }, { enable_corruption: false }).step(true)).toEqual([0, 10]);
});

test('a delayed term shows an earlier value, with the same delay during an episode', () => {
  const { step } = groupOf({ a: { delay_min_lag: 2, delay_max_lag: 2 } });
  const seen = Array.from({ length: 5 }, (_, k) => step(k === 0)[0]);
  expect(seen).toEqual([0, 0, 0, 1, 2]);
  const lags = new Set<number>();
  for (let seed = 0; seed < 40; seed++) {
    const delayed = groupOf({ a: { delay_min_lag: 0, delay_max_lag: 3 } }, {}, seed);
    const values = Array.from({ length: 9 }, (_, k) => delayed.step(k === 0)[0]!);
    lags.add(8 - values[8]!);
    expect(values[8]! - values[7]!).toBe(1);
  }
  expect([...lags].sort()).toEqual([0, 1, 2, 3]);
});

test('a parameter with the wrong number of values is refused by its path', () => {
  expect(() => groupOf({ a: { scale: [1, 2, 3] } })).toThrow(/observations\.actor\.terms\.a\.scale: has 3 numbers/);
  expect(() => groupOf({ a: { noise: { n_min: [1], n_max: 1 } } })).toThrow(/terms\.a\.noise\.n_min: has 1 numbers/);
  expect(() => groupOf({ a: { func: 'cuont' } })).toThrow(/observations\.actor\.terms\.a: .* did you mean "count"/);
  expect(() => groupOf({ a: { delay_min_lag: 2, delay_max_lag: 1 } })).toThrow(/delay_max_lag/);
});

test('reading an observation without advancing it returns the same values and changes nothing', () => {
  const terms = {
    plain: { clip: [0, 6] as const, scale: 0.5 },
    kept: { history_length: 3 },
    late: { delay_min_lag: 2, delay_max_lag: 2 },
    both: { history_length: 2, delay_min_lag: 1, delay_max_lag: 1 },
  };
  const looked = groupOf(terms);
  const other = groupOf(terms);
  const out = new Float32Array(3 + looked.group.dim);
  for (let step = 0; step < 8; step++) {
    if (step > 0) looked.group.peek(1, out, 3);
    const values = looked.step(step === 0);
    if (step > 0) expect([...out.subarray(3)]).toEqual(values);
    expect(values).toEqual(other.step(step === 0));
  }
});

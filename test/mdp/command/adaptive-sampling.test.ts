import { describe, expect, test } from 'vitest';
import { AdaptiveSampling, countNeverStarted } from '../../../src/mdp/command/adaptive-sampling.ts';
import { EnvRandom } from '../../../src/mdp/random/env-random.ts';
import type { ReferenceStateInitConfig } from '../../../src/mdp/task-config.ts';

const CONFIG: ReferenceStateInitConfig = {
  sampling_mode: 'adaptive',
  strategy: 'similarity_ema',
  bin_width_s: 4,
  uniform_ratio: 0.15,
  alpha: 0.005,
  temperature_base: 1,
  similarity_norm_by_remaining_clip: false,
  persist_failure_levels: false,
  min_bin_span_ratio: 0.5,
  similarity_terms: {},
  similarity_from_rewards: true,
};
const CLIPS = [
  { name: 'long', first: 0, frames: 450 },
  { name: 'short', first: 450, frames: 99 },
  { name: 'exact', first: 549, frames: 100 },
];

describe('bins', () => {
  test('bins are 4 s of a clip; bins shorter than half of that are left out', () => {
    const { bins } = new AdaptiveSampling(CONFIG, CLIPS, 50);
    expect(bins).toEqual([
      { clip: 0, first: 0, frames: 200 },
      { clip: 0, first: 200, frames: 200 },
      { clip: 2, first: 0, frames: 100 },
    ]);
  });
  test('short bins are kept if no other bin would be left', () => {
    expect(new AdaptiveSampling(CONFIG, [CLIPS[1]!], 50).bins).toEqual([{ clip: 0, first: 0, frames: 99 }]);
  });
  test('clips without a bin are counted: those that are too short, unless all are', () => {
    const lengths = CLIPS.map(({ frames }) => frames);
    const counts = (change: Partial<ReferenceStateInitConfig>) =>
      countNeverStarted({ ...CONFIG, ...change }, lengths, 50);
    const { bins } = new AdaptiveSampling(CONFIG, CLIPS, 50);
    expect(counts({})).toBe(CLIPS.length - new Set(bins.map(({ clip }) => clip)).size);
    expect([counts({ min_bin_span_ratio: 0 }), counts({ sampling_mode: 'uniform' })]).toEqual([0, 0]);
    expect(countNeverStarted(CONFIG, [75, 75], 50)).toBe(0);
  });
});

describe('weights of clips', () => {
  const weighted = (long: number, exact: number) =>
    CLIPS.map((clip) => ({ ...clip, weight: { long, short: 1, exact }[clip.name]! }));
  const probabilities = (sampling: AdaptiveSampling) => sampling.bins.map((_, bin) => sampling.probability(bin));

  test('weights of clips multiply the probability of each of their bins', () => {
    const sampling = new AdaptiveSampling(CONFIG, weighted(1, 6), 50);
    for (const [bin, p] of [1 / 8, 1 / 8, 6 / 8].entries()) expect(sampling.probability(bin)).toBeCloseTo(p, 12);
    sampling.levels.set([0.5, 0, 1]);
    sampling.refresh();
    const plain = new AdaptiveSampling(CONFIG, CLIPS, 50);
    plain.levels.set([0.5, 0, 1]);
    plain.refresh();
    const [a, b, c] = probabilities(plain) as [number, number, number];
    const sum = a + b + 6 * c;
    for (const [bin, p] of [a / sum, b / sum, (6 * c) / sum].entries())
      expect(sampling.probability(bin)).toBeCloseTo(p, 12);
    expect(sampling.metrics().topProbability).toBeLessThanOrEqual(1);
  });

  test('clips of weight 0 are never sampled', () => {
    const sampling = new AdaptiveSampling(CONFIG, weighted(0, 2), 50);
    const random = new EnvRandom(1, { seed: 3, purpose: 1, first: 0, stride: 1 });
    const bins = new Set(Array.from({ length: 1000 }, () => sampling.sampleBin(0, random)));
    expect([...bins]).toEqual([2]);
  });

  test('weights that are all 1, or all 0, change no bit', () => {
    const levels = [0.3, 0.1, 0.7];
    const of = (clips: typeof CLIPS) => {
      const sampling = new AdaptiveSampling(CONFIG, clips, 50);
      sampling.levels.set(levels);
      sampling.refresh();
      return { p: probabilities(sampling), metrics: sampling.metrics() };
    };
    expect(of(weighted(1, 1))).toEqual(of(CLIPS));
    expect(of(CLIPS.map((clip) => ({ ...clip, weight: 0 })))).toEqual(of(CLIPS));
  });
});

test('starts are uniform at first, then follow a softmax of failures with temperature 1 / ln(1 + N)', () => {
  const sampling = new AdaptiveSampling(CONFIG, CLIPS, 50);
  for (const bin of [0, 1, 2]) expect(sampling.probability(bin)).toBeCloseTo(1 / 3, 12);
  expect(sampling.metrics().entropy).toBeCloseTo(1, 12);
  sampling.levels.set([0.5, 0, 1]);
  sampling.refresh();
  const temperature = 1 / Math.log(4);
  const weights = [0.5, 0, 1].map((level) => Math.exp(level / temperature));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  for (const bin of [0, 1, 2]) expect(sampling.probability(bin)).toBeCloseTo((0.85 * weights[bin]!) / sum + 0.05, 12);
  expect(sampling.metrics()).toMatchObject({ topBin: 2 / 3 });
  const random = new EnvRandom(1, { seed: 1, purpose: 1, first: 0, stride: 1 });
  const counts = [0, 0, 0];
  for (let k = 0; k < 20_000; k++) counts[sampling.sampleBin(0, random)]!++;
  for (const bin of [0, 1, 2]) expect(counts[bin]! / 20_000).toBeCloseTo(sampling.probability(bin), 1);
});

test('failure levels are a moving average with factor α, whichever thread reports', () => {
  const whole = new AdaptiveSampling(CONFIG, CLIPS, 50);
  const parts = [new AdaptiveSampling(CONFIG, CLIPS, 50), new AdaptiveSampling(CONFIG, CLIPS, 50)];
  for (const [k, failure] of [0.3, 1, 0.77, 0.1].entries()) {
    whole.record(1, failure);
    parts[k % 2]!.record(1, failure);
  }
  const total = {
    failures: whole.counts.failures.map((_, bin) => parts[0]!.counts.failures[bin]! + parts[1]!.counts.failures[bin]!),
    episodes: whole.counts.episodes.map((_, bin) => parts[0]!.counts.episodes[bin]! + parts[1]!.counts.episodes[bin]!),
  };
  for (const part of parts) part.adapt(total);
  whole.adapt(whole.counts);
  expect(whole.levels[1]).toBeCloseTo((1 - 0.995 ** 4) * 0.5425, 5);
  expect(whole.levels[0]).toBe(0);
  expect([...parts[0]!.levels]).toEqual([...whole.levels]);
  expect([...parts[1]!.levels]).toEqual([...whole.levels]);
  expect([...whole.counts.episodes]).toEqual([0, 0, 0]);
});

test('failure levels are saved as a table of clips and bins', () => {
  const sampling = new AdaptiveSampling(CONFIG, CLIPS, 50);
  sampling.levels.set([0.25, 0.5, 0.75]);
  const table = sampling.table();
  expect(table).toMatchObject({ clips: 3, bins: 3 });
  expect([...table.levels]).toEqual([0.25, 0.5, 0, 0, 0, 0, 0.75, 0, 0]);
  expect([...table.valid]).toEqual([1, 1, 0, 0, 0, 0, 1, 0, 0]);
  const again = new AdaptiveSampling(CONFIG, CLIPS, 50);
  again.restore(table);
  expect([...again.levels]).toEqual([0.25, 0.5, 0.75]);
  again.restore({ clips: 1, bins: 1, levels: Float32Array.of(Number.NaN) });
  expect([...again.levels]).toEqual([0.25, 0.5, 0.75]);
});

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

describe('starts before failures', () => {
  const config = { ...CONFIG, before_failures: true };
  const clips = [
    { name: 'jump', first: 0, frames: 250 },
    { name: 'walk', first: 250, frames: 103 },
  ];
  const even = 0.3 / 71;
  /** Returns the sampling after episodes from the first bin. @param ends clip and frame of each, and whether it
   *  failed */
  const sampled = (...ends: (readonly [clip: number, frame: number, failed: boolean])[]) => {
    const sampling = new AdaptiveSampling(config, clips, 50);
    for (const [clip, frame, failed] of ends) sampling.recordEnd(0, { clip, frame, failed });
    sampling.adapt(sampling.counts);
    return sampling;
  };
  /** Returns the probability that an episode starts in the bin of a frame. */
  const at = (sampling: AdaptiveSampling, clip: number, frame: number) =>
    sampling.probability(sampling.bins.findIndex((bin) => bin.clip === clip && frame < bin.first + bin.frames));

  test('starts are uniform until an episode fails', () => {
    const sampling = sampled([0, 249, false], [1, 102, false]);
    expect(sampling.bins).toHaveLength(50 + 21);
    for (const { clip, first } of sampling.bins) expect(at(sampling, clip, first)).toBeCloseTo(1 / 71, 12);
  });

  test('the level of a bin is the share of all episodes that fail there', () => {
    const ends = Array.from({ length: 40_000 }, (_, k) => [0, k % 4 === 0 ? 102 : 249, k % 4 === 0] as const);
    const { levels } = sampled(...ends);
    expect(levels[20]).toBeCloseTo(0.25, 4);
    expect(levels.reduce((sum, level) => sum + level, 0)).toBe(levels[20]);
    expect(sampled([1, 102, true]).levels[50 + 20]).toBeCloseTo(1 / 3000, 12);
  });

  test('episodes start from 0.3 to 1.2 s before a failure, in the same clip; the others anywhere', () => {
    const sampling = sampled([0, 100, true], [0, 200, true]);
    for (const frame of [0, 35, 90, 100, 110, 190, 240]) expect(at(sampling, 0, frame)).toBeCloseTo(even, 12);
    for (const frame of [40, 60, 85, 140, 185]) expect(at(sampling, 0, frame)).toBeCloseTo(0.7 / 20 + even, 12);
    expect(at(sampling, 1, 0)).toBeCloseTo(even, 12);
  });

  test('a motion of a minute or more is sampled with the settings of the task', () => {
    const long = [{ name: 'long', first: 0, frames: 60 * 50 }];
    const other = new AdaptiveSampling(CONFIG, long, 50);
    expect(new AdaptiveSampling(config, long, 50).bins).toEqual(other.bins);
    expect(new AdaptiveSampling(config, [{ ...long[0]!, frames: 60 * 50 - 1 }], 50).bins).toHaveLength(600);
  });

  test('a failure at the beginning of a clip attracts no starts of the clip before', () => {
    const sampling = sampled([1, 2, true]);
    for (const { clip, first } of sampling.bins) expect(at(sampling, clip, first)).toBeCloseTo(1 / 71, 12);
  });

  test('starts are in proportion to the failures ahead', () => {
    const sampling = sampled([0, 100, true], [0, 200, true], [0, 200, true]);
    expect(at(sampling, 0, 160) - even).toBeCloseTo(2 * (at(sampling, 0, 60) - even), 12);
  });

  test('no bin has more than 5 times its share, besides the even part; other failures get the rest', () => {
    const most = (0.7 * 5) / 71 + even;
    // Ten bins may have 50 of 71 parts.
    const one = sampled([0, 100, true]);
    const rest = (0.7 * (1 - 50 / 71)) / 71;
    expect(at(one, 0, 60)).toBeCloseTo(most + rest, 12);
    expect(at(one, 1, 0)).toBeCloseTo(even + rest, 12);
    const two = sampled([1, 80, true], ...Array.from({ length: 1000 }, () => [0, 100, true] as const));
    expect(at(two, 0, 60)).toBeCloseTo(most, 12);
    expect(at(two, 1, 40)).toBeCloseTo((0.7 * (1 - 50 / 71)) / 10 + even, 12);
    for (const sampling of [one, two]) {
      const sum = sampling.bins.reduce((total, _, bin) => total + sampling.probability(bin), 0);
      expect(sum).toBeCloseTo(1, 12);
    }
  });
});

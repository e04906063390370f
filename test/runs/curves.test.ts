import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scalarsRecord, versionRecord } from '../../src/formats/event-file/write-events.ts';
import { keptPoints } from '../../src/runs/curves/reduce-series.ts';
import { RunCurves } from '../../src/runs/curves/run-curves.ts';
import { readNewScalars } from '../../src/runs/curves/scalar-files.ts';
import { groupOfTag } from '../../src/runs/curves/tag-group.ts';

describe('reduction', () => {
  test('reduction keeps the lowest and highest point of a curve and at most the requested number of points', () => {
    const values = fc.array(fc.float({ noDefaultInfinity: false }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 60 }), (numbers, maxPoints) => {
        const kept = keptPoints({ values: Float32Array.from(numbers) }, maxPoints);
        expect(kept.length).toBeLessThanOrEqual(maxPoints);
        expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
        expect(kept.at(-1)).toBe(numbers.length - 1);
        if (maxPoints < 5) return;
        const finite = numbers.filter((number) => Number.isFinite(number));
        if (finite.length === 0) return;
        const shown = kept.map((k) => numbers[k]!).filter((number) => Number.isFinite(number));
        expect(Math.max(...shown)).toBe(Math.max(...finite));
        expect(Math.min(...shown)).toBe(Math.min(...finite));
      }),
    );
  });

  test('reduction keeps a gap in a curve visible', () => {
    const values = Float32Array.from({ length: 1000 }, (_, k) => (k >= 700 ? Number.NaN : k));
    const kept = keptPoints({ values }, 50);
    expect(kept.some((k) => k >= 700 && k < 760 && Number.isNaN(values[k]!))).toBe(true);
  });
});

describe('reading', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'motion-studio-curves-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('reading curves continues with a growing run, omits tags in seconds, and replaces steps that a resumed run repeats', async () => {
    const first = path.join(folder, 'events.out.tfevents.100.host.1.0');
    const point = (step: number, value: number) =>
      scalarsRecord(0, step, [
        { tag: 'Train/mean_reward', value },
        { tag: 'Train/mean_reward/time', value },
      ]);
    await writeFile(first, Buffer.concat([versionRecord(0), point(0, 1), point(1, 2), point(2, 3)]));
    const curves = new RunCurves();
    curves.add(await readNewScalars(folder, curves.positions));
    expect(curves.tags.map(({ tag, steps }) => [tag, [...steps]])).toEqual([['Train/mean_reward', [0, 1, 2]]]);

    const half = point(3, 4);
    await appendFile(first, half.subarray(0, 20));
    curves.add(await readNewScalars(folder, curves.positions));
    expect(curves.tags[0]!.steps).toHaveLength(3);
    await appendFile(first, half.subarray(20));
    await writeFile(
      path.join(folder, 'events.out.tfevents.200.host.1.0'),
      Buffer.concat([versionRecord(0), point(2, 30)]),
    );
    curves.add(await readNewScalars(folder, curves.positions));
    expect([[...curves.tags[0]!.steps], [...curves.tags[0]!.values]]).toEqual([
      [0, 1, 2],
      [1, 2, 30],
    ]);
    const again = await readNewScalars(folder, curves.positions);
    expect(again).toEqual({ positions: curves.positions, tags: [], damage: [] });
  });
});

test('tags belong to the groups of the API', () => {
  const groups = {
    'Train/mean_reward': 'train',
    'Perf/total_fps': 'train',
    'Policy/mean_std': 'train',
    'Episode_Termination/anchor_pos': 'train',
    'Eval/tracking': 'train',
    'Metrics/motion/error_body_pos': 'errors',
    'Metrics/motion/sampling_entropy': 'sampling',
    'Metrics/motion/assist_gain_mean': 'sampling',
    'Episode_Reward/survival': 'rewards',
    'Loss/value': 'loss',
    'Metrics/slip_velocity_mean': null,
    'Curriculum/terrain': null,
  };
  expect(Object.fromEntries(Object.keys(groups).map((tag) => [tag, groupOfTag(tag)]))).toEqual(groups);
});

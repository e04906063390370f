import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scalarsRecord, versionRecord } from '../../src/formats/event-file/write-events.ts';
import { keptPoints } from '../../src/runs/curves/reduce-series.ts';
import { RunCurves } from '../../src/runs/curves/run-curves.ts';
import { readNewScalars } from '../../src/runs/curves/scalar-files.ts';
import { groupOfTag } from '../../src/runs/curves/tag-group.ts';

const stepsTo = (end: number) => Float64Array.from({ length: end }, (_, k) => k);

describe('reduction', () => {
  test('reduction keeps the lowest and highest point of a curve and at most the requested number of points', () => {
    const point = fc.record({ gap: fc.integer({ min: 1, max: 1e6 }), number: fc.float({ noDefaultInfinity: false }) });
    const points = fc.array(point, { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(points, fc.integer({ min: 2, max: 60 }), (all, maxPoints) => {
        const numbers = all.map(({ number }) => number);
        let step = 0;
        const steps = Float64Array.from(all, ({ gap }) => {
          step += gap;
          return step;
        });
        const kept = keptPoints({ steps, values: Float32Array.from(numbers) }, maxPoints);
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
    const kept = keptPoints({ steps: stepsTo(1000), values }, 50);
    expect(kept.some((k) => k >= 700 && k < 760 && Number.isNaN(values[k]!))).toBe(true);
  });

  test('a part with more points per iteration does not get more points', () => {
    // A curve whose first 10,000 iterations were reduced before: 100 points; then 1000 iterations with all points.
    const steps = Float64Array.from({ length: 1100 }, (_, k) => (k < 100 ? 100 * k : 10_000 + k - 100));
    const kept = keptPoints({ steps, values: Float32Array.from(steps, (step) => Math.sin(step)) }, 44);
    // 21 buckets, of which two contain iterations from 10,000 on; each has at most two points
    expect(kept.filter((k) => steps[k]! >= 10_000).length).toBeLessThanOrEqual(5);
    expect(kept.length).toBeGreaterThan(40);
  });
});

describe('memory of the curves of a run', () => {
  const MAX_BYTES = 64 << 10;
  const ITERATIONS = 20_000;
  const valueAt = (step: number) => (step === 1234 ? -9 : step === 4321 ? 9 : Math.sin(step));
  /** Curves with two tags, of which `Loss/value` has values, added 1000 iterations at a time. */
  const grown = () => {
    const curves = new RunCurves(MAX_BYTES);
    let most = 0;
    for (let from = 0; from < ITERATIONS; from += 1000) {
      const steps = stepsTo(1000).map((k) => from + k);
      const values = Float32Array.from(steps, valueAt);
      const tags = ['Loss/value', 'Loss/entropy'].map((tag) => ({ tag, steps, values }));
      curves.add({ positions: { events: from }, tags });
      most = Math.max(most, curves.bytes);
    }
    return { curves, most };
  };

  test('long curves are thinned below the limit: first, last, lowest and highest point and an even resolution stay', () => {
    const { curves, most } = grown();
    expect(most).toBeLessThanOrEqual(MAX_BYTES);
    for (const { steps, values } of curves.tags) {
      expect([...values]).toEqual(Array.from(steps, (step) => Math.fround(valueAt(step))));
      expect([steps[0], steps.at(-1)]).toEqual([0, ITERATIONS - 1]);
      for (const extreme of [1234, 4321]) expect(steps).toContain(extreme);
      // Memory for more than 5461 points is too much, so the longer of the two curves has memory for 2730. A curve uses
      // at least two thirds of its memory, 1820 points, so half of it has at least 910: two per bucket of 45
      // iterations.
      const gaps = [...steps.subarray(1)].map((step, k) => step - steps[k]!);
      expect(Math.min(...gaps)).toBeGreaterThan(0);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * 45);
    }
  });

  test('a thinned curve continues with all new points, and with the repeated steps of a resumed run', () => {
    const { curves } = grown();
    const tags = (first: number) => [
      { tag: 'Loss/value', steps: Float64Array.of(first, first + 1), values: Float32Array.of(5, 6) },
    ];
    curves.add({ positions: {}, tags: tags(ITERATIONS) });
    const loss = () => curves.tags.find(({ tag }) => tag === 'Loss/value')!;
    expect([...loss().steps.slice(-2)]).toEqual([ITERATIONS, ITERATIONS + 1]);
    curves.add({ positions: {}, tags: tags(9000) });
    expect([...loss().steps.slice(-2)]).toEqual([9000, 9001]);
    expect([...loss().values.slice(-2)]).toEqual([5, 6]);
    expect(loss().steps.at(-3)).toBeGreaterThan(9000 - 2 * 45);
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
    expect(again).toEqual({ positions: curves.positions, tags: [], more: false, damage: [] });
  });

  test('a partly copied event file of rsync does not leave a gap in the curves', async () => {
    const run = await mkdtemp(path.join(folder, 'synced-'));
    const name = 'events.out.tfevents.100.host.1.0';
    const upTo = (count: number) =>
      Buffer.concat([
        versionRecord(0),
        ...Array.from({ length: count }, (_, k) => scalarsRecord(0, k, [{ tag: 'Loss/value', value: k }])),
      ]);
    const curves = new RunCurves();
    await writeFile(path.join(run, name), upTo(4));
    curves.add(await readNewScalars(run, curves.positions));
    // The next copy is written beside the file, then takes its place.
    const copy = path.join(run, `.${name}.k3JzQe`);
    await writeFile(copy, upTo(2));
    curves.add(await readNewScalars(run, curves.positions));
    await writeFile(copy, upTo(6));
    await rename(copy, path.join(run, name));
    curves.add(await readNewScalars(run, curves.positions));
    expect([...curves.tags[0]!.steps]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('a read that reaches its limit ends there, and the next ones deliver all other values, in several files', async () => {
    // Long tags, so that the first file has several pieces: 1800 × 5000 bytes.
    const tag = `Metrics/${'x'.repeat(5000)}`;
    const run = await mkdtemp(path.join(folder, 'long-'));
    const write = (file: number, from: number, count: number) =>
      writeFile(
        path.join(run, `events.out.tfevents.${file}.host.1.0`),
        Buffer.concat(Array.from({ length: count }, (_, k) => scalarsRecord(0, from + k, [{ tag, value: from + k }]))),
      );
    await Promise.all([write(100, 0, 1800), write(200, 1800, 10), write(300, 1810, 10)]);
    const curves = new RunCurves();
    const counts: number[] = [];
    for (let more = true; more; ) {
      const read = await readNewScalars(run, curves.positions, 10);
      counts.push(read.tags[0]?.steps.length ?? 0);
      curves.add(read);
      ({ more } = read);
    }
    const [{ steps, values } = { steps: [], values: [] }] = curves.tags;
    expect([...steps]).toEqual([...stepsTo(1820)]);
    expect([...values]).toEqual([...stepsTo(1820)]);
    // three pieces of the first file, of 4 MiB at most, and one of each other file
    const inPiece = Math.floor((4 << 20) / scalarsRecord(0, 1000, [{ tag, value: 0 }]).length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(inPiece + 1);
    expect(counts.filter((count) => count > 0)).toHaveLength(5);
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

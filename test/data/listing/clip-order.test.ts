import { describe, expect, test } from 'vitest';
import { findingsOf, hasFinding, summaryOf } from '../../../src/data/clip/clip-findings.ts';
import type { ClipEntry } from '../../../src/data/listing/clip-entries.ts';
import { ClipFile } from '../../../src/data/listing/clip-files.ts';
import { type ClipSelection, type ClipView, selectClips } from '../../../src/data/listing/clip-order.ts';
import { NO_MARKS } from '../../../src/data/marks/clip-marks.ts';
import { clipFileType } from '../../../src/formats/clip-registry.ts';

const entry = (name: string, mtimeMs = 0): ClipEntry => ({
  name,
  raw: new ClipFile('/d', `${name}.csv`, clipFileType('csv'), 1, mtimeMs),
  npz: null,
  stale: false,
  error: null,
});

const issue = (kind: 'jump' | 'foot_sliding', severity: 'warning' | 'error', body: string) => ({
  ...{ kind, severity, body, text: '', fix: null },
  frames: [0, 1],
  plot: { channels: [], frame: 0 },
});
const score = (feasibility: number, complexity: number) => ({
  ...{ feasibility, complexity, torque: 1, support: 0, collision: 0, jerk: 1, airborne: 0 },
});
const found = (issues: ReturnType<typeof issue>[], feasibility: number, complexity = 0.5) =>
  findingsOf({ issues, score: score(feasibility, complexity), error: null });

const slides = issue('foot_sliding', 'warning', 'left');
const jumps = issue('jump', 'error', 'left_knee');
const entries = [entry('a', 5000), entry('b', 1000), entry('c', 9000), entry('d', 3000), entry('e', 2000)];
const durations: Record<string, number> = { a: 3, b: 1.5, d: 1.5, e: 7 };
const findings: Record<string, ReturnType<typeof found>> = {
  a: found([slides, slides], 0.9, 0.2),
  b: found([], 0.9, 0.4),
  d: found([jumps], 0.1),
  e: found([slides], 0.5),
};
const view: ClipView = {
  marks: ({ name }) =>
    name === 'e'
      ? { ...NO_MARKS, exclude: true, tags: ['gait'], ignore: [{ kind: 'foot_sliding', body: 'left' }] }
      : NO_MARKS,
  failed: ({ name }) => name === 'c',
  findings: ({ name }) => findings[name] ?? null,
  duration: ({ name }) => durations[name] ?? null,
};
const select = async (selection: ClipSelection) =>
  (await selectClips(entries, selection, view)).map(({ name }) => name).join('');

describe('clips are sorted', () => {
  test.each<[ClipSelection, string]>([
    [{ sort: 'name', order: 'desc' }, 'edcba'],
    [{ sort: 'duration' }, 'bdaec'],
    [{ sort: 'duration', order: 'desc' }, 'eabdc'],
    [{ sort: 'modified' }, 'bedac'],
    [{ sort: 'score' }, 'deabc'],
    [{ sort: 'score', order: 'desc' }, 'baedc'],
    [{ sort: 'worst', order: 'desc' }, 'dabec'],
  ])('clips are sorted by %j; equal clips keep their order, unknown values come last', async (selection, order) => {
    expect(await select(selection)).toBe(order);
  });
});

describe('clips are filtered', () => {
  test.each<[ClipSelection, string]>([
    [{ findings: 'true' }, 'ad'],
    [{ findings: 'false' }, 'be'],
    [{ findings: 'error' }, 'd'],
    [{ findings: 'foot_sliding' }, 'a'],
    [{ failed: true }, 'c'],
    [{ failed: false, excluded: false }, 'abd'],
    [{ tag: 'gait' }, 'e'],
    [{ tag: 'gai' }, ''],
    [{ findings: 'true', sort: 'score' }, 'da'],
  ])('clips are filtered by %j', async (selection, names) => {
    expect(await select(selection)).toBe(names);
  });
});

test('ignored issues are neither counted nor found by filters', () => {
  const all = found([slides, slides, jumps], 1)!;
  expect(summaryOf(all, NO_MARKS)).toEqual({ worst: 'error', issues: 3 });
  const marks = { ...NO_MARKS, ignore: [{ kind: 'jump' as const }] };
  expect(summaryOf(all, marks)).toEqual({ worst: 'warning', issues: 2 });
  expect(hasFinding(all, marks, 'jump')).toBe(false);
  const other = { ...NO_MARKS, ignore: [{ kind: 'jump' as const, body: 'right_knee' }] };
  expect(hasFinding(all, other, 'jump')).toBe(true);
});

test('two hundred thousand clips are sorted by number, not by comparison', async () => {
  const many = Array.from({ length: 200_000 }, (_, k) => entry(`c${k}`, ((k * 7919) % 200_000) * 1000));
  const sorted = await selectClips(many, { sort: 'modified' }, view);
  expect(sorted[0]!.name).toBe('c0');
  const times = sorted.map(({ raw }) => raw!.mtimeMs);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

import { expect, test } from 'vitest';
import type { Run } from '../../../../src/protocol/schemas/jobs.ts';
import { ALL_RUNS, pathsIn, runRows, shareOf, valuesOf } from '../../../../web/src/features/run-browser/run-rows.ts';

const run = (path: string, more: Partial<Run> = {}): Run => ({
  path,
  run_dir: path.split('/')[0]!,
  run: path.split('/')[1]!,
  task: 'Wbc-G1',
  robot: 'g1',
  dataset: 'walks',
  created: '2026-05-04T00:00:00Z',
  modified: '2026-05-04T00:00:00Z',
  format: 'studio',
  checkpoints: [],
  latest: null,
  job: null,
  error: null,
  tags: [],
  note: '',
  favourite: false,
  unplayable: null,
  score: null,
  started_from: null,
  minutes: null,
  ...more,
});
const score = (tracked: number) => ({
  tracked_s: tracked,
  horizon_s: 10,
  success: 1,
  body_pos: 0,
  by: 'training' as const,
});
const RUNS = [
  run('a/one', { score: score(9), tags: ['good'], created: '2026-05-04T03:00:00Z' }),
  run('a/two', { note: 'softer pushes', favourite: true, created: '2026-05-04T02:00:00Z' }),
  run('b/three', { task: 'Wbc-G1-SE', score: score(4), unplayable: 'it has no checkpoint yet' }),
];
const names = (part: Partial<typeof ALL_RUNS>) => runRows(RUNS, { ...ALL_RUNS, ...part }).map((one) => one.run);

test('runs are listed newest first; sorted by score, runs without a score are last', () => {
  expect(names({})).toEqual(['one', 'two', 'three']);
  expect(names({ sort: 'score' })).toEqual(['one', 'three', 'two']);
  expect(names({ sort: 'score', descending: false })).toEqual(['two', 'three', 'one']);
});

test('every word of the search must occur in path, task, dataset, tags or note', () => {
  expect(names({ text: 'SOFTER walks' })).toEqual(['two']);
  expect(names({ text: 'good se' })).toEqual([]);
});

test('filters are combined', () => {
  expect(names({ tag: 'good' })).toEqual(['one']);
  expect(names({ favourites: true })).toEqual(['two']);
  expect(names({ unplayable: true, task: 'Wbc-G1-SE' })).toEqual(['three']);
  expect(names({ unplayable: true, task: 'Wbc-G1' })).toEqual([]);
  expect(valuesOf(RUNS, ({ task }) => [task])).toEqual(['Wbc-G1', 'Wbc-G1-SE']);
});

test('the share of a run is at most 1, and −1 without a score', () => {
  expect(RUNS.map(shareOf)).toEqual([0.9, -1, 0.4]);
  expect(shareOf(run('a/x', { score: score(12) }))).toBe(1);
});

test('runs that are not in the list, such as those of another robot, do not count as checked', () => {
  const checked = ['e/b', 'other/robot', 'e/a'];
  expect(pathsIn([run('e/a'), run('e/b'), run('e/c')], checked)).toEqual(['e/b', 'e/a']);
  expect(pathsIn([], checked)).toEqual([]);
});

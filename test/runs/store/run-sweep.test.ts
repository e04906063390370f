import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChangeCursor } from '../../../src/runs/store/change-log.ts';
import { sweepRuns } from '../../../src/runs/store/run-sweep.ts';

/** More runs than one sweep looks at in full. */
const MANY = 600;
const PAST = new Date(2020, 0);

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'sweep-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const folderOf = (k: number) => path.join(root, `exp/run_${k}`);

/** Writes a run that nobody has changed for years. */
function writeRun(k: number, text = 'robot: g1'): void {
  const folder = folderOf(k);
  mkdirSync(path.join(folder, 'params'), { recursive: true });
  for (const file of ['model_1.pt', 'params/task.yaml']) {
    writeFileSync(path.join(folder, file), file === 'model_1.pt' ? '' : text);
    utimesSync(path.join(folder, file), PAST, PAST);
  }
  utimesSync(folder, PAST, PAST);
}

/** Sweeps once. @returns the changes, and how many parts they came in */
function sweep(since: ChangeCursor | null) {
  const changed = new Map<string, boolean>();
  let cursor = since;
  let parts = 0;
  for (let more = true; more; parts += 1) {
    const part = sweepRuns(root, cursor, parts === 0);
    for (const [run, scanned] of part.changes) changed.set(run, scanned !== null);
    ({ cursor, more } = part);
  }
  return { cursor, changed: [...changed], parts };
}

test('the first sweep returns all runs in parts of at most 200; the next one returns only changed runs', () => {
  for (let k = 0; k < MANY; k++) writeRun(k);
  const first = sweep(null);
  expect(first.changed).toHaveLength(MANY);
  expect(first.parts).toBeGreaterThanOrEqual(3);
  expect(sweep(first.cursor).changed).toEqual([]);
  writeFileSync(path.join(folderOf(7), 'model_2.pt'), '');
  rmSync(folderOf(8), { recursive: true });
  renameSync(folderOf(9), path.join(root, 'exp/renamed'));
  const { cursor, changed } = sweep(first.cursor);
  expect(new Map(changed)).toEqual(
    new Map([
      ['exp/run_7', true],
      ['exp/run_8', false],
      ['exp/run_9', false],
      ['exp/renamed', true],
    ]),
  );
  expect(sweep(cursor).changed).toEqual([]);
});

test("a change within a file, which does not change the folder's time, is found after a few sweeps of many runs", () => {
  for (let k = 0; k < MANY; k++) writeRun(k);
  let { cursor } = sweep(null);
  writeFileSync(path.join(folderOf(599), 'params/task.yaml'), 'robot: another');
  const found: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const next = sweep(cursor);
    found.push(...next.changed.map(([run]) => run));
    cursor = next.cursor;
  }
  expect(found).toEqual(['exp/run_599']);
});

test('a new score of an evaluation is found at once', () => {
  for (let k = 0; k < MANY; k++) writeRun(k);
  const score = path.join(folderOf(3), 'evaluations/score.yaml');
  mkdirSync(path.dirname(score));
  writeFileSync(score, 'tracked_s: 1');
  utimesSync(folderOf(3), PAST, PAST);
  const { cursor } = sweep(null);
  writeFileSync(score, 'tracked_s: 22');
  expect(sweep(cursor).changed).toEqual([['exp/run_3', true]]);
});

test('a cursor of another thread gets the whole list', () => {
  writeRun(0);
  sweep(null);
  expect(sweepRuns(root, { epoch: 'of another thread', version: 99 }, true)).toMatchObject({
    anew: true,
    changes: [['exp/run_0', { run: 'run_0' }]],
  });
});

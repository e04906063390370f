import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type EntryWatch, watchEntries } from '../../../src/core/files/watch-entries.ts';

let root: string;
let folder: string;
let watch: EntryWatch;
let told: (readonly string[] | null)[];

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'watch-entries-'));
  folder = path.join(root, 'clips');
  told = [];
});
afterEach(() => {
  watch.close();
  rmSync(root, { recursive: true, force: true });
});

const start = () => {
  watch = watchEntries(
    folder,
    {
      ignored: (name) => name.startsWith('.'),
      onUnwatched: (error) => {
        throw error;
      },
    },
    (names) => told.push(names && [...names].sort()),
  );
};
const heard = (names: readonly string[] | null) =>
  vi.waitFor(() => expect(told).toContainEqual(names), { timeout: 30_000, interval: 20 });

test('created, changed and deleted entries are reported together, without hidden ones', async () => {
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'old.csv'), '1');
  writeFileSync(path.join(folder, 'changed.csv'), '1');
  start();
  writeFileSync(path.join(folder, 'new.csv'), '1');
  appendFileSync(path.join(folder, 'changed.csv'), '2');
  rmSync(path.join(folder, 'old.csv'));
  writeFileSync(path.join(folder, '.temp'), '');
  renameSync(path.join(folder, '.temp'), path.join(folder, 'renamed.csv'));
  await heard(['changed.csv', 'new.csv', 'old.csv', 'renamed.csv']);
});

test('many names are reported as "any"', async () => {
  mkdirSync(folder);
  start();
  for (let k = 0; k < 3000; k++) writeFileSync(path.join(folder, `${k}.csv`), '');
  await heard(null);
});

test('a folder that appears later, or is replaced, is reported as "any" and then watched', async () => {
  start();
  mkdirSync(folder);
  await heard(null);
  writeFileSync(path.join(folder, 'a.csv'), '');
  await heard(['a.csv']);
  renameSync(folder, path.join(root, 'away'));
  mkdirSync(folder);
  told = [];
  await heard(null);
  writeFileSync(path.join(folder, 'b.csv'), '');
  await heard(['b.csv']);
});

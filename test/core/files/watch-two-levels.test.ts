import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FolderWatch } from '../../../src/core/files/watch-folders.ts';
import { watchTwoLevels } from '../../../src/core/files/watch-two-levels.ts';

let folder: string;
let root: string;
let watch: FolderWatch;
let changed: () => void;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'two-levels-'));
  root = path.join(folder, 'root');
  changed = () => {};
});
afterEach(() => {
  watch.close();
  rmSync(folder, { recursive: true });
});

const start = async () => {
  watch = watchTwoLevels(
    root,
    {
      ignored: (name) => name.startsWith('.'),
      onError: (error) => {
        throw error;
      },
    },
    () => changed(),
  );
  await watch.ready;
};
const report = () => new Promise<void>((resolve) => (changed = resolve));

test('new folders of both levels are reported, also in a root that is created later', async () => {
  await start();
  const appeared = report();
  mkdirSync(path.join(root, 'experiment/first'), { recursive: true });
  await appeared;
  const second = report();
  mkdirSync(path.join(root, 'experiment/second'));
  await second;
  const gone = report();
  rmSync(path.join(root, 'experiment/first'), { recursive: true });
  await gone;
});

test('a change below the second level, or of an ignored name, is not reported', async () => {
  mkdirSync(path.join(root, 'experiment/run/params'), { recursive: true });
  await start();
  const reports: string[] = [];
  changed = () => reports.push('change');
  writeFileSync(path.join(root, 'experiment/run/params/task.yaml'), '');
  mkdirSync(path.join(root, '.hidden'));
  const seen = report();
  mkdirSync(path.join(root, 'another'));
  await seen;
  expect(reports).toEqual([]);
});

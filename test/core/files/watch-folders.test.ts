import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FolderWatch, watchFolders } from '../../../src/core/files/watch-folders.ts';

let root: string;
let watch: FolderWatch;
let told: string[];

const start = async (depth: number, ignored?: (entry: string) => boolean) => {
  told = [];
  watch = watchFolders(
    root,
    {
      depth,
      onError: (error) => {
        throw error;
      },
      ...(ignored ? { ignored } : {}),
    },
    (folder) => {
      told.push(path.relative(root, folder) || '.');
    },
  );
  await watch.ready;
};
/** Waits until `folder` is reported, then clears the reports. */
const heard = async (folder: string) => {
  await vi.waitFor(() => expect(told).toContain(folder), { timeout: 30_000, interval: 20 });
  told = [];
};
/** Waits longer than the watcher's debounce, so that a report would have arrived. */
const quiet = () => new Promise((resolve) => setTimeout(resolve, 300));

/** Waits until delayed reports have arrived, then clears the reports. */
const settled = async () => {
  await new Promise((resolve) => setTimeout(resolve, 2500));
  told = [];
};

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'watch-'));
});
afterEach(() => {
  watch.close();
  rmSync(root, { recursive: true, force: true });
});

test('a file that is written, changed or removed marks only its own folder as changed', async () => {
  mkdirSync(path.join(root, 'a/b'), { recursive: true });
  await start(2);
  const file = path.join(root, 'a/b/clip.csv');
  writeFileSync(file, '1');
  await vi.waitFor(() => expect(told).toEqual(['a/b']), { timeout: 30_000 });
  told = [];
  await quiet();
  writeFileSync(file, '2');
  await heard('a/b');
  rmSync(file);
  await heard('a/b');
});

test('a burst of files in a folder gives a few signals, not one per file', async () => {
  mkdirSync(path.join(root, 'set'));
  await start(1);
  for (let i = 0; i < 500; i++) writeFileSync(path.join(root, 'set', `${i}.csv`), '');
  await vi.waitFor(() => expect(told.length).toBeGreaterThan(0), { timeout: 30_000 });
  await quiet();
  expect(told.length).toBeLessThan(20);
});

test('new folders are reported and watched, with their sub-folders', async () => {
  await start(3);
  mkdirSync(path.join(root, 'g1/samples/raw'), { recursive: true });
  writeFileSync(path.join(root, 'g1/samples/raw/early.csv'), '');
  await heard('g1/samples/raw');
  await quiet();
  told = [];
  writeFileSync(path.join(root, 'g1/samples/raw/late.csv'), '');
  await heard('g1/samples/raw');
});

test('folders below the depth limit are not watched', async () => {
  mkdirSync(path.join(root, 'a/b'), { recursive: true });
  await start(1);
  writeFileSync(path.join(root, 'a/b/deep.csv'), '');
  await quiet();
  expect(told).toEqual([]);
  writeFileSync(path.join(root, 'a/here.csv'), '');
  await heard('a');
});

test('an ignored folder is not entered', async () => {
  mkdirSync(path.join(root, '.git/objects'), { recursive: true });
  await start(2, (entry) => path.basename(entry).startsWith('.'));
  writeFileSync(path.join(root, '.git/objects/x'), '');
  await quiet();
  expect(told).toEqual([]);
});

test('a folder that replaces another of its name is watched; the folder moved away is not', async () => {
  mkdirSync(path.join(root, 'a'));
  await start(1);
  const away = `${root}-away`;
  renameSync(path.join(root, 'a'), away);
  mkdirSync(path.join(root, 'a'));
  await heard('a');
  await settled();
  writeFileSync(path.join(away, 'gone.csv'), '');
  await quiet();
  expect(told).toEqual([]);
  writeFileSync(path.join(root, 'a/new.csv'), '');
  await heard('a');
  rmSync(away, { recursive: true });
});

test('a folder that contains a folder of its own name stays watched', async () => {
  mkdirSync(path.join(root, 'samples'));
  await start(2);
  mkdirSync(path.join(root, 'samples/samples'));
  await heard('samples/samples');
  await quiet();
  told = [];
  writeFileSync(path.join(root, 'samples/x.csv'), '');
  await heard('samples');
});

test('a root that vanishes and comes back is watched again', async () => {
  await start(1);
  rmSync(root, { recursive: true });
  await settled();
  mkdirSync(path.join(root, 'a'), { recursive: true });
  await heard('a');
  await quiet();
  writeFileSync(path.join(root, 'a/x.csv'), '');
  await heard('a');
});

test('a root that is moved away and back is watched again', async () => {
  mkdirSync(path.join(root, 'a'));
  await start(1);
  const away = `${root}-away`;
  renameSync(root, away);
  await settled();
  renameSync(away, root); // the same inode as before
  await heard('a');
  await quiet();
  told = [];
  writeFileSync(path.join(root, 'a/x.csv'), '');
  await heard('a');
});

test('a folder that is moved away and back is watched again', async () => {
  mkdirSync(path.join(root, 'a'));
  await start(1);
  const away = `${root}-away`;
  renameSync(path.join(root, 'a'), away);
  await heard('.');
  await settled();
  renameSync(away, path.join(root, 'a'));
  await heard('a');
  await settled();
  writeFileSync(path.join(root, 'a/x.csv'), '');
  await heard('a');
});

test('after close nothing is reported', async () => {
  await start(0);
  writeFileSync(path.join(root, 'x'), '');
  watch.close();
  await quiet();
  expect(told).toEqual([]);
});

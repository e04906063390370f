import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readClipFacts } from '../../../src/data/clip/clip-facts.ts';
import { DatasetStore } from '../../../src/data/dataset-store.ts';

let root: string;
let store: DatasetStore;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'human-'));
  store = new DatasetStore({ folder: root, robot: 'g1', facts: readClipFacts, onChange: () => {} });
});
afterEach(() => {
  store.close();
  rmSync(root, { recursive: true });
});

/** Writes a file that has been complete for `age` seconds. */
function put(file: string, age: number, content = 'HIERARCHY\n'): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), content);
  const at = Date.now() / 1000 - age;
  utimesSync(path.join(root, file), at, at);
}

const clip = `${[0, 0, 1, 0, 0, 0, 1, 0.5].join(',')}\n`;
const listed = async () =>
  (await store.clips({ dataset: 'set' })).clips.map(({ name, source, status, error }) => [
    name,
    source?.file ?? null,
    status,
    error !== null,
  ]);

test('a recording of a human is an unreadable clip', async () => {
  put('set/walk.bvh', 100);
  expect(await listed()).toEqual([['walk', 'walk.bvh', 'missing', true]]);
  expect((await store.clips({ dataset: 'set' })).clips[0]!.error).toContain('retarget it to the robot first');
});

test('a recording beside its clip neither hides it nor makes it stale', async () => {
  put('set/walk.csv', 300, clip);
  put('set/npz/walk.npz', 200);
  put('set/npz/run.npz', 200);
  put('set/walk.bvh', 100);
  put('set/walk.fbx', 100);
  put('set/run.bvh', 100);
  const { clips } = await store.clips({ dataset: 'set' });
  expect(clips.map(({ name, raw, stale, source }) => [name, raw, stale, source?.file ?? null])).toEqual([
    ['run', false, false, null],
    ['walk', true, false, 'walk.csv'],
  ]);
  expect((await store.filesOf('set', 'walk')).map((file) => path.basename(file))).toEqual(['walk.csv', 'walk.npz']);
  expect((await store.filesOf('set', 'run')).map((file) => path.basename(file))).toEqual(['run.npz']);
});

test('recordings in raw/ do not hide the clips beside it', async () => {
  put('set/raw/walk.bvh', 100);
  put('set/walk.csv', 100, clip);
  expect(await listed()).toEqual([['walk', 'walk.csv', 'missing', false]]);
  rmSync(path.join(root, 'set/walk.csv'));
  store.markDirty(path.join(root, 'set'));
  expect(await listed()).toEqual([['walk', 'walk.bvh', 'missing', true]]);
  put('set/raw/run.csv', 100, clip);
  store.markDirty(path.join(root, 'set'));
  expect(await listed()).toEqual([
    ['run', 'run.csv', 'missing', false],
    ['walk', 'walk.bvh', 'missing', true],
  ]);
});

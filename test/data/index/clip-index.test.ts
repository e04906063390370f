import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClipIndex, type FileIdentity } from '../../../src/data/index/clip-index.ts';

const FOLDER = '/data/g1/walks';
const file = (name: string, bytes = 100, mtimeMs = 1_700_000_000_000.25): FileIdentity => ({
  path: path.join(FOLDER, name),
  bytes,
  mtimeMs,
});
const stateOf = ({ bytes, mtimeMs }: FileIdentity) => ({ bytes, mtimeMs });

let cache: string;
let errors: unknown[];
beforeEach(() => {
  cache = path.join(mkdtempSync(path.join(tmpdir(), 'clip-index-')), 'index');
  errors = [];
});
afterEach(() => {
  rmSync(path.dirname(cache), { recursive: true });
});

async function open(): Promise<ClipIndex> {
  const index = new ClipIndex({ cache, onError: (error) => errors.push(error) });
  await index.load(FOLDER);
  return index;
}
const onDisk = () => path.join(cache, readdirSync(cache)[0]!);

test('an entry survives a restart, but only for the same state of its file', async () => {
  const first = await open();
  first.put('facts', file('a.csv'), { frames: 12 });
  first.put('qa', file('a.csv'), { worst: 'ok' });
  first.put('facts', file('b.csv'), { frames: 3 });
  await first.close();
  const again = await open();
  expect(again.get('facts', file('a.csv'))).toEqual({ frames: 12 });
  expect(again.get('qa', file('a.csv'))).toEqual({ worst: 'ok' });
  expect(again.get('qa', file('b.csv'))).toBeNull();
  expect(again.get('facts', file('a.csv', 101))).toBeNull();
  expect(again.get('facts', file('a.csv', 100, 1_700_000_000_000.5))).toBeNull();
  expect(errors).toEqual([]);
});

test('a new state of a file discards all of its old values', async () => {
  const index = await open();
  index.put('facts', file('a.csv'), 1);
  index.put('qa', file('a.csv'), 2);
  index.put('facts', file('a.csv', 200), 3);
  expect(index.get('qa', file('a.csv'))).toBeNull();
  await index.close();
  const again = await open();
  expect([again.get('facts', file('a.csv', 200)), again.get('qa', file('a.csv', 200))]).toEqual([3, null]);
});

test('a late result for the old state of a file does not drop the failure of its new state', async () => {
  const index = await open();
  index.put('failed', file('a.csv', 200), 'line 1');
  index.put('qa', file('a.csv'), 'ok');
  const failures = (of: ClipIndex) => [of.get('failed', file('a.csv', 200)), of.get('failed', file('a.csv'))];
  expect(failures(index)).toEqual(['line 1', null]);
  await index.close();
  const again = await open();
  expect(failures(again)).toEqual(['line 1', null]);
  expect(again.get('qa', file('a.csv'))).toBe('ok');
  again.put('failed', file('a.csv', 300), 'line 2');
  await again.close();
  const last = await open();
  expect([...last.all('failed', FOLDER)]).toEqual([['a.csv', { value: 'line 2', ...stateOf(file('a.csv', 300)) }]]);
  last.keep(FOLDER, () => false);
  expect(last.all('failed', FOLDER).size).toBe(0);
});

test('a line truncated by a crash is dropped, earlier lines are used, and the file is repaired', async () => {
  const first = await open();
  for (let k = 0; k < 10; k++) first.put('facts', file(`${k}.csv`), { k });
  await first.close();
  truncateSync(onDisk(), readFileSync(onDisk()).length - 7);
  const second = await open();
  expect(second.get('facts', file('8.csv'))).toEqual({ k: 8 });
  expect(second.get('facts', file('9.csv'))).toBeNull();
  second.put('facts', file('9.csv'), { k: 'new' });
  await second.close();
  const third = await open();
  expect([third.get('facts', file('0.csv')), third.get('facts', file('9.csv'))]).toEqual([{ k: 0 }, { k: 'new' }]);
  expect(readFileSync(onDisk(), 'utf8').trimEnd().split('\n')).toHaveLength(11);
});

test('a line with a changed byte is ignored', async () => {
  const first = await open();
  first.put('facts', file('a.csv'), { frames: 12 });
  first.put('facts', file('b.csv'), { frames: 34 });
  await first.close();
  writeFileSync(onDisk(), readFileSync(onDisk(), 'utf8').replace('"frames":12', '"frames":13'));
  const again = await open();
  expect([again.get('facts', file('a.csv')), again.get('facts', file('b.csv'))]).toEqual([null, { frames: 34 }]);
});

test.each([
  ['an empty file', ''],
  ['a file of another kind', '\u0000\u0001 not an index\n'.repeat(100)],
  ['the index of another folder', null],
])('%s in place of the index is replaced', async (_, content) => {
  const first = await open();
  first.put('facts', file('a.csv'), 1);
  await first.close();
  writeFileSync(onDisk(), content ?? readFileSync(onDisk(), 'utf8').replace('walks', 'dance'));
  const second = await open();
  expect(second.get('facts', file('a.csv'))).toBeNull();
  second.put('facts', file('a.csv'), 2);
  await second.close();
  expect((await open()).get('facts', file('a.csv'))).toBe(2);
});

test('the index file is compacted before it reaches twice the needed size', async () => {
  const index = await open();
  for (let round = 0; round < 40; round++) {
    for (let k = 0; k < 100; k++) index.put('facts', file(`${k}.csv`, round), round);
    await index.flush();
  }
  await index.close();
  expect(readFileSync(onDisk(), 'utf8').trimEnd().split('\n').length).toBeLessThan(1400);
  expect((await open()).get('facts', file('7.csv', 39))).toBe(39);
});

test('deleted files are forgotten; entries stored before a folder is loaded are kept', async () => {
  const index = await open();
  index.put('facts', file('a.csv'), 1);
  index.put('facts', file('b.csv'), 2);
  index.keep(FOLDER, (name) => name === 'b.csv');
  expect([index.get('facts', file('a.csv')), index.get('facts', file('b.csv'))]).toEqual([null, 2]);
  const other = { path: '/data/other/c.csv', bytes: 1, mtimeMs: 1 };
  index.put('facts', other, 3);
  await expect.poll(() => index.get('facts', other)).toBe(3);
});

test('a cache that cannot be written is reported, and everything else works', async () => {
  writeFileSync(cache, 'a file where the folder should be');
  const index = await open();
  index.put('facts', file('a.csv'), 1);
  await index.flush();
  expect(errors.length).toBeGreaterThan(0);
  expect(index.get('facts', file('a.csv'))).toBe(1);
});

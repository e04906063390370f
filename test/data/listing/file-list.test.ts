import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findEntry, mergeEntries, updateEntries } from '../../../src/data/listing/clip-entries.ts';
import { listFolder, lookAt } from '../../../src/data/listing/clip-files.ts';
import { ClipSearch } from '../../../src/data/listing/clip-search.ts';
import { applyLooks, type FileList, NO_FILES, ofStem, takeList } from '../../../src/data/listing/file-list.ts';
import { randomFrom } from '../../support/random.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'file-list-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const take = async (before: FileList = NO_FILES) =>
  (await takeList(folder, 'raw', listFolder(folder, 'raw'), before, true)).files;
const never = { hasOtherOptions: () => false, mirror: false };

test('a list updated name by name equals a new listing', async () => {
  const random = randomFrom(7);
  const names = Array.from({ length: 60 }, (_, k) => `${k % 3 === 0 ? 'Walk' : 'walk'}${k % 7 === 0 ? '0' : ''}${k}`);
  const endings = ['.csv', '.pkl', '.CSV'];
  let files = await take();
  let entries = await mergeEntries(files, NO_FILES, [], never);
  for (let round = 0; round < 60; round++) {
    const touched = new Set<string>();
    for (let k = 0; k < 1 + random() * 12; k++) {
      const name = names[Math.floor(random() * names.length)]! + endings[Math.floor(random() * endings.length)]!;
      touched.add(name);
      if (random() < 0.4) rmSync(path.join(folder, name), { force: true });
      else writeFileSync(path.join(folder, name), 'x'.repeat(random() * 50));
    }
    const looks = (await lookAt(folder, touched, 'raw')).map((look) => ({ ...look, unfinished: false }));
    files = (await applyLooks(files, looks)).files;
    const stems = new Set(looks.map(({ name }) => name.slice(0, -4)));
    entries = await updateEntries(entries, stems, files, NO_FILES, never);
    const anew = await take();
    expect(files).toEqual(anew);
    expect(entries).toEqual(await mergeEntries(anew, NO_FILES, [], never));
  }
});

test('unchanged files and entries stay the same objects, so that they cause no events', async () => {
  for (const name of ['a', 'b', 'c']) writeFileSync(path.join(folder, `${name}.csv`), '1');
  const files = await take();
  const entries = await mergeEntries(files, NO_FILES, [], never);
  writeFileSync(path.join(folder, 'b.csv'), '12');
  writeFileSync(path.join(folder, 'aa.csv'), '1');
  const again = await take(files);
  expect(again.map((file) => files.includes(file))).toEqual([true, false, false, true]);
  const merged = await mergeEntries(again, NO_FILES, entries, never);
  expect(merged.map((entry) => [entry.name, entries.includes(entry)])).toEqual([
    ['a', true],
    ['aa', false],
    ['b', false],
    ['c', true],
  ]);
  expect(findEntry(merged, 'aa')?.raw?.path).toBe(path.join(folder, 'aa.csv'));
  expect([findEntry(merged, 'A'), findEntry(merged, 'zz')]).toEqual([null, null]);
});

test('two files of one stem are found together, files of similar names are not', async () => {
  for (const name of ['walk2.csv', 'walk2.pkl', 'walk02.csv', 'WALK2.csv', 'walk20.csv'])
    writeFileSync(path.join(folder, name), '1');
  const files = await take();
  expect(ofStem(files, 'walk2').map(({ file }) => file)).toEqual(['walk2.csv', 'walk2.pkl']);
  expect(ofStem(files, 'walk').length).toBe(0);
});

describe('a search', () => {
  test('a search runs once per listing', async () => {
    for (const name of ['arm', 'leg', 'arms']) writeFileSync(path.join(folder, `${name}.csv`), '1');
    const entries = await mergeEntries(await take(), NO_FILES, [], never);
    const search = new ClipSearch();
    const first = await search.find(entries, 'all', 'ARM');
    expect(first.map(({ name }) => name)).toEqual(['arm', 'arms']);
    expect(await search.find(entries, 'all', 'ARM')).toBe(first);
    expect(await search.find([...entries], 'all', 'ARM')).not.toBe(first);
    for (const query of ['1', '2', '3', '4', '5', '6', '7']) await search.find(entries, 'all', query);
    expect(await search.find(entries, 'all', 'ARM')).not.toBe(first); // the cache keeps only a few searches
    expect(await search.find(entries, 'converted', '')).toEqual([]);
  });
});

import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addMarks, changeMarks, readDatasetConfig, renameInDatasetFile } from '../../src/data/dataset-file.ts';
import { moveBack } from '../../src/trash/move-entry.ts';
import { type Subject, TrashStore } from '../../src/trash/trash-store.ts';

const CLIP: Subject = { kind: 'clip', robot: 'g1', name: 'walks/a' };
const RUN: Subject = { kind: 'run', robot: null, name: 'exp/first' };
const PRESET: Subject = { kind: 'preset', robot: 'g1', name: 'soft' };
const PRESET_FILE = 'config/g1/presets/soft.yaml';

let root: string;
let errors: unknown[];
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'trash-'));
  errors = [];
  for (const top of ['robots', 'data', 'config', 'logs/rsl_rl']) mkdirSync(path.join(root, top), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const open = async () => {
  const onError = (error: unknown) => errors.push(error);
  const store = new TrashStore({ root, renameMarks: renameInDatasetFile, addMarks, onError });
  await store.recover();
  return store;
};
const at = (file: string) => path.join(root, file);
const put = (file: string, text: string) => {
  mkdirSync(path.dirname(at(file)), { recursive: true });
  writeFileSync(at(file), text);
  return at(file);
};
const read = (file: string) => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : null);
/** Replaces the preset as the service does: never by writing into the file. */
const replaceBy = (store: TrashStore, text: string) =>
  store.replace(PRESET, [at(PRESET_FILE)], async () => {
    put('config/g1/presets/.new', text);
    renameSync(at('config/g1/presets/.new'), at(PRESET_FILE));
  });
const itemsOnDisk = () =>
  existsSync(at('.trash')) ? readdirSync(at('.trash')).filter((name) => !name.startsWith('.')) : [];

test('a deleted folder is restored with its content, also after a restart', async () => {
  put('logs/rsl_rl/exp/first/model_1.pt', 'weights');
  const undo = await (await open()).take(RUN, [at('logs/rsl_rl/exp/first')]);
  expect(existsSync(at('logs/rsl_rl/exp/first'))).toBe(false);
  const later = await open();
  expect(later.list().map(({ name, kind }) => [name, kind])).toEqual([['exp/first', 'run']]);
  expect(await later.putBack(undo)).toBeNull();
  expect(read('logs/rsl_rl/exp/first/model_1.pt')).toBe('weights');
  expect(later.list()).toEqual([]);
  await expect(later.putBack(undo)).rejects.toThrow('is not in the trash');
});

test('an item whose name is taken is not restored, and stays in the trash', async () => {
  put('logs/rsl_rl/exp/first/model_1.pt', 'old');
  const store = await open();
  const undo = await store.take(RUN, [at('logs/rsl_rl/exp/first')]);
  put('logs/rsl_rl/exp/first/model_1.pt', 'new');
  await expect(store.putBack(undo)).rejects.toMatchObject({ code: 'conflict' });
  expect(read('logs/rsl_rl/exp/first/model_1.pt')).toBe('new');
  rmSync(at('logs/rsl_rl/exp/first'), { recursive: true });
  await store.putBack(undo);
  expect(read('logs/rsl_rl/exp/first/model_1.pt')).toBe('old');
});

test('a replaced file is restored, and undoing the undo restores the newer version', async () => {
  put(PRESET_FILE, 'one');
  const store = await open();
  const undo = await replaceBy(store, 'two');
  expect(read(PRESET_FILE)).toBe('two');
  const redo = await store.putBack(undo!);
  expect(read(PRESET_FILE)).toBe('one');
  await store.putBack(redo!);
  expect(read(PRESET_FILE)).toBe('two');
});

test('a file that replaces nothing cannot be undone', async () => {
  const store = await open();
  expect(await store.replace(PRESET, [at(PRESET_FILE)], async () => void put(PRESET_FILE, 'one'))).toBeNull();
  expect(itemsOnDisk()).toEqual([]);
});

test('a replacement cannot be undone after a later one', async () => {
  put(PRESET_FILE, 'one');
  const store = await open();
  const first = await replaceBy(store, 'two');
  const second = await replaceBy(store, 'three');
  await expect(store.putBack(first!)).rejects.toThrow('has changed since');
  await store.putBack(second!);
  expect(read(PRESET_FILE)).toBe('two');
});

test('a failed replacement leaves the file unchanged and adds no item', async () => {
  put(PRESET_FILE, 'one');
  const store = await open();
  const failing = store.replace(PRESET, [at(PRESET_FILE)], () => Promise.reject(new Error('disk')));
  await expect(failing).rejects.toThrow('disk');
  expect(read(PRESET_FILE)).toBe('one');
  expect(store.list()).toEqual([]);
});

test('a clip is restored with its recipe, but not into a deleted dataset', async () => {
  put('data/g1/walks/a.csv', 'rows');
  put('data/g1/walks/a.recipe.yaml', 'steps');
  put('data/g1/walks/npz/a.npz', 'npz');
  const files = ['npz/a.npz', 'npz/a.original.npz', 'a.csv', 'a.recipe.yaml'].map((file) =>
    at(`data/g1/walks/${file}`),
  );
  const store = await open();
  const undo = await store.take(CLIP, files);
  expect(readdirSync(at('data/g1/walks'))).toEqual(['npz']);
  renameSync(at('data/g1/walks'), at('data/g1/other'));
  await expect(store.putBack(undo)).rejects.toThrow('the dataset of the clip "walks/a" does not exist');
  renameSync(at('data/g1/other'), at('data/g1/walks'));
  await store.putBack(undo);
  expect(['a.csv', 'a.recipe.yaml', 'npz/a.npz'].map((file) => read(`data/g1/walks/${file}`))).toEqual([
    'rows',
    'steps',
    'npz',
  ]);
});

describe('the marks of a clip', () => {
  const folder = () => at('data/g1/walks');
  const marksIn = async () =>
    Object.fromEntries([...(await readDatasetConfig(folder())).marks].map(([k, v]) => [k, v.tags]));
  /** Deletes a clip with its marks, as the service does. */
  const deleted = async (store: TrashStore) => {
    put('data/g1/walks/one.csv', '1');
    put('data/g1/walks/npz/one.npz', '2');
    put('data/g1/walks/dataset.yaml', 'version: 1\nclips:\n  one: {tags: [calm]}\n');
    const marks = { one: { tags: ['calm'] } };
    const places = ['npz/one.npz', 'one.csv'].map((file) => path.join(folder(), file));
    const undo = await store.take({ kind: 'clip', robot: 'g1', name: 'walks/one', marks }, places);
    await changeMarks(folder(), async (table) => void table.delete('one'));
    expect(await marksIn()).toEqual({});
    return undo;
  };
  const itemFile = (undo: string, k: number) => at(`.trash/${undo}/${k}`);

  test('are restored with it', async () => {
    const store = await open();
    await store.putBack(await deleted(store));
    expect(await marksIn()).toEqual({ one: ['calm'] });
  });

  test.each([1, 2])('are restored after a kill when %i of 2 files were back', async (back) => {
    const undo = await deleted(await open());
    const places = ['data/g1/walks/npz/one.npz', 'data/g1/walks/one.csv'];
    for (let k = 0; k < back; k += 1) renameSync(itemFile(undo, k), at(places[k]!));
    const later = await open();
    expect(places.map(read)).toEqual(['2', '1']);
    expect(await marksIn()).toEqual({ one: ['calm'] });
    expect([later.list(), errors]).toEqual([[], []]);
  });

  test('are not given to another clip of that name', async () => {
    const undo = await deleted(await open());
    renameSync(itemFile(undo, 0), at('data/g1/walks/npz/one.npz'));
    put('data/g1/walks/one.csv', 'another clip');
    const later = await open();
    expect(await marksIn()).toEqual({});
    expect(later.list()).toHaveLength(1);
  });

  test('that cannot be stored leave the clip in the trash', async () => {
    const store = await open();
    const undo = await deleted(store);
    put('data/g1/walks/dataset.yaml', 'clips: [');
    await expect(store.putBack(undo)).rejects.toMatchObject({ code: 'bad_input' });
    expect(read('data/g1/walks/one.csv')).toBeNull();
    put('data/g1/walks/dataset.yaml', 'version: 1\n');
    await store.putBack(undo);
    expect(await marksIn()).toEqual({ one: ['calm'] });
  });
});

test('a link is moved to the trash, and its target is not changed', async () => {
  const outside = put('outside/clip.csv', 'mine');
  mkdirSync(at('data/g1'), { recursive: true });
  symlinkSync(at('outside'), at('data/g1/linked'));
  const store = await open();
  const undo = await store.take({ kind: 'dataset', robot: 'g1', name: 'linked' }, [at('data/g1/linked')]);
  await store.discard(undo);
  expect(readFileSync(outside, 'utf8')).toBe('mine');
});

test('deleted items cannot be restored after the trash was emptied', async () => {
  put('logs/rsl_rl/exp/first/model_1.pt', 'old');
  const store = await open();
  const undo = await store.take(RUN, [at('logs/rsl_rl/exp/first')]);
  await store.discard(undo);
  expect(itemsOnDisk()).toEqual([]);
  await expect(store.putBack(undo)).rejects.toMatchObject({ code: 'bad_input' });
});

test.each(['../../etc', '', 'abc', 'aaaaaaaa-0123456789ab/../x', 'aaaaaaaa-0123456789ab'])(
  'the token %j is refused',
  async (undo) => {
    const store = await open();
    await expect(store.putBack(undo)).rejects.toMatchObject({ code: 'bad_input' });
  },
);

const ID = 'aaaaaaaa-0123456789ab';
const record = (entries: object[], more: object = {}) =>
  JSON.stringify({
    version: 1,
    kind: 'preset',
    action: 'delete',
    robot: 'g1',
    name: 'x',
    deleted: '2026-05-04T00:00:00Z',
    entries,
    ...more,
  });

test.each([
  ['a path out of the workspace', record([{ from: '../../outside.yaml', at: 0 }])],
  ['an absolute path', record([{ from: '/etc/passwd', at: 0 }])],
  ['a path of another kind of item', record([{ from: 'jobs/a/job.json', at: 0 }])],
  ['another version', record([], { version: 2 })],
  ['text that is not JSON', '{'],
])('a record with %s is ignored, and its files stay', async (_, text) => {
  put(`.trash/${ID}/item.json`, text);
  put(`.trash/${ID}/0`, 'content');
  const store = await open();
  expect(store.list()).toEqual([]);
  expect(errors).toHaveLength(1);
  expect(read(`.trash/${ID}/0`)).toBe('content');
});

test('items are not restored through a link that leads out of the workspace', async () => {
  mkdirSync(at('config/g1'), { recursive: true });
  mkdirSync(at('outside'));
  symlinkSync(at('outside'), at('config/g1/presets'));
  put(`.trash/${ID}/item.json`, record([{ from: 'config/g1/presets/evil.yaml', at: 0 }]));
  put(`.trash/${ID}/0`, 'content');
  const store = await open();
  await expect(store.putBack(ID)).rejects.toThrow('leads out of its folder');
  expect(readdirSync(at('outside'))).toEqual([]);
});

/** The files of a clip whose deletion or replacement is interrupted. */
const FILES = ['data/g1/walks/npz/a.npz', 'data/g1/walks/a.csv', 'data/g1/walks/a.recipe.yaml'];

test.each([0, 1, 2, 3])('a kill after %i of 3 files were moved loses no file', async (moved) => {
  for (const file of FILES) put(file, file);
  const item = { kind: 'clip', name: 'walks/a' };
  put(
    `.trash/${ID}/item.json`,
    record(
      FILES.map((from, k) => ({ from, at: k })),
      item,
    ),
  );
  for (const [k, file] of FILES.slice(0, moved).entries()) renameSync(at(file), at(`.trash/${ID}/${k}`));
  const store = await open();
  expect(store.list()).toHaveLength(moved === 3 ? 1 : 0);
  if (moved === 3) await store.putBack(ID);
  expect(FILES.map(read)).toEqual(FILES);
  expect(itemsOnDisk()).toEqual([]);
});

test('a file whose name was taken before the start stays in the trash', async () => {
  for (const file of FILES) put(file, file);
  put(
    `.trash/${ID}/item.json`,
    record(
      FILES.map((from, k) => ({ from, at: k })),
      { kind: 'clip', name: 'walks/a' },
    ),
  );
  renameSync(at(FILES[0]!), at(`.trash/${ID}/0`));
  put(FILES[0]!, 'new');
  const store = await open();
  expect(store.list()).toMatchObject([{ undo: ID, entries: [{ from: FILES[0] }] }]);
  expect([read(FILES[0]!), read(`.trash/${ID}/0`)]).toEqual(['new', FILES[0]]);
});

test.each([
  ['before the copy', () => {}, 'one', 0],
  ['after the copy', () => linkSync(at(PRESET_FILE), at(`.trash/${ID}/0`)), 'one', 0],
  [
    'after the new file is in place',
    () => {
      linkSync(at(PRESET_FILE), at(`.trash/${ID}/0`));
      unlinkSync(at(PRESET_FILE));
      put(PRESET_FILE, 'two');
    },
    'two',
    1,
  ],
  ['with the file moved away', () => renameSync(at(PRESET_FILE), at(`.trash/${ID}/0`)), 'one', 0],
])('a kill during a replacement %s keeps the last version and the one before', async (_, happens, now, items) => {
  put(PRESET_FILE, 'one');
  put(`.trash/${ID}/item.json`, record([{ from: PRESET_FILE, at: 0 }], { action: 'replace' }));
  happens();
  const store = await open();
  expect(read(PRESET_FILE)).toBe(now);
  expect(store.list()).toHaveLength(items);
  if (items === 1) await store.putBack(ID);
  expect(read(PRESET_FILE)).toBe('one');
});

test.each([
  ['0 of 2 files', 0, false],
  ['1 of 2 files', 1, false],
  ['2 of 2 files', 2, false],
  ['2 of 2 files and the marks', 2, true],
])(
  'a kill after a rename moved %s of a clip leaves files, marks and repairs under one name',
  async (_, moved, marked) => {
    const moves = [
      { from: put('data/g1/walks/a.csv', 'raw'), to: at('data/g1/walks/b.csv') },
      { from: put('data/g1/walks/npz/a.npz', 'converted'), to: at('data/g1/walks/npz/b.npz') },
    ];
    put('data/g1/walks/dataset.yaml', 'version: 1\nconvert: {fixes: {a: [debias_z]}}\nclips:\n  a: {tags: [slow]}\n');
    const names = new Map([['a', 'b']]);
    await (await open()).noteMoves(CLIP, moves, names);
    for (const { from, to } of moves.slice(0, moved)) renameSync(from, to);
    if (marked) await renameInDatasetFile(at('data/g1/walks'), names);
    const store = await open();
    const name = moved === 2 ? 'b' : 'a';
    expect(read(`data/g1/walks/${name}.csv`)).toBe('raw');
    expect(read(`data/g1/walks/npz/${name}.npz`)).toBe('converted');
    const { marks, convert } = await readDatasetConfig(at('data/g1/walks'));
    expect([...marks].map(([clip, { tags }]) => [clip, tags])).toEqual([[name, ['slow']]]);
    expect(Object.keys(convert.fixes ?? {})).toEqual([name]);
    expect(store.list()).toEqual([]);
    expect(itemsOnDisk()).toEqual([]);
    expect(errors).toEqual([]);
  },
);

test('two concurrent undos of the same item restore it once', async () => {
  put(PRESET_FILE, 'one');
  const store = await open();
  const undo = await store.take(PRESET, [at(PRESET_FILE)]);
  const both = await Promise.allSettled([store.putBack(undo), store.putBack(undo)]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(read(PRESET_FILE)).toBe('one');
});

/** A RAM disk; null where the temporary folder is on the same disk, or without one. */
const OTHER_DISK = (() => {
  const devices = ['/dev/shm', tmpdir()].map((folder) => statSync(folder, { throwIfNoEntry: false })?.dev);
  return devices[0] !== undefined && devices[0] !== devices[1] ? '/dev/shm' : null;
})();

describe.skipIf(OTHER_DISK === null)('with data and config on another disk', () => {
  let other: string;
  beforeEach(() => {
    other = mkdtempSync(path.join(OTHER_DISK!, 'trash-'));
    for (const top of ['data', 'config']) {
      mkdirSync(path.join(other, top));
      rmSync(at(top), { recursive: true });
      symlinkSync(path.join(other, top), at(top));
    }
  });
  afterEach(() => rmSync(other, { recursive: true }));
  /** Names in a folder, also hidden ones, without the entries of the trash. */
  const namesIn = (folder: string) =>
    readdirSync(at(folder))
      .filter((name) => !name.startsWith('.trashed-'))
      .sort();

  test('a replaced file is restored, and undoing the undo restores the newer version', async () => {
    put(PRESET_FILE, 'one');
    const store = await open();
    const undo = await replaceBy(store, 'two');
    const redo = await store.putBack(undo!);
    expect(read(PRESET_FILE)).toBe('one');
    await (await open()).putBack(redo!);
    expect(read(PRESET_FILE)).toBe('two');
    expect(namesIn('config/g1/presets')).toEqual(['soft.yaml']);
  });

  test('an undo that fails after the file was restored leaves both versions where they were', async () => {
    const csv = put('data/g1/walks/one.csv', 'old');
    put('data/g1/walks/dataset.yaml', 'clips: [');
    const store = await open();
    const subject: Subject = { kind: 'clip', robot: 'g1', name: 'walks/one', marks: { one: { tags: ['calm'] } } };
    const undo = await store.replace(subject, [csv], async () => {
      unlinkSync(csv);
      put('data/g1/walks/one.csv', 'new');
    });
    await expect(store.putBack(undo!)).rejects.toMatchObject({ code: 'bad_input' });
    expect(read('data/g1/walks/one.csv')).toBe('new');
    put('data/g1/walks/dataset.yaml', 'version: 1\n');
    await store.putBack(undo!);
    expect(read('data/g1/walks/one.csv')).toBe('old');
    expect(namesIn('data/g1/walks')).toEqual(['dataset.yaml', 'one.csv']);
  });

  test('a file that was created at the path in the meantime is not replaced', async () => {
    const kept = put('.trash/kept', 'old');
    const taken = put(PRESET_FILE, 'new');
    await expect(moveBack(kept, taken, 'the preset')).rejects.toMatchObject({ code: 'conflict' });
    expect([read('.trash/kept'), read(PRESET_FILE)]).toEqual(['old', 'new']);
    expect(readdirSync(at('config/g1/presets'))).toEqual(['soft.yaml']);
  });

  test('a folder that was moved to the trash of its former disk is not lost', async () => {
    put('.trash/item/0/model.csv', 'rows');
    const place = at('data/walks');
    await expect(moveBack(at('.trash/item/0'), place, 'the dataset "walks"')).rejects.toThrow(
      'undo: the dataset "walks" is on another disk than its original path. Move .trash/item/0 there yourself.',
    );
    expect(read('.trash/item/0/model.csv')).toBe('rows');
  });
});

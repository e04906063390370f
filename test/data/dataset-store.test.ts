import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StudioError } from '../../src/core/errors.ts';
import { watchFolders } from '../../src/core/files/watch-folders.ts';
import { type ClipFacts, readClipFacts } from '../../src/data/clip/clip-facts.ts';
import { DatasetStore } from '../../src/data/dataset-store.ts';
import { ClipIndex } from '../../src/data/index/clip-index.ts';
import { listFolder } from '../../src/data/listing/clip-files.ts';
import { WorkPool } from '../../src/workers/pool/pool.ts';

const row = '0,0,0.8,0,0,0,1,0.5\n';
const COLUMNS = 8;

let root: string;
let store: DatasetStore;
let asked: string[];
let changes: (string | null)[];
/** Reads the facts of a file for the store. A test can delay it. */
let facts: (file: string, format: string) => Promise<ClipFacts>;
let heard: () => void;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'datasets-'));
  asked = [];
  changes = [];
  heard = () => {};
  facts = readClipFacts;
  store = new DatasetStore({
    folder: root,
    robot: 'biped',
    facts: (file, format) => {
      asked.push(path.basename(file));
      return facts(file, format);
    },
    onChange: (dataset) => {
      changes.push(dataset);
      heard();
    },
    onError: () => {},
  });
  store.expectColumns(COLUMNS);
});
afterEach(() => {
  store.close();
  rmSync(root, { recursive: true });
});

/** Writes a file that has been complete for `ageS` seconds. */
function put(relative: string, content = row, ageS = 60): string {
  const file = path.join(root, relative);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  const time = Date.now() / 1000 - ageS;
  utimesSync(file, time, time);
  return file;
}
const names = async (query: Partial<Parameters<DatasetStore['clips']>[0]> = {}) =>
  (await store.clips({ dataset: 'a', ...query })).clips.map((clip) => clip.name);
const nextChange = () => new Promise<void>((resolve) => (heard = resolve));
async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(StudioError);
  expect((error as StudioError).code).toBe('bad_input');
  return (error as StudioError).message;
}

describe('datasets', () => {
  test('datasets are the folders of the robot with their counts, in natural order', async () => {
    put('walk10/a.csv');
    put('walk2/a.csv');
    put('walk2/b.pkl');
    put('walk2/npz/a.npz', '', 30); // newer than a.csv
    put('walk2/npz/b.npz', '', 90); // older than b.pkl
    put('walk2/npz/only.npz', '');
    put('loose.csv');
    mkdirSync(path.join(root, '.hidden'));
    mkdirSync(path.join(root, 'empty'));
    expect(await store.datasets()).toEqual([
      expect.objectContaining({ name: 'empty', source: 0, converted: 0, missing: 0 }),
      {
        name: 'walk2',
        source: 2,
        converted: 1, // a
        missing: 1, // b
        extra: 1, // only
        failed: 0,
        linked: false,
        path: path.join(root, 'walk2'),
        scan: null,
        error: null,
      },
      expect.objectContaining({ name: 'walk10', source: 1, converted: 0, missing: 1 }),
    ]);
    expect(asked).toEqual([]); // counting does not read files
  });

  test('a robot without a folder has no datasets', async () => {
    rmSync(root, { recursive: true });
    expect(await store.datasets()).toEqual([]);
    mkdirSync(root);
  });

  test('datasets with invalid names are listed with the remedy, and refused', async () => {
    put('bad!name/a.csv');
    const [dataset] = await store.datasets();
    expect(dataset).toMatchObject({ name: 'bad!name', source: 0 });
    expect(dataset?.error).toContain(`the folder's name "bad!name" must begin with`);
    expect(dataset?.error).toContain('Rename the folder');
    expect(await refusal(store.clips({ dataset: 'bad!name' }))).toContain('dataset: "bad!name" must begin with');
  });

  test('a dataset that is a link to a folder lists its clips, and stores its own npz files', async () => {
    const far = put('far/raw/a.csv');
    put('a/dataset.yaml', `version: 1\nsource: ${path.join(root, 'far')}\nconvert: {input_fps: 120}\n`);
    put('a/ignored.csv');
    put('a/npz/a.npz', '', 0);
    const [dataset] = await store.datasets();
    expect(dataset).toMatchObject({ name: 'a', source: 1, converted: 1, linked: true, path: path.join(root, 'far') });
    expect(await store.resolve('a', 'a', 'raw')).toMatchObject({
      path: far,
      format: 'csv',
      source: 'raw',
      read: { fps: 120 },
    });
  });

  test('the stored results of clips are kept while the linked folder is missing', async () => {
    const index = new ClipIndex({ cache: null, onError: () => {} });
    const own = new DatasetStore({ folder: root, robot: 'biped', facts, index, onChange: () => {} });
    const far = path.dirname(put('far/a.csv'));
    put('a/dataset.yaml', `version: 1\nsource: ${far}\n`);
    await own.datasets();
    for (let k = 0; k < 1100; k += 1) index.put('qa', { path: path.join(far, `${k}.csv`), bytes: 1, mtimeMs: 1 }, {});
    renameSync(far, `${far}-gone`);
    await own.refresh('a');
    expect((await own.datasets())[0]).toMatchObject({ source: 0, error: expect.stringContaining('not a folder') });
    expect(index.size(far)).toBe(1100);
    own.close();
  });

  test('datasets with a dangling link or an invalid dataset.yaml are listed with the error', async () => {
    put('a/dataset.yaml', 'version: 1\nsource: ../gone\n');
    put('b/dataset.yaml', 'version: 1\nconvert:\n  input_fps: fast\n');
    put('b/walk.csv');
    put('c/dataset.yaml', 'version: 1\nconvrt: {}\n');
    const [a, b, c] = await store.datasets();
    expect(a?.error).toBe(`dataset.yaml: source: ${path.join(root, 'gone')} is not a folder of this machine`);
    expect(b?.error).toBe('dataset.yaml:3: convert.input_fps: must be a number from 1 to 1000');
    expect(c?.error).toContain('dataset.yaml:2: convrt: is not a known field; did you mean "convert"?');
    expect(await refusal(store.resolve('b', 'walk', 'raw'))).toBe(`dataset: "b": ${b?.error}`);
  });
});

describe('clips', () => {
  test('a clip is listed with the properties of the file that loading would open', async () => {
    const csv = put('a/walk.csv', row.repeat(61));
    const result = await store.clips({ dataset: 'a' });
    expect(result).toMatchObject({ dataset: 'a', total: 1, page: 1, size: 50, pages: 1 });
    expect(result.clips).toEqual([
      {
        name: 'walk',
        status: 'missing',
        failed: null,
        excluded: false,
        weight: 1,
        tags: [],
        raw: true,
        stale: false,
        source: {
          ...{ file: 'walk.csv', format: 'csv', bytes: 61 * row.length },
          assumed: [
            { what: 'quaternion', value: 'xyzw', from: 'format' },
            { what: 'units', value: 'm', from: 'format' },
            { what: 'fps', value: 30, from: 'guess' },
            { what: 'joint_order', value: 'robot', from: 'guess' },
          ],
        },
        frames: 61,
        fps: 30,
        duration: 2,
        modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        qa: null,
        score: null,
        error: null,
      },
    ]);
    expect(Date.parse(result.clips[0]!.modified)).toBeCloseTo(Date.now() - 60_000, -4);
    put('a/npz/walk.npz', '', 30);
    store.markDirty(path.join(root, 'a', 'npz'));
    facts = async () => ({ frames: 101, fps: 50, columns: COLUMNS, error: null, assumed: null });
    const [converted] = (await store.clips({ dataset: 'a' })).clips;
    expect(converted).toMatchObject({ status: 'converted', frames: 101, fps: 50, duration: 2, raw: true });
    expect(asked).toEqual(['walk.csv', 'walk.npz']);
    expect(await store.resolve('a', 'walk', 'auto')).toMatchObject({ source: 'npz' });
    expect(await store.resolve('a', 'walk', 'raw')).toMatchObject({
      path: csv,
      format: 'csv',
      source: 'raw',
      read: {},
    });
  });

  test('clips in raw/ replace those beside it, and sub-folders are not searched', async () => {
    put('a/beside.csv');
    put('a/sub/deep.csv');
    expect(await names()).toEqual(['beside']);
    put('a/raw/inside.csv');
    put('a/raw/sub/deep.csv');
    store.markDirty(path.join(root, 'a', 'raw'));
    expect(await names()).toEqual(['inside']);
  });

  test('clips are files of known endings and links to them, not folders, hidden or temporary files', async () => {
    const real = put('elsewhere/real.csv');
    put('a/one.csv');
    put('a/TWO.CSV');
    put('a/notes.txt');
    put('a/.hidden.csv');
    put('a/.12-1-abc.studio-tmp');
    put('a/three.csv.part');
    mkdirSync(path.join(root, 'a/folder.csv'));
    symlinkSync(real, path.join(root, 'a/link.csv'));
    symlinkSync(path.join(root, 'nowhere'), path.join(root, 'a/broken.csv'));
    // A broken link is listed with an error.
    const { clips } = await store.clips({ dataset: 'a' });
    expect(clips.map(({ name, error }) => [name, error])).toEqual([
      ['broken', 'broken.csv: the file is a link to a missing target'],
      ['link', null],
      ['one', null],
      ['TWO', null],
    ]);
  });

  test('clips whose names are not UTF-8 are listed as unreadable', async () => {
    put('a/one.csv');
    writeFileSync(
      Buffer.concat([Buffer.from(path.join(root, 'a/w')), Buffer.from([0xe4]), Buffer.from('lk.csv')]),
      'x',
    );
    const { clips } = await store.clips({ dataset: 'a' });
    expect(clips.map(({ name, error }) => [name, error])).toEqual([
      ['one', null],
      ['w\ufffdlk', expect.stringMatching(/the file's name "w\ufffdlk" must begin with .*\. Rename the file\./)],
    ]);
  });

  test('clips are found by part of the name or wildcards, by status, and page by page in natural order', async () => {
    for (let index = 1; index <= 12; index += 1) put(`a/walk${index}.csv`);
    put('a/npz/walk3.npz', '', 0);
    put('a/npz/old.npz', '', 0);
    expect(await names({ size: 4, page: 2 })).toEqual(['walk4', 'walk5', 'walk6', 'walk7']);
    expect(await names({ q: 'WALK1' })).toEqual(['walk1', 'walk10', 'walk11', 'walk12']);
    expect(await names({ q: 'walk1?' })).toEqual(['walk10', 'walk11', 'walk12']);
    expect(await names({ status: 'converted' })).toEqual(['old', 'walk3']);
    expect((await store.clips({ dataset: 'a', status: 'raw' })).total).toBe(12);
    expect((await store.clips({ dataset: 'a', status: 'missing' })).total).toBe(11);
    const last = await store.clips({ dataset: 'a', size: 5, page: 3 });
    expect(last).toMatchObject({ total: 13, pages: 3, page: 3, size: 5 });
    expect(last.clips).toHaveLength(3);
    expect(await store.clips({ dataset: 'a', page: 9 })).toMatchObject({ total: 13, pages: 1, clips: [] });
    expect(await store.clips({ dataset: 'a', q: 'nothing' })).toMatchObject({ total: 0, pages: 1, clips: [] });
  });

  test('a clip with two source files, or with an invalid name, is listed with an error and counts as a source', async () => {
    put('a/walk.csv');
    put('a/walk.pkl');
    put('a/bad!.csv');
    const { clips } = await store.clips({ dataset: 'a' });
    expect(clips.map(({ name, error }) => [name, error])).toEqual([
      ['bad!', expect.stringContaining(`the file's name "bad!" must begin with`)],
      ['walk', 'the files walk.csv and walk.pkl are clips with the same name. Rename or remove one of them.'],
    ]);
    expect((await store.datasets())[0]).toMatchObject({ source: 2, missing: 2 });
    expect(await refusal(store.resolve('a', 'walk', 'auto'))).toContain('the files walk.csv and walk.pkl are clips');
    expect(asked).toEqual([]);
  });

  test('clips that do not fit the robot are listed with the reason', async () => {
    put('a/odd.csv', '0,0,0.8,0,0,0,1,0.5,0.5\n');
    put('a/pickled.pkl');
    const [odd, pickled] = (await store.clips({ dataset: 'a' })).clips;
    expect(odd?.error).toContain('the clip has 9 columns (7 of the root, 2 joints), this robot needs 8 columns');
    expect(pickled).toMatchObject({ source: { format: 'pkl' }, raw: true, status: 'missing', frames: null, fps: null });
    expect(pickled?.error).toContain('pickled.pkl: not a pickle');
  });

  test('clips use the frame rate of dataset.yaml, if set', async () => {
    put('a/walk.csv', row.repeat(121));
    put('a/dataset.yaml', 'version: 1\nconvert: {input_fps: 60}\n');
    expect((await store.clips({ dataset: 'a' })).clips[0]).toMatchObject({ fps: 60, duration: 2 });
  });
});

describe('facts', () => {
  test('properties of clips are read only for the listed page, once per state of a file', async () => {
    for (const name of ['a', 'b', 'c', 'd']) put(`a/${name}.csv`);
    await names({ size: 2, page: 2 });
    expect(asked).toEqual(['c.csv', 'd.csv']);
    await names({ size: 2, page: 2 });
    expect(asked).toEqual(['c.csv', 'd.csv']);
    put('a/c.csv', row.repeat(3));
    store.markDirty(path.join(root, 'a'));
    expect((await store.clips({ dataset: 'a', size: 2, page: 2 })).clips[0]?.frames).toBe(3);
    expect(asked).toEqual(['c.csv', 'd.csv', 'c.csv']);
    store.expectColumns(9);
    expect((await store.clips({ dataset: 'a', size: 1, page: 3 })).clips[0]?.error).toContain('this robot needs 9');
  });

  test('properties that take long to read are missing in the reply, and a later event announces them', async () => {
    put('a/slow.csv');
    let answer = (_: ClipFacts) => {};
    facts = () => new Promise((resolve) => (answer = resolve));
    const [clip] = (await store.clips({ dataset: 'a' })).clips;
    expect(clip).toMatchObject({ frames: null, fps: null, duration: null, error: null });
    expect(changes).toEqual([]);
    const change = nextChange();
    answer({ frames: 7, fps: null, columns: COLUMNS, error: null, assumed: null });
    await change;
    expect(changes).toEqual(['a']);
    expect((await store.clips({ dataset: 'a' })).clips[0]?.frames).toBe(7);
  });

  test('properties that could not be read are read again by the next listing', async () => {
    put('a/walk.csv');
    facts = () => Promise.reject(new Error('the thread died'));
    expect((await store.clips({ dataset: 'a' })).clips[0]).toMatchObject({ frames: null, error: null });
    facts = readClipFacts;
    expect((await store.clips({ dataset: 'a' })).clips[0]?.frames).toBe(1);
  });
});

describe('changes', () => {
  test('reported changes are listed at once, and announced if the listing differs', async () => {
    put('a/one.csv');
    expect(await names()).toEqual(['one']);
    put('a/two.csv');
    expect(await names()).toEqual(['one']); // the store was not notified
    store.markDirty(path.join(root, 'a'));
    expect(await names()).toEqual(['one', 'two']);
    expect(changes).toEqual(['a']);
    store.markDirty(path.join(root, 'a')); // nothing changed
    expect(await names()).toEqual(['one', 'two']);
    expect(changes).toEqual(['a']);
  });

  test('changes are announced without a request, also for datasets that were never listed', async () => {
    put('a/one.csv');
    await store.datasets();
    put('a/two.csv');
    let change = nextChange();
    store.markDirty(path.join(root, 'a'));
    await change;
    put('b/three.csv');
    change = nextChange();
    store.markDirty(root);
    await change;
    rmSync(path.join(root, 'a'), { recursive: true });
    change = nextChange();
    store.markDirty(root);
    await change;
    expect(changes).toEqual(['a', null, null]);
    expect((await store.datasets()).map(({ name }) => name)).toEqual(['b']);
  });

  test('copied files are noticed by the folder watch', async () => {
    put('a/one.csv');
    await store.datasets();
    const watch = watchFolders(root, { depth: 2, onError: () => {} }, (folder) => store.markDirty(folder));
    try {
      await watch.ready;
      const change = nextChange();
      put('a/raw/two.csv');
      await change;
      expect(await names()).toEqual(['two']);
    } finally {
      watch.close();
    }
  });

  test('a file being written is listed when it is complete or unchanged for a second', async () => {
    put('a/old.csv');
    const file = path.join(root, 'a/new.csv');
    writeFileSync(file, row + row.slice(0, 5));
    expect(await names()).toEqual(['old']);
    const change = nextChange();
    await change; // only elapsed time causes this change
    expect(await names()).toEqual(['new', 'old']);
    writeFileSync(file, row);
    store.markDirty(path.join(root, 'a'));
    expect(await names()).toEqual(['new', 'old']); // both are complete, because they end with a line break
  });

  test('waiting for new files ends when files that were just copied are listed', async () => {
    put('a/old.csv');
    expect(await names()).toEqual(['old']);
    writeFileSync(path.join(root, 'a/whole.csv'), row);
    writeFileSync(path.join(root, 'a/last line without break.csv'), row.trimEnd());
    expect(await store.awaitNewFiles('a')).toBe(true);
    expect(await names()).toEqual(['last line without break', 'old', 'whole']);
  });

  test('waiting for new files ends although a file keeps growing', async () => {
    put('a/old.csv');
    const growing = path.join(root, 'a/growing.csv');
    const write = () => writeFileSync(growing, row.trimEnd());
    write();
    const writing = setInterval(write, 100);
    try {
      expect(await store.awaitNewFiles('a')).toBe(false);
      expect(await names()).toEqual(['old']);
    } finally {
      clearInterval(writing);
    }
  });

  test('a file that was renamed or reported by its writer is listed at once', async () => {
    put('a/old.csv');
    const half = row.trimEnd();
    writeFileSync(path.join(root, 'a/.temp'), half);
    await new Promise((resolve) => setTimeout(resolve, 20)); // file times have a resolution of up to 10 ms
    renameSync(path.join(root, 'a/.temp'), path.join(root, 'a/new.csv'));
    expect(await names()).toEqual(['new', 'old']);
    writeFileSync(path.join(root, 'a/newer.csv'), half);
    await store.refresh('a');
    expect(await names()).toEqual(['new', 'newer', 'old']);
    writeFileSync(path.join(root, 'a/newest.csv'), half);
    store.touch('a', path.join(root, 'a/newest.csv'));
    expect(await names()).toEqual(['new', 'newer', 'newest', 'old']);
  });
});

test('a request sees reported changes while the background reads single files again and again', async () => {
  const file = path.join(root, 'a/raw/only.csv');
  const slow = new DatasetStore({
    folder: root,
    robot: 'biped',
    facts,
    // The background lists folders only after a pause of four times this duration. Until then it reads single files.
    list: async (folder, kind) => {
      await sleep(30);
      return listFolder(folder, kind);
    },
    onChange: () => {},
  });
  slow.expectColumns(COLUMNS);
  const list = async () => (await slow.clips({ dataset: 'a' })).clips.map(({ name }) => name);
  put('a/raw/only.csv');
  await list();
  let k = 0;
  const busy = setInterval(() => {
    k += 1;
    slow.touch('a', path.join(root, `a/raw/missing_${k}.csv`));
  }, 1);
  try {
    for (let round = 0; round < 15; round += 1) {
      rmSync(file);
      slow.touch('a', file);
      expect(await list()).toEqual([]);
      await sleep(107);
      put('a/raw/only.csv');
      slow.touch('a', file);
      expect(await list()).toEqual(['only']);
      await sleep(103);
    }
  } finally {
    clearInterval(busy);
    slow.close();
  }
});

describe('a clip that cannot be resolved is refused with the reason', () => {
  test.each<[string, string, 'auto' | 'npz' | 'raw', string]>([
    ['b', 'walk', 'auto', 'dataset: robot "biped" has no dataset "b"; did you mean "a"?'],
    ['a', 'wal', 'auto', 'clip: dataset "a" has no clip "wal"; did you mean "walk"?'],
    ['a', '../walk', 'raw', 'clip: dataset "a" has no clip "../walk"'],
    ['__proto__', 'walk', 'raw', 'dataset: robot "biped" has no dataset "__proto__"'],
    [
      'a',
      'walk',
      'npz',
      'clip: "walk" of dataset "a" is not converted. Convert it first, or load it with source "raw".',
    ],
    ['a', 'done', 'raw', 'clip: "done" of dataset "a" has no raw file. Load it with source "npz".'],
  ])(
    'a clip that cannot be resolved is refused with the reason: %s/%s from %s',
    async (dataset, clip, source, message) => {
      put('a/walk.csv');
      put('a/npz/done.npz');
      expect(await refusal(store.resolve(dataset, clip, source))).toContain(message);
    },
  );

  test('an npz older than its source is played only on request', async () => {
    put('a/walk.csv', row, 10);
    put('a/npz/walk.npz', '', 20);
    expect((await store.clips({ dataset: 'a' })).clips[0]).toMatchObject({ stale: true, status: 'missing' });
    expect(await store.resolve('a', 'walk', 'auto')).toMatchObject({ source: 'raw' });
    expect(await store.resolve('a', 'walk', 'npz')).toMatchObject({ source: 'npz' });
  });
});

test('ten thousand clips are listed without blocking the thread for long', async () => {
  mkdirSync(path.join(root, 'a/npz'), { recursive: true });
  for (let index = 0; index < 10_000; index += 1) writeFileSync(path.join(root, `a/clip_${index}.csv`), row);
  store.close();
  const pool = new WorkPool({ threads: 1, onError: () => {} });
  store = new DatasetStore({
    folder: root,
    robot: 'biped',
    facts: readClipFacts,
    list: (folder, kind) => pool.run('listFolder', folder, kind),
    onChange: () => {},
  });
  await pool.run('listFolder', path.join(root, 'a/npz'), 'npz'); // the thread has started
  let longest = 0;
  let last = performance.now();
  let lastCpu = process.cpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(lastCpu);
    // Count CPU time instead of wall time if it is smaller: on a loaded machine the thread waits for the CPU.
    longest = Math.max(longest, Math.min(now - last, (user + system) / 1000));
    last = now;
    lastCpu = process.cpuUsage();
  }, 1);
  const start = performance.now();
  const [dataset] = await store.datasets();
  const first = performance.now() - start;
  const listing = performance.now();
  const page = await store.clips({ dataset: 'a', q: '*99*', size: 20 });
  const second = performance.now() - listing;
  clearInterval(timer);
  await pool.close();
  console.log(
    `10,000 clips: counted in ${first.toFixed(0)} ms, a page in ${second.toFixed(0)} ms, thread held ${longest.toFixed(0)} ms`,
  );
  expect(dataset?.source).toBe(10_000);
  // 280 of the numbers below 10,000 contain "99".
  expect(page).toMatchObject({ total: 280, pages: 14 });
  expect(page.clips[0]).toMatchObject({ name: 'clip_99', frames: 1 });
  // The same thread sends a frame every 16 ms.
  expect(longest).toBeLessThan(250);
});

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isTemp } from '../../src/core/files/atomic-file.ts';
import { formatYaml } from '../../src/core/yaml-file.ts';
import { writeNpz } from '../../src/formats/npz.ts';
import { finish, Listener, request } from '../support/client.ts';
import { open, readAnswer, requestText, sendRaw } from '../support/raw-http.ts';
import { memoryMib } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const studio = useStudio();

/** Timeout for changes that the service detects without a request. */
const SOON = { timeout: 30_000 };
const JOINTS = 4;
const BODIES = 5;

let outside: string;

beforeAll(async () => {
  // Resolve links: on macOS and some other machines, the path of the temporary folder contains links.
  outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'motion-studio-source-')));
  addWalker(studio.workspace);
  await studio.start();
  const busy = await finish(studio.address, 'POST /api/robot/select', { name: 'walker' });
  expect(busy).toMatchObject({ state: 'done' });
});
afterAll(async () => {
  rmSync(outside, { recursive: true });
});

const inData = (...parts: string[]) => path.join(studio.workspace, 'data/walker', ...parts);

interface Answer {
  readonly status: number;
  readonly body: { detail?: string; clip?: string; bytes?: number; clips?: string[]; ok?: boolean };
}

async function put(dataset: string, file: string, content: string | Uint8Array): Promise<Answer> {
  const where = `/api/data/upload/${encodeURIComponent(dataset)}/${encodeURIComponent(file)}`;
  const response = await fetch(studio.address + where, { method: 'PUT', body: content as never });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

async function remove(where: string): Promise<Answer> {
  const response = await fetch(studio.address + where, { method: 'DELETE' });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const newDataset = (name: string) => request(studio.address, 'POST /api/data/new', { name });
const clipsOf = async (dataset: string) =>
  (await request(studio.address, 'GET /api/data/clips', { dataset, size: '1000' })).body.clips;
const namesOf = async (dataset: string) => (await clipsOf(dataset)).map(({ name }) => name);
const datasetOf = async (name: string) =>
  (await request(studio.address, 'GET /api/data/datasets')).body.datasets.find((dataset) => dataset.name === name);

/** Lists every file below a folder with hash and modification time, to show that no file changed. Omits the service's
 *  own folder `.studio`, in which the service writes and deletes files at any time. */
function treeOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== '.studio')
    .flatMap((top) => {
      if (!top.isDirectory()) return [top.name];
      const below = readdirSync(path.join(folder, top.name), { recursive: true, encoding: 'utf8' });
      return [top.name, ...below.map((entry) => path.join(top.name, entry))];
    })
    .map((entry) => {
      const stats = statSync(path.join(folder, entry));
      const content = stats.isFile() ? readFileSync(path.join(folder, entry)) : '';
      return `${entry} ${stats.mtimeMs} ${createHash('sha256').update(content).digest('hex')}`;
    })
    .sort();
}

const temps = () =>
  readdirSync(path.join(studio.workspace, 'data'), { recursive: true, encoding: 'utf8' }).filter((entry) =>
    isTemp(path.basename(entry)),
  );

function npz(frames: number, more: Record<string, number[]> = {}): Uint8Array {
  const floats = (...shape: number[]) => ({
    dtype: 'f4' as const,
    shape,
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, k) =>
      shape.at(-1) === 4 && k % 4 === 0 ? 1 : 0.1,
    ),
  });
  return writeNpz([
    ['fps', { dtype: 'f4', shape: [1], data: Float32Array.of(50) }],
    ['joint_pos', floats(frames, JOINTS)],
    ['joint_vel', floats(frames, JOINTS)],
    ['body_pos_w', floats(frames, BODIES, 3)],
    ['body_quat_w', floats(frames, BODIES, 4)],
    ['body_lin_vel_w', floats(frames, BODIES, 3)],
    ['body_ang_vel_w', floats(frames, BODIES, 3)],
    ...Object.entries(more).map(
      ([name, values]) =>
        [name, { dtype: 'f8' as const, shape: [values.length], data: Float64Array.from(values) }] as const,
    ),
  ]);
}

describe('new datasets', () => {
  test('a new dataset is an empty folder; a taken or invalid name is refused by field', async () => {
    expect((await newDataset('fresh set')).body).toEqual({ ok: true, dataset: 'fresh set' });
    expect(await datasetOf('fresh set')).toMatchObject({
      source: 0,
      converted: 0,
      missing: 0,
      linked: false,
      scan: null,
    });
    expect((await newDataset('fresh set')).body.detail).toContain(
      'name: robot "walker" already has a dataset "fresh set"',
    );
    for (const name of ['', '../up', '.hidden', 'a/b', 'con', 'x.', '__proto__', 'é'.normalize('NFD')]) {
      const { status, body } = await newDataset(name);
      expect([name, status]).toEqual([name, 400]);
      expect(body.detail).toMatch(/^name: /);
    }
  });
});

describe('uploads', () => {
  beforeEach(async () => {
    await remove('/api/data/datasets/up');
    expect((await newDataset('up')).status).toBe(200);
  });

  test('an upload is listed when it is answered: raw files in the folder, npz in npz/, with an event', async () => {
    const listener = await Listener.open(studio.address);
    const clip = walkerClip(31);
    expect(await put('up', 'walk.csv', clip)).toEqual({
      status: 200,
      body: { ok: true, clip: 'walk', bytes: clip.length, clips: ['walk'], undo: null },
    });
    expect(await clipsOf('up')).toMatchObject([{ name: 'walk', status: 'missing', frames: 31, error: null }]);
    expect((await put('up', 'walk.npz', npz(51))).status).toBe(200);
    expect(await clipsOf('up')).toMatchObject([{ name: 'walk', status: 'converted', frames: 51, fps: 50 }]);
    expect(readdirSync(inData('up')).sort()).toEqual(['npz', 'walk.csv']);
    expect(readFileSync(inData('up/walk.csv'), 'utf8')).toBe(clip);
    await listener.nextEvent('data', ({ dataset, reason }) => dataset === 'up' && reason === 'counts');
    listener.close();
  });

  test('an upload goes into raw/ if the dataset has its clips there, and replaces a file of the same name', async () => {
    mkdirSync(inData('up/raw'));
    await put('up', 'a.csv', walkerClip(5));
    await put('up', 'a.csv', walkerClip(7));
    expect(readdirSync(inData('up'))).toEqual(['raw']);
    expect(await clipsOf('up')).toMatchObject([{ name: 'a', frames: 7 }]);
  });

  test.each([
    ['short.csv', '1,2,3\n', 'short.csv: line 1, column 3: the line has only 3 columns'],
    [
      'other.csv',
      `${Array(20).fill(0).join(',')}\n`,
      'other.csv: the clip has 20 columns (7 of the root, 13 joints), this robot needs 11',
    ],
    ['empty.csv', '', 'empty.csv: '],
    ['cut.npz', npz(4).subarray(0, 700), 'cut.npz: '],
    ['text.pkl', 'cos\nsystem\n(S"touch PWNED"\ntR.', 'text.pkl: '],
    [
      'notes.txt',
      'x',
      'file: "notes.txt" is not a clip: its name must end with one of .csv, .pkl, .npy, .motion, .npz',
    ],
    ['.csv', walkerClip(2), 'file: '],
    ['bad!.csv', walkerClip(2), 'file: "bad!" must begin with'],
    ['con.csv', walkerClip(2), 'file: "con" is a device name'],
  ])(
    'uploads that are not a clip of the robot, such as %s, are refused and not kept',
    async (file, content, detail) => {
      const { status, body } = await put('up', file, content);
      expect([status, body.detail]).toEqual([400, expect.stringContaining(detail)]);
      expect(readdirSync(inData('up'), { recursive: true })).toEqual([]);
    },
  );

  test('an upload is refused for an unknown dataset, or if the clip exists in another format', async () => {
    expect(await put('nope', 'a.csv', walkerClip(2))).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('dataset: robot "walker" has no dataset "nope"') },
    });
    writeFileSync(inData('up/a.pkl'), '.');
    expect((await put('up', 'a.csv', walkerClip(2))).body.detail).toBe(
      'file: dataset "up" already has the clip "a" as a.pkl. Delete that file first.',
    );
    expect(readdirSync(inData('up'))).toEqual(['a.pkl']);
  });

  test('concurrent uploads of one name leave one complete file', async () => {
    const rows = Array.from({ length: 12 }, (_, k) => 200 + k);
    const answers = await Promise.all(rows.map((count) => put('up', 'race.csv', walkerClip(count))));
    expect(answers.map(({ status }) => status)).toEqual(rows.map(() => 200));
    const [clip] = await clipsOf('up');
    expect(rows).toContain(clip?.frames);
    expect(readdirSync(inData('up'))).toEqual(['race.csv']);
  });

  test('an aborted upload leaves nothing', async () => {
    const socket = await open(studio.port);
    const body = walkerClip(2000);
    socket.write(requestText('PUT', '/api/data/upload/up/gone.csv', { 'Content-Length': String(2 * body.length) }));
    socket.write(body);
    await expect.poll(() => temps().length, SOON).toBeGreaterThan(0);
    socket.destroy();
    await expect.poll(() => readdirSync(inData('up')), SOON).toEqual([]);
    expect(await namesOf('up')).toEqual([]);
    await expect.poll(temps, SOON).toEqual([]);
  });

  test('an upload by a path out of the dataset is refused, and nothing is written', async () => {
    const before = treeOf(studio.workspace);
    const body = walkerClip(3);
    for (const where of [
      'up/../../escape.csv',
      'up/%2e%2e%2fescape.csv',
      'up/..%5cescape.csv',
      '..%2f..%2frobots/escape.csv',
      '%2e%2e/escape.csv',
      'up/%00.csv',
      'up/a%2fb.csv',
      'up/C:%5cescape.csv',
      'up/%ff.csv',
      `up/${'a'.repeat(300)}.csv`,
      'up//etc/passwd.csv',
      '__proto__/a.csv',
      '/a.csv',
    ]) {
      const answer = await sendRaw(studio.port, requestText('PUT', `/api/data/upload/${where}`, {}, body), 'PUT');
      expect([where, [400, 404].includes(answer.status)]).toEqual([where, true]);
      expect((JSON.parse(answer.body) as { detail: string }).detail).not.toBe('');
    }
    expect(treeOf(studio.workspace)).toEqual(before);
  });

  test('an upload does not follow links out of the dataset', async () => {
    const target = path.join(outside, 'elsewhere');
    mkdirSync(target);
    symlinkSync(target, inData('up/npz'));
    expect((await put('up', 'a.npz', npz(4))).body.detail).toContain(
      '"npz" of "up" is a link to a place outside the dataset',
    );
    rmSync(inData('up/npz'));
    const victim = path.join(outside, 'victim.csv');
    writeFileSync(victim, 'untouched');
    symlinkSync(victim, inData('up/a.csv'));
    expect((await put('up', 'a.csv', walkerClip(3))).status).toBe(200);
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
    symlinkSync(target, inData('other'));
    expect((await put('other', 'a.csv', walkerClip(3))).body.detail).toContain('the folder of "other" is a link');
    expect(readdirSync(target)).toEqual([]);
    expect((await remove('/api/data/datasets/other')).status).toBe(200);
    expect(existsSync(target)).toBe(true);
  });

  test('an uploaded bundle becomes its clips', async () => {
    const bundle = npz(10, { segment_start_idx: [0, 4], segment_length: [4, 6] });
    const { status, body } = await put('up', 'all.npz', bundle);
    expect([status, body.clips]).toEqual([200, ['1', '2']]);
    expect(await clipsOf('up')).toMatchObject([
      { name: '1', status: 'converted', frames: 4 },
      { name: '2', status: 'converted', frames: 6 },
    ]);
    expect(readdirSync(inData('up/npz')).sort()).toEqual(['1.npz', '2.npz']);
  });

  test('a damaged bundle is refused by its file name; a damaged bundle copied in by hand is listed as damaged', async () => {
    const overlapping = npz(10, { segment_start_idx: [0, 2], segment_length: [4, 6] });
    const { status, body } = await put('up', 'all.npz', overlapping);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(/^all\.npz: the clip .* overlaps/)]);
    mkdirSync(inData('up/npz'), { recursive: true });
    writeFileSync(inData('up/npz/hand.npz'), npz(10, { segment_start_idx: [0, 4], segment_length: [4, 6] }));
    await request(studio.address, 'POST /api/data/uploaded');
    const [clip] = (await clipsOf('up')).filter(({ name }) => name === 'hand');
    expect(clip!.error).toMatch(/^hand\.npz: the file is a bundle of 2 clips, .* Upload or import it/);
    const busy = await finish(studio.address, 'POST /api/data/load', { dataset: 'up', clip: 'hand' });
    expect(busy).toMatchObject({ state: 'failed', error: expect.stringContaining('is a bundle of 2 clips') });
  });

  test('POST /api/data/uploaded ends a batch of uploads and counts them all', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, k) => put('up', `clip${k}.csv`, walkerClip(3))));
    const { body } = await request(studio.address, 'POST /api/data/uploaded');
    expect(body.datasets.find(({ name }) => name === 'up')).toMatchObject({ source: 20, missing: 20 });
  });
});

describe('downloads', () => {
  test('a download returns the bytes under the file name, and an unknown clip is refused', async () => {
    await newDataset('down');
    const clip = walkerClip(20_000);
    await put('down', 'größe 1.csv', clip);
    const where = `${studio.address}/api/data/download?dataset=down&clip=${encodeURIComponent('größe 1')}`;
    const response = await fetch(where);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="gr__e 1.csv"; filename*=UTF-8''gr%C3%B6%C3%9Fe%201.csv`,
    );
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(clip)));
    expect(await response.text()).toBe(clip);
    const head = await fetch(where, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(clip))]);
    expect((await fetch(`${where}&source=npz`)).status).toBe(400);
    expect((await fetch(`${studio.address}/api/data/download?dataset=down&clip=..%2f..%2fstudio`)).status).toBe(400);
  });

  test('a download does not follow a link out of the dataset', async () => {
    await newDataset('links');
    writeFileSync(path.join(studio.workspace, 'outside.csv'), walkerClip(10));
    symlinkSync(path.join(studio.workspace, 'outside.csv'), inData('links/linked.csv'));
    await request(studio.address, 'POST /api/data/uploaded');
    const response = await fetch(`${studio.address}/api/data/download?dataset=links&clip=linked`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('is a link out of the dataset');
  });

  test('a download waits for a slow reader without reading ahead', async () => {
    const row = `${walkerClip(1).trim()}\n`;
    writeFileSync(inData('down/large.csv'), row.repeat(Math.ceil((96 << 20) / row.length)));
    utimesSync(inData('down/large.csv'), 1e9, 1e9);
    await request(studio.address, 'POST /api/data/uploaded');
    const memory = () => memoryMib(studio.service, 'VmRSS');
    const before = memory();
    const socket = await open(studio.port);
    socket.write(requestText('GET', '/api/data/download?dataset=down&clip=large'));
    socket.once('data', () => socket.pause());
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(memory() - before).toBeLessThan(48);
    socket.destroy();
    const whole = await fetch(`${studio.address}/api/data/download?dataset=down&clip=large`);
    expect((await whole.arrayBuffer()).byteLength).toBe(statSync(inData('down/large.csv')).size);
  });
});

describe('imports', () => {
  let source: string;
  beforeAll(() => {
    source = path.join(outside, 'takes');
    mkdirSync(path.join(source, 'raw/deeper'), { recursive: true });
    mkdirSync(path.join(source, 'npz'));
    for (const name of ['one', 'two', 'three']) writeFileSync(path.join(source, 'raw', `${name}.csv`), walkerClip(9));
    writeFileSync(path.join(source, 'raw/deeper/not-me.csv'), walkerClip(9));
    writeFileSync(path.join(source, 'beside.csv'), walkerClip(9));
    writeFileSync(path.join(source, 'npz/one.npz'), npz(6));
    writeFileSync(path.join(source, 'bundle.npz'), npz(10, { segment_start_idx: [0, 4], segment_length: [4, 6] }));
    utimesSync(path.join(source, 'raw/one.csv'), 2e9, 2e9); // newer than its npz: the clip is stale and remains so
    symlinkSync('one.csv', path.join(source, 'raw/inside.csv'));
    writeFileSync(path.join(outside, 'secret.csv'), walkerClip(9));
    symlinkSync(path.join(outside, 'secret.csv'), path.join(source, 'raw/secret.csv'));
    writeFileSync(path.join(source, 'dataset.yaml'), formatYaml({ version: 1, convert: { input_fps: 60 } }));
  });
  const importing = (body: object) =>
    finish(studio.address, 'POST /api/data/import', body) as Promise<{
      state: string;
      error: string | null;
      message: string;
    }>;

  test('an import copies the clips of the folder in the upstream layout and skips links out of it', async () => {
    const before = treeOf(source);
    const busy = await importing({ source });
    expect(busy).toMatchObject({ state: 'done', message: expect.stringContaining('raw/secret.csv') });
    expect(treeOf(inData('takes')).map((line) => line.split(' ')[0])).toEqual([
      'dataset.yaml',
      'npz',
      'npz/1.npz',
      'npz/2.npz',
      'npz/one.npz',
      'raw',
      'raw/inside.csv',
      'raw/one.csv',
      'raw/three.csv',
      'raw/two.csv',
    ]);
    expect(await datasetOf('takes')).toMatchObject({ source: 4, converted: 0, missing: 4, extra: 2, linked: false });
    const [, , , one] = await clipsOf('takes');
    expect(one).toMatchObject({ name: 'one', stale: true, frames: 9, fps: 60 });
    expect(treeOf(source)).toEqual(before);
    expect(temps()).toEqual([]);
  });

  test('an import by link lists the folder without copying, and never writes or deletes in it', async () => {
    const before = treeOf(source);
    expect(await importing({ source, name: 'linked', link: true })).toMatchObject({ state: 'done' });
    expect(readdirSync(inData('linked'))).toEqual(['dataset.yaml']);
    expect(await datasetOf('linked')).toMatchObject({ source: 5, linked: true, path: source });
    expect((await put('linked', 'new.csv', walkerClip(3))).body.detail).toContain(`"linked" is linked to ${source}`);
    expect((await put('linked', 'new.npz', npz(4))).status).toBe(400);
    expect((await remove('/api/data/datasets/linked/clips/two')).body.detail).toContain('does not change files there');
    mkdirSync(inData('linked/npz'));
    cpSync(path.join(source, 'npz/one.npz'), inData('linked/npz/two.npz'));
    await expect.poll(async () => (await datasetOf('linked'))?.converted, SOON).toBe(1);
    expect((await remove('/api/data/datasets/linked/clips/two')).status).toBe(200);
    expect(await datasetOf('linked')).toMatchObject({ source: 5, converted: 0 });
    symlinkSync(path.join(source, 'raw'), inData('linked/npz/way-in'));
    expect((await remove('/api/data/datasets/linked')).status).toBe(200);
    expect(existsSync(inData('linked'))).toBe(false);
    expect(treeOf(source)).toEqual(before);
  });

  test("an import by link uses npz files of the folder; the dataset's own npz takes precedence", async () => {
    const there = path.join(outside, 'converted');
    mkdirSync(path.join(there, 'npz'), { recursive: true });
    for (const name of ['a', 'b']) writeFileSync(path.join(there, `${name}.csv`), walkerClip(9));
    for (const name of ['a', 'c']) writeFileSync(path.join(there, `npz/${name}.npz`), npz(6));
    const before = treeOf(there);
    await importing({ source: there, name: 'theirs', link: true });
    expect(await datasetOf('theirs')).toMatchObject({ source: 2, converted: 1, missing: 1, extra: 1 });
    expect(await clipsOf('theirs')).toMatchObject([
      { name: 'a', status: 'converted', frames: 6 },
      { name: 'b', status: 'missing' },
      { name: 'c', status: 'converted', raw: false },
    ]);
    expect((await remove('/api/data/datasets/theirs/clips/c')).body.detail).toContain('does not change files there');
    await request(studio.address, 'POST /api/data/convert', { dataset: 'theirs', which: 'all' });
    await expect.poll(async () => (await datasetOf('theirs'))?.converted, SOON).toBe(2);
    await expect.poll(() => readdirSync(inData('theirs/npz')).sort(), SOON).toEqual(['a.npz', 'b.npz']);
    await expect.poll(async () => (await clipsOf('theirs'))[0]?.frames, SOON).not.toBe(6);
    expect(treeOf(there)).toEqual(before);
    // A clip that is added to the folder later is listed as well.
    writeFileSync(path.join(there, 'npz/d.npz'), npz(5));
    await expect
      .poll(async () => (await clipsOf('theirs')).map(({ name }) => name), SOON)
      .toEqual(['a', 'b', 'c', 'd']);
    rmSync(path.join(there, 'npz/d.npz'));
    await expect.poll(async () => (await datasetOf('theirs'))?.converted, SOON).toBe(2);
    await expect
      .poll(async () => (await request(studio.address, 'GET /api/jobs')).body.jobs[0]?.status, SOON)
      .not.toBe('running');
    expect((await remove('/api/data/datasets/theirs')).status).toBe(200);
    expect(readdirSync(path.join(there, 'npz')).sort()).toEqual(['a.npz', 'c.npz']);
  });

  test('an import of anything but a folder with clips is refused with the reason', async () => {
    mkdirSync(path.join(outside, 'none/only'), { recursive: true });
    writeFileSync(path.join(outside, 'none/readme.md'), '');
    const refusals: [object, string][] = [
      [{ source: path.join(outside, 'gone') }, 'does not exist on the machine'],
      [{ source: path.join(outside, 'secret.csv') }, 'is a file, not a folder'],
      [{ source: 'takes' }, 'must be an absolute path'],
      [{ source: path.join(outside, 'none') }, 'contains no clips: it contains only/, readme.md'],
      [{ source: inData('takes') }, 'is inside the datasets of this workspace'],
      [{ source, name: 'takes' }, 'already has a dataset "takes"'],
      [{ source, name: '../x' }, 'name: "../x" must begin'],
      [{ source, name: 'x', copy: true }, 'copy: is not a known field'],
    ];
    for (const [body, detail] of refusals) {
      const answer = await request(studio.address, 'POST /api/data/import', body);
      expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(detail)]);
    }
    await expect.poll(() => readdirSync(inData()).filter((name) => name.startsWith('.')), SOON).toEqual([]);
  });
});

describe('deletion', () => {
  test('deleting a clip removes its files; deleting a dataset removes all files and its scan', async () => {
    await newDataset('old');
    await put('old', 'a.csv', walkerClip(40));
    await put('old', 'a.npz', npz(5));
    await put('old', 'b.csv', walkerClip(40));
    expect((await remove('/api/data/datasets/old/clips/a')).body).toEqual({ ok: true, undo: expect.any(String) });
    expect(await namesOf('old')).toEqual(['b']);
    await finish(studio.address, 'POST /api/data/scan', { dataset: 'old' });
    expect((await datasetOf('old'))?.scan?.clips).toBe(1);
    expect((await remove('/api/data/datasets/old')).body).toEqual({ ok: true, undo: expect.any(String) });
    expect(await datasetOf('old')).toBeUndefined();
    await newDataset('old');
    expect((await datasetOf('old'))?.scan).toBeNull();
    for (const where of ['nope', 'nope/clips/a', 'old/clips/a', 'old/clips/..%2f..%2fwalker.xml'])
      expect([where, (await remove(`/api/data/datasets/${where}`)).status]).toEqual([where, 400]);
  });
});

describe('a dataset that a job uses', () => {
  test('a dataset that a job uses, and its clips, cannot be deleted until the job has ended', async () => {
    await newDataset('used');
    await Promise.all(Array.from({ length: 12 }, (_, k) => put('used', `c${k}.csv`, walkerClip(3000))));
    const { body } = await request(studio.address, 'POST /api/data/convert', { dataset: 'used', batch_size: 1 });
    for (const where of ['used', 'used/clips/c0'])
      expect(await remove(`/api/data/datasets/${where}`)).toEqual({
        status: 409,
        body: { detail: `the job "${body.job}" uses the dataset "used". Stop the job or wait until it ends.` },
      });
    await fetch(`${studio.address}/api/jobs/${body.job}/stop`, { method: 'POST' });
    const ended = async () =>
      (await request(studio.address, 'GET /api/jobs')).body.jobs.find(({ name }) => name === body.job)?.ended;
    await expect.poll(ended, { timeout: 20_000 }).not.toBeNull();
    expect((await remove('/api/data/datasets/used')).status).toBe(200);
  });
});

describe('a scan', () => {
  test('a scan measures hours and lengths, names unreadable clips, and survives a restart', async () => {
    await newDataset('measured');
    for (const [k, rows] of [31, 91, 91, 301].entries()) await put('measured', `c${k}.csv`, walkerClip(rows));
    writeFileSync(inData('measured/wrong.csv'), '1,2\n');
    writeFileSync(inData('measured/gap.csv'), walkerClip(20).replace(/^0?[^,]*/, 'nan'));
    symlinkSync(inData('measured/gone.csv'), inData('measured/lost.csv'));
    const listener = await Listener.open(studio.address);
    expect(await finish(studio.address, 'POST /api/data/scan', { dataset: 'measured' })).toMatchObject({
      state: 'done',
    });
    await listener.nextEvent('data', ({ dataset, reason }) => dataset === 'measured' && reason === 'scan');
    listener.close();
    const scan = (await datasetOf('measured'))?.scan;
    // Four readable clips: 1 s, 3 s, 3 s and 10 s.
    expect(scan).toMatchObject({
      clips: 4,
      unreadable: [
        { clip: 'gap', error: expect.stringContaining('gap.csv: line 1 contains nan or inf') },
        { clip: 'lost', error: 'lost.csv: the file is a link to a missing target' },
        { clip: 'wrong', error: expect.stringContaining('wrong.csv: line 1') },
      ],
      histogram: { edges: [1, 2, 3, 5, 7, 10, 15], counts: [1, 0, 2, 0, 0, 1] },
    });
    expect(scan?.hours).toBeCloseTo(17 / 3600, 9);
    await studio.stop();
    await studio.start();
    await expect.poll(async () => (await request(studio.address, 'GET /api/robot')).body.id, SOON).toBe('walker');
    expect((await datasetOf('measured'))?.scan).toEqual(scan);
  });
});

describe('dataset.yaml', () => {
  test('other options in dataset.yaml make converted clips stale; removing these options makes them current again', async () => {
    await newDataset('options');
    await put('options', 'a.csv', walkerClip(40));
    await request(studio.address, 'POST /api/data/convert', { dataset: 'options', which: 'all' });
    await expect
      .poll(async () => (await request(studio.address, 'GET /api/jobs')).body.jobs[0]?.status, { timeout: 20_000 })
      .toBe('done');
    await expect
      .poll(async () => (await clipsOf('options'))[0], SOON)
      .toMatchObject({ status: 'converted', stale: false });
    const settings = inData('options/dataset.yaml');
    writeFileSync(settings, formatYaml({ version: 1, convert: { output_fps: 30 } }));
    await expect
      .poll(async () => (await clipsOf('options'))[0], SOON)
      .toMatchObject({ status: 'missing', stale: true });
    expect(await datasetOf('options')).toMatchObject({ converted: 0, missing: 1 });
    writeFileSync(settings, formatYaml({ version: 1, convert: { output_fps: 50 } }));
    await expect
      .poll(async () => (await clipsOf('options'))[0], SOON)
      .toMatchObject({ status: 'converted', stale: false });
  });
});

test('the response to an upload arrives before the connection takes the next request', async () => {
  await newDataset('kept');
  const socket = await open(studio.port);
  const body = walkerClip(4);
  socket.write(requestText('PUT', '/api/data/upload/kept/a.csv', {}, body));
  expect((await readAnswer(socket, 'PUT')).status).toBe(200);
  socket.write(requestText('PUT', '/api/data/upload/kept/b.csv', {}, body));
  expect((await readAnswer(socket, 'PUT')).status).toBe(200);
  socket.destroy();
  expect(await namesOf('kept')).toEqual(['a', 'b']);
});

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatNpy } from '../../src/formats/npy.ts';
import { finish, request } from '../support/client.ts';
import { type HostileFile, hostileFiles, motionArrays, rawZip } from '../support/hostile-files.ts';
import { requestText, sendRaw } from '../support/raw-http.ts';
import { memoryMib } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const studio = useStudio();

/** Number of joints of the walker. */
const JOINTS = 4;
/** Limit of the service's peak memory: its threads with one MuJoCo each, twice the largest bound of a reader, and
 *  garbage that is not collected yet. Measured on a loaded machine: 800 to 1100 MiB. */
const MOST_MIB = 1500;

let outside: string;
let data: string;
let files: readonly HostileFile[];

beforeAll(async () => {
  outside = mkdtempSync(path.join(tmpdir(), 'outside-'));
  writeFileSync(path.join(outside, 'secret.csv'), walkerClip(3));
  addWalker(studio.workspace);
  data = path.join(studio.workspace, 'data/walker');
  files = hostileFiles(JOINTS, path.join(outside, 'PWNED'));
  await studio.start();
  await finish(studio.address, 'POST /api/robot/select', { name: 'walker' });
  await request(studio.address, 'POST /api/data/new', { name: 'inbox' });
});
afterAll(async () => {
  rmSync(outside, { recursive: true });
});

/** Paths below a folder; links to folders are followed. */
function tree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}
async function put(dataset: string, file: string, bytes: Uint8Array | string) {
  const response = await fetch(
    `${studio.address}/api/data/upload/${encodeURIComponent(dataset)}/${encodeURIComponent(file)}`,
    {
      method: 'PUT',
      body: bytes as BodyInit,
    },
  );
  return { status: response.status, body: (await response.json()) as { detail?: string; clips?: string[] } };
}
const clips = async (dataset: string) =>
  (await request(studio.address, 'GET /api/data/clips', { dataset, size: '1000' })).body.clips;
/** Peak memory of the service so far, MiB. */
const peakMib = () => memoryMib(studio.service, 'VmHWM');

test('no hostile upload is kept, and each is refused with its reason', async () => {
  const odd: string[] = [];
  for (const { name, bytes, says } of files) {
    const { status, body } = await put('inbox', name, bytes);
    if (status !== 400 || !says.test(body.detail ?? '')) odd.push(`${name}: ${status} ${JSON.stringify(body)}`);
  }
  expect(odd).toEqual([]);
  expect(tree(path.join(data, 'inbox'))).toEqual([]);
  expect(await clips('inbox')).toEqual([]);
  expect(tree(outside)).toEqual(['secret.csv']);
}, 120_000);

test('hostile files copied in by hand are listed with their errors, and a scan names them', async () => {
  const folder = path.join(data, 'by hand');
  mkdirSync(path.join(folder, 'npz'), { recursive: true });
  // A clip has one raw file, so each file gets a unique name.
  for (const { name, bytes } of files) {
    const { name: stem, ext } = path.parse(name);
    writeFileSync(path.join(folder, ext === '.npz' ? 'npz' : '', `${stem} ${ext.slice(1)}${ext}`), bytes);
  }
  writeFileSync(path.join(folder, 'good.csv'), walkerClip(5));
  await request(studio.address, 'POST /api/data/uploaded');
  const listed = await clips('by hand');
  expect(listed).toHaveLength(files.length + 1);
  // Headers reveal most damage; the rest is refused when the clip is loaded.
  const readable = listed.filter(({ error }) => error === null).map(({ name }) => name);
  expect(readable).toContain('good');
  // A bundle in a folder of clips is played as one clip, whatever names its parts have.
  for (const clip of readable.filter((name) => name !== 'good' && name !== 'names that climb npz')) {
    const { state, error } = await finish(studio.address, 'POST /api/data/load', { dataset: 'by hand', clip });
    expect([clip, state]).toEqual([clip, 'failed']);
    expect(error).toMatch(/\w/);
  }
  expect(await finish(studio.address, 'POST /api/data/load', { dataset: 'by hand', clip: 'good' })).toMatchObject({
    state: 'done',
  });
  expect(await finish(studio.address, 'POST /api/data/scan', { dataset: 'by hand' })).toMatchObject({ state: 'done' });
  expect(tree(outside)).toEqual(['secret.csv']);
}, 120_000);

describe('names that lead out of the dataset', () => {
  const bad = [
    ...[
      '..%2f..%2fevil.csv',
      '%2e%2e%2fevil.csv',
      '..%5cevil.csv',
      '%2fetc%2fevil.csv',
      'C:evil.csv',
      'a%00.csv',
      '%2e%2e',
    ],
    ...[
      '.hidden.csv',
      '__proto__.csv',
      'con.csv',
      'nul.npz',
      'a..b.csv',
      '-rf.csv',
      '%ff.csv',
      '%zz.csv',
      'e%CC%81.csv',
    ],
    ...[
      'evil%e2%80%ae.csv',
      'evil.csv%2f',
      `${'a'.repeat(300)}.csv`,
      'evil.exe',
      'evil',
      'evil.csv.tmp',
      'a%0d%0ab.csv',
      '%20.csv',
    ],
  ];
  const raw = (target: string) =>
    sendRaw(Number(new URL(studio.address).port), requestText('PUT', target, {}, walkerClip(3)), 'PUT');

  test.each(bad)('the file name %s leads out of the dataset and is refused', async (name) => {
    const before = tree(data);
    const answer = await raw(`/api/data/upload/inbox/${name}`);
    expect([400, 404]).toContain(answer.status);
    expect(answer.body).toContain('detail');
    expect(tree(data)).toEqual(before);
  });

  test.each(['..', '%2e%2e', '..%2f..', '%2fetc', '.studio', '__proto__', 'no%20such', '.', 'inbox%2f..%2f..'])(
    'the dataset name %s leads out of the data folder and is refused',
    async (name) => {
      const before = tree(data);
      const answer = await raw(`/api/data/upload/${name}/evil.csv`);
      expect([400, 404]).toContain(answer.status);
      expect(tree(data)).toEqual(before);
    },
  );

  test.each(['../evil', '/tmp/evil', 'a/b', '..', '__proto__', 'CON', 'a\\b', '.x'])(
    'creating a dataset named %s is refused',
    async (name) => {
      const { status, body } = await request(studio.address, 'POST /api/data/new', { name });
      expect(status).toBe(400);
      expect(body.detail).toMatch(/^name: /);
    },
  );
});

describe('links out of a dataset', () => {
  test('links out of a dataset are not written through', async () => {
    const elsewhere = path.join(outside, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(path.join(data, 'doors'));
    symlinkSync(elsewhere, path.join(data, 'doors/npz'));
    symlinkSync(elsewhere, path.join(data, 'door'));
    symlinkSync(path.join(outside, 'secret.csv'), path.join(data, 'doors/secret.csv'));
    await request(studio.address, 'POST /api/data/uploaded');
    const npz = rawZip(
      Object.entries(motionArrays(JOINTS)).map(([name, array]) => ({
        name: `${name}.npy`,
        content: formatNpy(array),
      })),
    );
    const answers = [
      await put('doors', 'evil.npz', npz),
      await put('door', 'evil.csv', walkerClip(4)),
      await put('door', 'evil.npz', npz),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    const before = readFileSync(path.join(outside, 'secret.csv'), 'utf8');
    await put('doors', 'secret.csv', walkerClip(4)); // replaces the link, or is refused
    expect(readFileSync(path.join(outside, 'secret.csv'), 'utf8')).toBe(before);
    // Deletes the link, not its target.
    const deleted = await fetch(`${studio.address}/api/data/datasets/doors`, { method: 'DELETE' });
    expect(deleted.status).toBe(200);
    expect(readFileSync(path.join(outside, 'secret.csv'), 'utf8')).toBe(before);
    expect(tree(outside)).toEqual(['elsewhere', 'secret.csv']);
  });

  test('an import by copy skips links out of the folder', async () => {
    const source = path.join(outside, 'source');
    mkdirSync(source);
    writeFileSync(path.join(source, 'good.csv'), walkerClip(3));
    symlinkSync(path.join(outside, 'secret.csv'), path.join(source, 'stolen.csv'));
    symlinkSync('/etc/passwd', path.join(source, 'passwd.csv'));
    expect(await finish(studio.address, 'POST /api/data/import', { source, name: 'copied' })).toMatchObject({
      state: 'done',
    });
    expect((await clips('copied')).map(({ name }) => name)).toEqual(['good']);
    rmSync(source, { recursive: true });
  });
});

describe('numbers that are not finite', () => {
  const broken = walkerClip(5).split('\n').with(2, walkerClip(1).trim().replace('0.62', 'NaN')).join('\n');

  test('clips with non-finite numbers are accepted for the checks and refused by the preview', async () => {
    expect(await put('inbox', 'gap.csv', broken)).toMatchObject({ status: 200 });
    const { state, error } = await finish(studio.address, 'POST /api/data/load', { dataset: 'inbox', clip: 'gap' });
    expect(state).toBe('failed');
    expect(error).toContain('gap.csv: row 3, column 3 (z) is NaN, not a finite number. Repair or remove that frame.');
  });
});

test('the service still works after all hostile files, and its memory stayed bounded', async () => {
  expect(await put('inbox', 'last.csv', walkerClip(10))).toMatchObject({ status: 200, body: { clips: ['last'] } });
  expect(await finish(studio.address, 'POST /api/data/load', { dataset: 'inbox', clip: 'last' })).toMatchObject({
    state: 'done',
  });
  expect(existsSync(path.join(outside, 'PWNED'))).toBe(false);
  expect(studio.service.stderr()).not.toMatch(/unhandled|uncaught/i);
  expect(peakMib()).toBeLessThan(MOST_MIB);
});

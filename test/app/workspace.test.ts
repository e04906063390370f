import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from '../../src/app/workspace.ts';
import { createLogger } from '../../src/core/logger.ts';

const logger = createLogger({ level: 'silent', pretty: false, colour: false });
const SAMPLES = new Map([
  ['squat.csv', '1,2\n'],
  ['turn.csv', '3,4\n'],
]);
let folder: string;
let root: string;
let open: Workspace | null = null;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'workspace-'));
  root = path.join(folder, 'workspace');
});
afterEach(() => {
  open?.close();
  open = null;
  rmSync(folder, { recursive: true, force: true });
});
const start = async () => {
  open?.close();
  open = await openWorkspace(root, logger);
  await open.writeSamples('humanoid/samples', async () => SAMPLES);
  return open;
};
const samples = () => readdirSync(path.join(root, 'data/humanoid/samples')).sort();

test('the first start creates the layout with the clips of the built-in robot', async () => {
  await start();
  expect(readdirSync(root).sort()).toEqual(['.studio', 'config', 'data', 'jobs', 'logs', 'recordings', 'robots']);
  expect(samples()).toEqual(['squat.csv', 'turn.csv']);
  expect(readFileSync(path.join(root, 'data/humanoid/samples/squat.csv'), 'utf8')).toBe('1,2\n');
  expect(readdirSync(path.join(root, 'data/humanoid'))).toEqual(['samples']);
});

test.each([
  ['in a place where folders cannot be created', '/proc/studio/workspace', /the workspace .* cannot be used: .*\/proc/],
  ['below a file', null, /cannot be used: .*file is a file, not a folder/],
])('a workspace %s is refused at once with the reason', async (_, place, message) => {
  writeFileSync(path.join(folder, 'file'), '');
  await expect(openWorkspace(place ?? path.join(folder, 'file/workspace'), logger)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(message),
  });
});

test('a dangling link in the place of a folder is refused with the reason', async () => {
  mkdirSync(root);
  symlinkSync('/nowhere/at/all', path.join(root, 'data'));
  await expect(openWorkspace(root, logger)).rejects.toMatchObject({ code: 'unavailable' });
});

test('sample clips or their dataset stay deleted after a restart', async () => {
  await start();
  rmSync(path.join(root, 'data/humanoid/samples/squat.csv'));
  await start();
  expect(samples()).toEqual(['turn.csv']);
  rmSync(path.join(root, 'data/humanoid'), { recursive: true });
  await start();
  expect(existsSync(path.join(root, 'data/humanoid'))).toBe(false);
});

test('a deleted clip does not come back when .studio is deleted too', async () => {
  await start();
  rmSync(path.join(root, 'data/humanoid/samples/squat.csv'));
  open?.close();
  rmSync(path.join(root, '.studio'), { recursive: true });
  await start();
  expect(samples()).toEqual(['turn.csv']);
});

test('sample clips that could not be generated are generated at the next start', async () => {
  open = await openWorkspace(root, logger);
  const broken = open.writeSamples('humanoid/samples', () => Promise.reject(new Error('boom')));
  await expect(broken).rejects.toThrow('boom');
  await start();
  expect(samples()).toEqual(['squat.csv', 'turn.csv']);
});

test('existing files stay unchanged', async () => {
  mkdirSync(path.join(root, 'data/g1/walks'), { recursive: true });
  writeFileSync(path.join(root, 'data/g1/walks/a.csv'), 'x');
  await start();
  expect(readFileSync(path.join(root, 'data/g1/walks/a.csv'), 'utf8')).toBe('x');
});

test('a second service on the same workspace is refused with the process that uses it', async () => {
  await start();
  await expect(openWorkspace(root, logger)).rejects.toThrow(
    `the workspace ${root} is in use by process ${process.pid}. Stop it, or choose another with --workspace.`,
  );
});

test('an unusable workspace is refused with the reason', async () => {
  writeFileSync(root, 'a file');
  await expect(openWorkspace(root, logger)).rejects.toThrow(`the workspace ${root} cannot be used: `);
});

test('unfinished files of a killed process are removed, including a half-written sample folder', async () => {
  const temps = [
    'data/.9-1-x.studio-tmp',
    'robots/.uploads/r/.9-2-x.studio-tmp',
    '.studio/.9-3-x.studio-tmp',
    'logs/rsl_rl/walks/run/.9-4-x.studio-tmp',
  ];
  // A training that outlives the service may be writing it.
  const ofTraining = path.join(root, 'logs/rsl_rl/walks/run/.9-5-x.studio-tmp');
  for (const temp of temps) {
    mkdirSync(path.join(root, temp), { recursive: true });
    writeFileSync(path.join(root, temp, 'half.csv'), '1');
    utimesSync(path.join(root, temp), 1, 1);
  }
  writeFileSync(ofTraining, '1');
  const tenMinutesAgo = Date.now() / 1e3 - 600;
  utimesSync(ofTraining, tenMinutesAgo, tenMinutesAgo);
  await start();
  await expect.poll(() => temps.filter((temp) => existsSync(path.join(root, temp)))).toEqual([]);
  expect(existsSync(path.join(root, 'robots/.uploads/r'))).toBe(true);
  expect(existsSync(ofTraining)).toBe(true);
});

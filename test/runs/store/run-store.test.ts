import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatYaml } from '../../../src/core/yaml-file.ts';
import { readRunIdentities, readRunIdentity } from '../../../src/runs/params/read-identity.ts';
import type { FactsReader } from '../../../src/runs/store/run-facts.ts';
import { chooseCheckpoint, RunStore } from '../../../src/runs/store/run-store.ts';
import { sweepRuns } from '../../../src/runs/store/run-sweep.ts';
import { scanRun } from '../../../src/runs/store/scan-run.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'runs-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function addRun(run: string, files: Readonly<Record<string, string>>): string {
  const folder = path.join(root, run);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  return folder;
}
/** Creates a store that reads in this thread. */
const storeOf = (identity: FactsReader['identity'] = readRunIdentity) =>
  new RunStore(
    root,
    {
      sweep: async (folder, since, start) => sweepRuns(folder, since, start),
      scan: async (folder, runDir, run) => scanRun(folder, runDir, run),
    },
    {
      reader: {
        identity,
        quick: (folders) => readRunIdentities(folders, false),
        whole: (folders) => readRunIdentities(folders, true),
      },
      index: null,
      onRead: () => {},
      onError: (message) => {
        throw new Error(message);
      },
    },
  );
const paths = async (store: RunStore) => (await store.list()).map((run) => run.path);

test('the robot and task of a run are read once, and again when its files change', async () => {
  const read = vi.fn(readRunIdentity);
  const store = storeOf(read);
  addRun('a/one', { 'params/task.yaml': 'robot: first' });
  expect(await store.find('a/one')).toMatchObject({ robot: 'first' });
  await store.list();
  addRun('a/one', { 'model_3.pt': '' });
  expect(await store.find('a/one')).toMatchObject({
    robot: 'first',
    checkpoints: [{ name: 'model_3.pt', iteration: 3 }],
  });
  expect(read).toHaveBeenCalledTimes(1);
  addRun('a/one', { 'params/task.yaml': 'robot: second' });
  expect(await store.find('a/one')).toMatchObject({ robot: 'second' });
  expect(read).toHaveBeenCalledTimes(2);
});

test('an unreadable file is read again later', async () => {
  let fails = true;
  const store = storeOf(async (folder) => {
    if (fails) throw new Error('no thread');
    return readRunIdentity(folder);
  });
  addRun('a/one', { 'params/task.yaml': 'robot: first' });
  expect(await store.find('a/one')).toMatchObject({ robot: null, error: 'no thread' });
  fails = false;
  expect(await store.find('a/one')).toMatchObject({ robot: 'first', error: null });
});

test('the run that changed last is listed first, whether its checkpoints or its parameters changed', async () => {
  const store = storeOf();
  for (const [index, run] of ['x/old', 'x/new', 'y/middle'].entries()) {
    const folder = addRun(run, { 'model_1.pt': '', 'params/env.yaml': '{}' });
    const at = new Date(2020, [0, 6, 3][index]!);
    for (const entry of ['model_1.pt', 'params/env.yaml', 'params', '.']) utimesSync(path.join(folder, entry), at, at);
  }
  expect(await paths(store)).toEqual(['x/new', 'y/middle', 'x/old']);
  utimesSync(path.join(root, 'x/old/model_1.pt'), new Date(), new Date());
  expect((await paths(store))[0]).toBe('x/old');
});

test('new, growing and deleted checkpoints are noticed in a folder that was unchanged before', async () => {
  const store = storeOf();
  const folder = addRun('a/one', { 'model_1.pt': '', 'model_2.pt': '', 'params/env.yaml': '{}' });
  const rest = () => utimesSync(folder, new Date(2020, 0), new Date(2020, 0));
  const seen = async () => (await store.find('a/one')).checkpoints.map(({ name, modifiedMs }) => [name, modifiedMs]);
  rest();
  await seen();
  const later = new Date(2030, 0);
  utimesSync(path.join(folder, 'model_2.pt'), later, later);
  expect((await seen())[1]).toEqual(['model_2.pt', later.getTime()]);
  addRun('a/one', { 'model_3.pt': '' });
  expect((await seen()).map(([name]) => name)).toEqual(['model_1.pt', 'model_2.pt', 'model_3.pt']);
  rest();
  await seen();
  rmSync(path.join(folder, 'model_1.pt'));
  expect((await seen()).map(([name]) => name)).toEqual(['model_2.pt', 'model_3.pt']);
});

test('a checkpoint is chosen by name, or the one with the highest number', async () => {
  const store = storeOf();
  addRun('a/one', { 'model_9.pt': '', 'model_10.pt': '', 'params/env.yaml': '{}' });
  const run = await store.find('a/one');
  expect(chooseCheckpoint(run, null)?.name).toBe('model_10.pt');
  expect(chooseCheckpoint(run, 'model_9.pt')?.iteration).toBe(9);
  expect(() => chooseCheckpoint(run, 'model_8.pt')).toThrow(
    /no checkpoint "model_8\.pt"; its last ones are model_9\.pt, model_10\.pt/,
  );
});

test('a link to a run is a run; a dangling link and a folder deleted meanwhile are not listed', async () => {
  const store = storeOf();
  const elsewhere = mkdtempSync(path.join(os.tmpdir(), 'elsewhere-'));
  writeFileSync(path.join(elsewhere, 'model_1.pt'), '');
  mkdirSync(path.join(root, 'a'));
  symlinkSync(elsewhere, path.join(root, 'a/linked'));
  symlinkSync(path.join(root, 'gone'), path.join(root, 'a/dangling'));
  expect(await paths(store)).toEqual(['a/linked']);
  rmSync(elsewhere, { recursive: true });
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be read is listed with the reason', async () => {
  const folder = addRun('a/secret', { 'model_1.pt': '' });
  chmodSync(folder, 0);
  const [run] = await storeOf().list();
  chmodSync(folder, 0o700);
  expect(run).toMatchObject({ path: 'a/secret', error: expect.stringMatching(/permissions/) });
});

test('marks and results are read again when they change, and do not change the place of a run in the list', async () => {
  const read = vi.fn(readRunIdentity);
  const store = storeOf(read);
  const past = new Date(2020, 0);
  const folder = addRun('a/marked', { 'model_1.pt': '', 'params/task.yaml': 'robot: x', 'result.yaml': 'seconds: 90' });
  for (const entry of ['model_1.pt', 'params/task.yaml', 'params', '.'])
    utimesSync(path.join(folder, entry), past, past);
  addRun('a/newer', { 'model_1.pt': '', 'params/task.yaml': 'robot: x' });
  expect(await store.find('a/marked')).toMatchObject({ training: { seconds: 90, score: null }, marks: { tags: [] } });
  writeFileSync(path.join(folder, 'marks.yaml'), 'favourite: true\ntags: [calm]');
  expect(await store.find('a/marked')).toMatchObject({ marks: { tags: ['calm'], note: '', favourite: true } });
  expect(read).toHaveBeenCalledTimes(2);
  expect(await paths(store)).toEqual(['a/newer', 'a/marked']);
  expect(read).toHaveBeenCalledTimes(3);
  await store.list();
  expect(read).toHaveBeenCalledTimes(3);
});

test('the score of an evaluation replaces that of the training; a damaged file is treated as missing', async () => {
  const store = storeOf();
  const score = { tracked_s: 8, horizon_s: 10, success: 0.5, body_pos: 0.05 };
  const files = {
    'model_1.pt': '',
    'params/task.yaml': 'robot: x',
    'result.yaml': formatYaml({ score, checkpoint: 'model_1.pt' }),
  };
  const folder = addRun('a/one', files);
  const scored = async () => (await store.find('a/one')).training.score;
  expect(await scored()).toEqual({ ...score, by: 'training' });
  expect((await store.find('a/one')).training.scored).toBe('model_1.pt');
  addRun('a/one', { 'evaluations/score.yaml': formatYaml({ ...score, tracked_s: 6 }) });
  expect(await scored()).toEqual({ ...score, tracked_s: 6, by: 'evaluation' });
  // An evaluation scores the newest checkpoint.
  expect((await store.find('a/one')).training.scored).toBeNull();
  for (const bad of ['tracked_s: .inf', 'tracked_s: [', formatYaml({ ...score, horizon_s: 0 }), 'just text']) {
    writeFileSync(path.join(folder, 'evaluations/score.yaml'), bad);
    expect(await scored(), bad).toEqual({ ...score, by: 'training' });
  }
});

test('a run with a damaged file keeps its marks', async () => {
  addRun('a/broken', { 'model_1.pt': '', 'params/task.yaml': 'robot: [', 'marks.yaml': 'note: why' });
  expect(await storeOf().find('a/broken')).toMatchObject({
    error: expect.stringContaining('task.yaml'),
    marks: { note: 'why' },
  });
});

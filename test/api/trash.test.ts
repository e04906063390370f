import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TrashItem } from '../../src/protocol/schemas/trash.ts';
import { finish, Listener, request } from '../support/client.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const studio = useStudio();
const SOON = { timeout: 30_000 };

beforeAll(async () => {
  addWalker(studio.workspace);
  await studio.start();
  expect(await finish(studio.address, 'POST /api/robot/select', { name: 'walker' })).toMatchObject({ state: 'done' });
  await send('POST', '/api/data/new', { name: 'steps' });
});

interface Reply {
  readonly status: number;
  readonly body: { undo: string; detail: string; items: TrashItem[]; error: string | null };
}

async function send(method: string, where: string, body?: unknown): Promise<Reply> {
  const isText = typeof body === 'string';
  const response = await fetch(studio.address + where, {
    method,
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    ...(isText ? {} : { headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
}

const inWorkspace = (...parts: string[]) => path.join(studio.workspace, ...parts);
const upload = (file: string, rows = 4) => send('PUT', `/api/data/upload/steps/${file}`, walkerClip(rows));
const undo = (token: string) => send('POST', '/api/undo', { undo: token });
const clipNames = async (dataset = 'steps') =>
  (await request(studio.address, 'GET /api/data/clips', { dataset })).body.clips.map(({ name }) => name);
const datasetNames = async () =>
  (await request(studio.address, 'GET /api/data/datasets')).body.datasets.map(({ name }) => name);
const items = async () => (await send('GET', '/api/trash')).body.items;

test('a deleted clip is listed in the trash and can be restored with its marks', async () => {
  await upload('one.csv');
  await send('POST', '/api/data/mark', { dataset: 'steps', clips: ['one'], tags: ['calm'], weight: 2 });
  const { status, body } = await send('DELETE', '/api/data/datasets/steps/clips/one');
  expect([status, await clipNames()]).toEqual([200, []]);
  expect(await items()).toMatchObject([{ undo: body.undo, kind: 'clip', robot: 'walker', name: 'steps/one' }]);
  expect((await items())[0]!.bytes).toBe(walkerClip(4).length);
  expect(await undo(body.undo)).toMatchObject({ status: 200, body: { ok: true, undo: null } });
  const { clips } = (await request(studio.address, 'GET /api/data/clips', { dataset: 'steps' })).body;
  expect(clips).toMatchObject([{ name: 'one', tags: ['calm'], weight: 2 }]);
  expect(await undo(body.undo)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('not in the trash') },
  });
});

test('a clip is not restored over another clip of its name, even of another format', async () => {
  await upload('two.csv');
  const { body } = await send('DELETE', '/api/data/datasets/steps/clips/two');
  writeFileSync(inWorkspace('data/walker/steps/two.pkl'), 'another file');
  expect(await undo(body.undo)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('"two" already exists') },
  });
  rmSync(inWorkspace('data/walker/steps/two.pkl'));
  expect((await undo(body.undo)).status).toBe(200);
});

test('an upload over a clip can be undone, and the undo undone', async () => {
  await upload('three.csv', 4);
  const { body } = await upload('three.csv', 8);
  const rows = () => readFileSync(inWorkspace('data/walker/steps/three.csv'), 'utf8').trim().split('\n').length;
  const long = rows();
  const back = await undo(body.undo);
  expect(rows()).toBeLessThan(long);
  await undo(back.body.undo);
  expect(rows()).toBe(long);
});

test('renames of clips and datasets can be undone', async () => {
  await upload('four.csv');
  const clip = await send('POST', '/api/data/rename', { dataset: 'steps', clip: 'four', name: 'fifth' });
  await send('POST', '/api/data/new', { name: 'empty' });
  const dataset = await send('POST', '/api/data/rename', { dataset: 'empty', name: 'renamed' });
  await send('POST', '/api/data/new', { name: 'empty' });
  expect((await undo(dataset.body.undo)).status).toBe(409);
  await send('DELETE', '/api/data/datasets/empty');
  expect([(await undo(clip.body.undo)).status, (await undo(dataset.body.undo)).status]).toEqual([200, 200]);
  expect(await clipNames()).toContain('four');
  expect(await datasetNames()).toContain('empty');
});

test('a deleted dataset is restored with all its clips', async () => {
  await send('POST', '/api/data/new', { name: 'whole' });
  await send('PUT', '/api/data/upload/whole/a.csv', walkerClip(4));
  const { body } = await send('DELETE', '/api/data/datasets/whole');
  expect(await datasetNames()).not.toContain('whole');
  await undo(body.undo);
  expect(await clipNames('whole')).toEqual(['a']);
});

test('the source of a linked dataset is not touched by delete, undo and emptying', async () => {
  const source = mkdtempSync(path.join(tmpdir(), 'linked-'));
  writeFileSync(path.join(source, 'a.csv'), walkerClip(4));
  const before = readFileSync(path.join(source, 'a.csv'));
  await finish(studio.address, 'POST /api/data/import', { source, name: 'linked', link: true } as never);
  const first = await send('DELETE', '/api/data/datasets/linked');
  await undo(first.body.undo);
  expect(await clipNames('linked')).toEqual(['a']);
  const second = await send('DELETE', '/api/data/datasets/linked');
  await send('POST', '/api/trash/empty', { undo: second.body.undo });
  expect([readdirSync(source), readFileSync(path.join(source, 'a.csv'))]).toEqual([['a.csv'], before]);
  rmSync(source, { recursive: true });
});

test('presets and modules can be restored, whether deleted or replaced', async () => {
  const preset = (description: string) => ({ base: 'Wbc-Walker', overrides: {}, description });
  expect((await send('PUT', '/api/presets/soft', preset('one'))).body.undo).toBeNull();
  const replaced = await send('PUT', '/api/presets/soft', preset('two'));
  await undo(replaced.body.undo);
  expect((await send('GET', '/api/presets/soft')).body).toMatchObject({ description: 'one' });
  const deleted = await send('DELETE', '/api/presets/soft');
  expect((await send('GET', '/api/presets/soft')).status).toBe(400);
  await undo(deleted.body.undo);
  expect((await send('GET', '/api/presets/soft')).body).toMatchObject({ description: 'one' });
  await send('PUT', '/api/modules/gentle', { overrides: {} });
  const module = await send('DELETE', '/api/modules/gentle');
  await undo(module.body.undo);
  expect((await send('GET', '/api/modules/gentle')).status).toBe(200);
});

test('a deleted run can be restored; clients are notified of both', async () => {
  mkdirSync(inWorkspace('logs/rsl_rl/exp/first'), { recursive: true });
  writeFileSync(inWorkspace('logs/rsl_rl/exp/first/model_1.pt'), 'weights');
  const listener = await Listener.open(studio.address);
  const { body } = await send('DELETE', '/api/runs?run=exp/first');
  expect(existsSync(inWorkspace('logs/rsl_rl/exp/first'))).toBe(false);
  await undo(body.undo);
  expect(readFileSync(inWorkspace('logs/rsl_rl/exp/first/model_1.pt'), 'utf8')).toBe('weights');
  const heard = () => listener.events.filter(({ topic }) => topic === 'runs').length;
  await expect.poll(heard, SOON).toBe(2);
  listener.close();
});

test('a deleted robot can be restored, and is then not selected', async () => {
  const { body } = await send('DELETE', '/api/robots/walker');
  await undo(body.undo);
  const { robots, selected } = (await request(studio.address, 'GET /api/robots')).body;
  expect(selected).toBe('humanoid');
  expect(robots.map(({ id }) => id)).toContain('walker');
  await finish(studio.address, 'POST /api/robot/select', { name: 'walker' });
});

describe('emptying', () => {
  test('emptying the trash removes one item or all, permanently', async () => {
    await upload('six.csv');
    const first = await send('DELETE', '/api/data/datasets/steps/clips/six');
    await upload('six.csv');
    await send('DELETE', '/api/data/datasets/steps/clips/six');
    const before = (await items()).length;
    expect(await send('POST', '/api/trash/empty', { undo: first.body.undo })).toMatchObject({ body: { items: 1 } });
    expect(await items()).toHaveLength(before - 1);
    expect((await undo(first.body.undo)).status).toBe(400);
    await send('POST', '/api/trash/empty');
    expect(await items()).toEqual([]);
    await expect.poll(() => readdirSync(inWorkspace('.trash')), SOON).toEqual([]);
  });

  test('items older than trash.days are removed at the start', async () => {
    await upload('old.csv');
    await upload('new.csv');
    for (const clip of ['old', 'new']) await send('DELETE', `/api/data/datasets/steps/clips/${clip}`);
    const old = (await items()).find(({ name }) => name === 'steps/old')!;
    const file = inWorkspace('.trash', old.undo, 'item.json');
    const record = JSON.parse(readFileSync(file, 'utf8')) as { deleted: string };
    const past = new Date(Date.now() - 31 * 86_400_000).toISOString();
    writeFileSync(`${file}.new`, JSON.stringify({ ...record, deleted: past }));
    renameSync(`${file}.new`, file);
    await studio.stop();
    await studio.start();
    expect((await items()).map(({ name }) => name)).toEqual(['steps/new']);
  });
});

test.each(['../../etc', 'aaaaaaaa-0123456789ab', 'x'])('the undo token %j is refused', async (token) => {
  expect((await undo(token)).status).toBe(400);
  expect((await send('POST', '/api/trash/empty', { undo: token })).status).toBe(400);
});

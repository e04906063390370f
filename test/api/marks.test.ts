import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { request } from '../support/client.ts';
import { addConverted } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();
const TASK = 'Wbc-Humanoid';

beforeAll(async () => {
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'set', ['squat', 'turn', 'idle_sway']);
});

type Marks = Record<string, unknown>;
const mark = (body: Marks) => request(studio.address, 'POST /api/data/mark', { dataset: 'set', ...body });
const clips = async () => (await request(studio.address, 'GET /api/data/clips', { dataset: 'set' })).body.clips;
const launch = (body: Marks) =>
  request(studio.address, 'POST /api/train/launch', { task: TASK, dataset: 'set', ...body } as never);

test('marks are listed at once, counted and kept in dataset.yaml', async () => {
  expect((await mark({ clips: ['squat'], exclude: true, tags: ['legs', 'deep'] })).body).toEqual({
    ok: true,
    clips: 1,
  });
  expect((await mark({ q: 't*', weight: 2.5 })).body).toEqual({ ok: true, clips: 1 });
  expect((await clips()).map(({ name, excluded, weight, tags }) => [name, excluded, weight, tags])).toEqual([
    ['idle_sway', false, 1, []],
    ['squat', true, 1, ['legs', 'deep']],
    ['turn', false, 2.5, []],
  ]);
  const { datasets } = (await request(studio.address, 'GET /api/data/datasets')).body;
  expect(datasets.find(({ name }) => name === 'set')).toMatchObject({ source: 3, converted: 3 });
  expect(readFileSync(path.join(studio.workspace, 'data/humanoid/set/dataset.yaml'), 'utf8')).toBe(
    'version: 1\nclips:\n  "squat": {"exclude": true, "tags": ["legs","deep"]}\n  "turn": {"weight": 2.5}\n',
  );
});

test('absent fields stay, an empty list clears', async () => {
  await mark({ clips: ['squat'], tags: [] });
  expect((await clips()).find(({ name }) => name === 'squat')).toMatchObject({ excluded: true, tags: [] });
});

test.each<[string, Marks, RegExp]>([
  ['an unknown clip', { clips: ['squat', 'squad'], exclude: true }, /^clips: .*no clip "squad"; did you mean "squat"/],
  ['neither clips nor a search', { exclude: true }, /^clips: name the clips, or give "q"/],
  ['both', { clips: ['squat'], q: '*', exclude: true }, /^q: give either/],
  ['nothing to change', { clips: ['squat'] }, /^exclude: give at least one/],
  ['a negative weight', { clips: ['squat'], weight: -1 }, /^weight: must be a number from 0 to 1000000/],
  ['a weight beyond all bounds', { clips: ['squat'], weight: 1e300 }, /^weight: must be a number from 0/],
  ['an unknown kind of issue', { clips: ['squat'], ignore: [{ kind: 'ugly' }] }, /^ignore\[0\]\.kind: must be one of/],
  ['a tag with a line break', { clips: ['squat'], tags: ['a\nb'] }, /^tags\[0\]/],
  ['an unknown dataset', { dataset: 'sets', clips: ['squat'], exclude: true }, /^dataset: .*did you mean "set"/],
])('a mark with %s is refused and changes nothing', async (_, body, detail) => {
  const before = await clips();
  const { status, body: answer } = await mark(body);
  expect([status, (answer as { detail?: string }).detail]).toEqual([400, expect.stringMatching(detail)]);
  expect(await clips()).toEqual(before);
});

test('excluded clips are left out of a training and of the libraries to play on', async () => {
  const { body } = await launch({ dry_run: true });
  expect(body).toMatchObject({ dry_run: true, params: { clips: 2 } });
  expect(
    (body as { checks: { name: string; text: string }[] }).checks.find(({ name }) => name === 'clips')?.text,
  ).toMatch(/^2 clips, .*; 1 excluded; 1 weighted/);
  await mark({ q: '*', exclude: true });
  expect(await launch({ dry_run: true })).toMatchObject({
    status: 400,
    body: { detail: 'dataset: all 3 converted clips of "set" are excluded; include some, or convert others' },
  });
  await mark({ q: '*', exclude: false, weight: 0 });
  expect(await launch({ dry_run: true })).toMatchObject({
    status: 400,
    body: { detail: 'dataset: all clips of "set" have weight 0; give one of them a weight above 0' },
  });
});

test('a deleted clip takes its marks along', async () => {
  await mark({ q: '*', weight: 1 });
  await mark({ clips: ['turn'], tags: ['gone'] });
  await fetch(`${studio.address}/api/data/datasets/set/clips/turn`, { method: 'DELETE' });
  expect(readFileSync(path.join(studio.workspace, 'data/humanoid/set/dataset.yaml'), 'utf8')).toBe('version: 1\n');
});

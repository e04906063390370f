import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Clip } from '../../src/protocol/schemas/data.ts';
import { Listener, request } from '../support/client.ts';
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

test('new marks are listed at once, counted and kept in dataset.yaml', async () => {
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

test('setting marks: absent fields stay unchanged, an empty list clears', async () => {
  await mark({ clips: ['squat'], tags: [] });
  expect((await clips()).find(({ name }) => name === 'squat')).toMatchObject({ excluded: true, tags: [] });
});

test('adding or removing single marks keeps the others', async () => {
  const jump = { kind: 'jump', body: 'left_foot' };
  const tags = async () => (await clips()).map((clip) => clip.tags);
  await mark({ clips: ['idle_sway'], tags: ['calm'], ignore: [{ kind: 'floating' }] });
  expect((await mark({ q: '*', add: { tags: ['new'], ignore: [jump] } })).body).toEqual({ ok: true, clips: 3 });
  expect(await tags()).toEqual([['calm', 'new'], ['new'], ['new']]);
  await mark({ q: '*', remove: { tags: ['new'], ignore: [{ kind: 'jump' }] } });
  expect(await tags()).toEqual([['calm'], [], []]);
  expect(readFileSync(path.join(studio.workspace, 'data/humanoid/set/dataset.yaml'), 'utf8')).toContain(
    '"idle_sway": {"tags": ["calm"], "ignore": [{"kind":"floating"}]}\n',
  );
  await mark({ clips: ['idle_sway'], tags: [], ignore: [] });
});

test.each<[string, Marks, RegExp]>([
  ['an unknown clip', { clips: ['squat', 'squad'], exclude: true }, /^clips: .*no clip "squad"; did you mean "squat"/],
  ['neither clips nor a search', { exclude: true }, /^clips: give the names of the clips, or "q"/],
  ['both', { clips: ['squat'], q: '*', exclude: true }, /^q: give either/],
  ['nothing to change', { clips: ['squat'] }, /^exclude: give at least one/],
  ['a negative weight', { clips: ['squat'], weight: -1 }, /^weight: must be a number from 0 to 1000000/],
  ['a weight beyond all bounds', { clips: ['squat'], weight: 1e300 }, /^weight: must be a number from 0/],
  ['an unknown kind of issue', { clips: ['squat'], ignore: [{ kind: 'ugly' }] }, /^ignore\[0\]\.kind: must be one of/],
  ['an unknown kind to remove', { clips: ['squat'], remove: { ignore: [{ kind: 'ugly' }] } }, /^remove\.ignore\[0\]/],
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
  await mark({ q: '*', exclude: false, weight: 1 });
  await mark({ clips: ['turn'], weight: 0 });
  const weightless = await launch({ dry_run: true });
  expect(weightless.body).toMatchObject({ params: { clips: 2 } });
  expect(
    (weightless.body as { checks: { name: string; text: string }[] }).checks.find(({ name }) => name === 'clips')?.text,
  ).toMatch(/^2 clips, .*; 1 left out, because their weight is 0/);
  await mark({ q: '*', weight: 0 });
  expect(await launch({ dry_run: true })).toMatchObject({
    status: 400,
    body: { detail: 'dataset: all clips of "set" have weight 0. Give at least one of them a weight above 0.' },
  });
});

test('deleting a clip deletes its marks', async () => {
  await mark({ q: '*', weight: 1 });
  await mark({ clips: ['turn'], tags: ['gone'] });
  await fetch(`${studio.address}/api/data/datasets/set/clips/turn`, { method: 'DELETE' });
  expect(readFileSync(path.join(studio.workspace, 'data/humanoid/set/dataset.yaml'), 'utf8')).toBe('version: 1\n');
});

const list = (query: Record<string, string>) =>
  request(studio.address, 'GET /api/data/clips', { dataset: 'samples', ...query } as never);
const namesOf = async (query: Record<string, string>) =>
  ((await list(query)).body as { clips: Clip[] }).clips.map(({ name }) => name);

describe('listings', () => {
  let scored: Clip[];
  beforeAll(async () => {
    const listener = await Listener.open(studio.address);
    for (;;) {
      const seen = listener.events.length;
      scored = [...(await list({})).body.clips];
      if (scored.every(({ score }) => score !== null)) break;
      await listener.nextEvent('data', (p) => listener.events.slice(seen).some(({ payload }) => payload === p), 60_000);
    }
    listener.close();
  }, 60_000);

  test('listings show a score per clip', () => {
    for (const { score, qa } of scored) {
      expect(score!.feasibility).toBeGreaterThan(0.9);
      expect(score!.complexity).toBeGreaterThanOrEqual(0);
      expect(score!.complexity).toBeLessThanOrEqual(1);
      expect(score).toMatchObject({ collision: 0, airborne: 0 });
      expect(qa).toEqual({ worst: 'ok', issues: 0 });
    }
  });

  test('listings are sorted and paged', async () => {
    const by = (key: (clip: Clip) => number) => [...scored].sort((a, b) => key(a) - key(b)).map(({ name }) => name);
    expect(await namesOf({ sort: 'duration' })).toEqual(by(({ duration }) => duration!));
    expect(await namesOf({ sort: 'duration', order: 'desc', size: '2', page: '2' })).toEqual(
      by(({ duration }) => -duration!).slice(2, 4),
    );
    const order = await namesOf({ sort: 'score' });
    expect(order).toEqual(by(({ score }) => 1e5 * Math.round(1e4 * score!.feasibility) + 1e4 * score!.complexity));
    expect(await namesOf({ sort: 'name', order: 'desc' })).toEqual(scored.map(({ name }) => name).reverse());
  });

  test('listings are filtered by marks, findings and failures', async () => {
    await mark({ dataset: 'samples', q: '*a*', tags: ['with a'] });
    await mark({ dataset: 'samples', clips: ['turn'], exclude: true });
    const all = scored.map(({ name }) => name);
    expect(await namesOf({ tag: 'with a' })).toEqual(all.filter((name) => name.includes('a')));
    expect(await namesOf({ excluded: 'true' })).toEqual(['turn']);
    expect(await namesOf({ excluded: 'false', q: 'turn' })).toEqual([]);
    expect(await namesOf({ findings: 'true' })).toEqual([]);
    expect(await namesOf({ findings: 'false' })).toEqual(all);
    expect(await namesOf({ failed: 'true' })).toEqual([]);
    expect(await namesOf({ failed: 'false' })).toEqual(all);
    for (const [query, field] of [
      [{ sort: 'size' }, /^sort: must be one of/],
      [{ findings: 'some' }, /^findings: must be one of/],
      [{ excluded: 'maybe' }, /^excluded: must be true or false/],
    ] as const) {
      const { status, body } = await list(query);
      expect([status, (body as { detail?: string }).detail]).toEqual([400, expect.stringMatching(field)]);
    }
  });

  test('the guide picks the best minutes from the listing', async () => {
    const pick = (body: Marks) =>
      request(studio.address, 'POST /api/data/pick', { dataset: 'samples', ...body } as never);
    const best = (await namesOf({ sort: 'score', order: 'desc' })).filter((name) => name !== 'turn');
    const { status, body } = await pick({ minutes: 0.2 });
    expect([status, body]).toMatchObject([200, { unscored: 0 }]);
    const { clips: picked, minutes } = body as { clips: string[]; minutes: number };
    expect(picked).toEqual(best.slice(0, picked.length));
    const seconds = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + scored.find((clip) => clip.name === name)!.duration!, 0);
    expect(60 * minutes).toBeCloseTo(seconds(picked), 6);
    expect(seconds(picked)).toBeGreaterThanOrEqual(12);
    expect(seconds(picked.slice(0, -1))).toBeLessThan(12);
    expect((await pick({ minutes: 1000 })).body).toMatchObject({ clips: best });
    expect((await pick({ minutes: 0 })).status).toBe(400);
    expect((await pick({ minutes: 1, dataset: 'none' })).status).toBe(400);
  });
});

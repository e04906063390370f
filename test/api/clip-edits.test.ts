import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { finish, request } from '../support/client.ts';
import { ended, untilJob } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const studio = useStudio();
const folder = (...parts: string[]) => path.join(studio.workspace, 'data/walker', ...parts);

beforeAll(async () => {
  addWalker(studio.workspace);
  mkdirSync(folder('walks/raw'), { recursive: true });
  mkdirSync(folder('fast'), { recursive: true });
  writeFileSync(folder('walks/raw/long.csv'), walkerClip(300));
  writeFileSync(folder('walks/raw/short.csv'), walkerClip(60));
  writeFileSync(folder('fast/sprint.csv'), walkerClip(300));
  writeFileSync(folder('fast/dataset.yaml'), 'version: 1\nconvert:\n  input_fps: 120\n');
  mkdirSync(path.join(studio.folder, 'elsewhere'));
  writeFileSync(path.join(studio.folder, 'elsewhere/far.csv'), walkerClip(90));
  await studio.start();
  await finish(studio.address, 'POST /api/robot/select', { name: 'walker' });
  await finish(studio.address, 'POST /api/data/import', {
    source: path.join(studio.folder, 'elsewhere'),
    name: 'linked',
    link: true,
  });
});

const edit = (input: object) =>
  finish(studio.address, 'POST /api/data/edit', input) as Promise<{
    state: string;
    error: string | null;
    result: { clips: string[] } | null;
  }>;
const refusal = async (input: object) => {
  const { status, body } = await request(studio.address, 'POST /api/data/edit', input);
  expect(status).toBe(400);
  return body.detail;
};
const listed = async (dataset: string) =>
  (await request(studio.address, 'GET /api/data/clips', { dataset, size: '1000' })).body.clips;
const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

describe('an edit', () => {
  test('an edit writes a raw clip and its recipe beside the source, which stays byte-equal', async () => {
    const before = hashOf(folder('walks/raw/long.csv'));
    const steps = [{ trim: { from_s: 1, to_s: 2 } }, { mirror: true }, { origin: true }];
    const busy = await edit({ dataset: 'walks', clip: 'long', steps });
    expect(busy).toMatchObject({ state: 'done', result: { clips: ['long_edited'] } });
    expect(hashOf(folder('walks/raw/long.csv'))).toBe(before);
    const lines = readFileSync(folder('walks/raw/long_edited.csv'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(31); // frames 30 … 60 at 30 Hz
    expect(parse(readFileSync(folder('walks/raw/long_edited.recipe.yaml'), 'utf8'))).toEqual({
      version: 1,
      source: { dataset: 'walks', clip: 'long', file: 'long.csv', sha256: before },
      steps,
    });
    const clips = await listed('walks');
    expect(clips.map(({ name }) => name)).toEqual(['long', 'long_edited', 'short']);
    expect(clips[1]).toMatchObject({ status: 'missing', raw: true, frames: 31, fps: 30, error: null });
  });

  test('an edit that splits a clip writes numbered parts, each with its recipe', async () => {
    const busy = await edit({ dataset: 'walks', clip: 'long', steps: [{ split: { every_s: 4 } }], name: 'part' });
    expect(busy.result).toEqual({ clips: ['part_1', 'part_2', 'part_3'] });
    expect(parse(readFileSync(folder('walks/raw/part_2.recipe.yaml'), 'utf8'))).toMatchObject({ part: 2 });
  });

  test('an edit saved to another dataset keeps the frame rate of the source, which is read back from the file', async () => {
    const busy = await edit({
      dataset: 'fast',
      clip: 'sprint',
      steps: [{ trim: { from_s: 0, to_s: 1 } }],
      into: 'walks',
      name: 'sprint_cut',
    });
    expect(busy).toMatchObject({ state: 'done' });
    const clip = (await listed('walks')).find(({ name }) => name === 'sprint_cut');
    expect(clip).toMatchObject({ frames: 121, fps: 120, duration: 1 });
  });

  test('an edit keeps the repairs and the frame rate with which its clip is converted', async () => {
    const rows = walkerClip(60).trimEnd().split('\n');
    const degrees = rows.map((row) => {
      const cells = row.split(',').map(Number);
      return [...cells.slice(0, 7), ...cells.slice(7).map((angle) => (angle * 180) / Math.PI)].join(',');
    });
    mkdirSync(folder('repaired'), { recursive: true });
    writeFileSync(folder('repaired/wide.csv'), `${degrees.join('\n')}\n`);
    const options = { dataset: 'repaired', fixes: ['degrees'], input_fps: 60 };
    const { job } = (await request(studio.address, 'POST /api/data/convert', options)).body;
    expect(await untilJob(studio.address, job, ended)).toMatchObject({ status: 'done' });
    expect(await edit({ dataset: 'repaired', clip: 'wide', steps: [{ origin: true }] })).toMatchObject({
      state: 'done',
    });
    const [rate, ...edited] = readFileSync(folder('repaired/wide_edited.csv'), 'utf8').trimEnd().split('\n');
    expect(rate).toBe('# fps: 60');
    const joints = (lines: readonly string[]) => lines.map((line) => line.split(',').slice(7).map(Number));
    for (const [k, frame] of joints(edited).entries())
      for (const [j, angle] of frame.entries()) expect(angle).toBeCloseTo(joints(rows)[k]![j]!, 5);
  });

  test('an edit appends another clip of the dataset and names it in the recipe', async () => {
    const steps = [{ append: { clip: 'short', blend_s: 0.5 } }];
    const busy = await edit({ dataset: 'walks', clip: 'long', steps, name: 'both' });
    expect(busy).toMatchObject({ state: 'done' });
    const clip = (await listed('walks')).find(({ name }) => name === 'both');
    expect(clip).toMatchObject({ frames: 300 + 60 - 15 });
    expect(parse(readFileSync(folder('walks/raw/both.recipe.yaml'), 'utf8')).appended).toMatchObject([
      { clip: 'short' },
    ]);
  });

  test('an edit of a linked clip can be saved only to a dataset of the workspace', async () => {
    const steps = [{ origin: true }];
    expect(await refusal({ dataset: 'linked', clip: 'far', steps })).toMatch(/^into: dataset "linked" is linked to/);
    const busy = await edit({ dataset: 'linked', clip: 'far', steps, into: 'walks', name: 'near' });
    expect(busy).toMatchObject({ state: 'done', result: { clips: ['near'] } });
    expect(readdirSync(path.join(studio.folder, 'elsewhere'))).toEqual(['far.csv']);
  });

  test.each([
    [{ steps: [{ trim: { from_s: 1 } }] }, /^steps\[0\]\.trim\.to_s: is missing/],
    [
      { steps: [{ origin: true }, { smooth: { cutoff_hz: -1 } }] },
      /^steps\[1\]\.smooth\.cutoff_hz: must be a number from 0.1/,
    ],
    [{ steps: [{ mirror: true, floor: true }] }, /^steps\[0\]: must have exactly one field/],
    [{ steps: [{ sharpen: true }] }, /^steps\[0\]\.sharpen: is not a known field/],
    [
      { steps: [{ append: { clip: 'lang', blend_s: 0 } }] },
      /^steps\[0\]\.append\.clip: dataset "walks" has no clip "lang"; did you mean "long"/,
    ],
    [{ steps: [{ origin: true }], name: 'short' }, /^name: dataset "walks" already has a clip "short"/],
    [{ steps: [{ origin: true }], name: '../x' }, /^name: /],
    [{ steps: [{ origin: true }], into: 'nowhere' }, /has no dataset "nowhere"/],
    [{ steps: [] }, /^steps: /],
  ])('the edit %j is refused', async (input, message) => {
    expect(await refusal({ dataset: 'walks', clip: 'long', ...input })).toMatch(message);
  });

  test('an edit that fails names step and field, and writes nothing', async () => {
    const before = readdirSync(folder('walks/raw'));
    const steps = [{ origin: true }, { trim: { from_s: 0, to_s: 60 } }];
    const busy = await edit({ dataset: 'walks', clip: 'long', steps, name: 'none' });
    expect(busy).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/^steps\[1\]\.trim\.to_s: 60 s is after/),
    });
    expect(readdirSync(folder('walks/raw'))).toEqual(before);
  });

  test.each([
    ['a split without a way', { steps: [{ split: {} }] }, 'steps[0].split: give either every_s or at'],
    ['an overlap of a whole part', { steps: [{ split: { every_s: 2, overlap_s: 2 } }] }, 'steps[0].split.overlap_s: '],
    ['an end before its start', { steps: [{ trim: { from_s: 2, to_s: 1 } }] }, 'steps[0].trim.to_s: 1 s is before'],
    ['an unknown target', { into: 'nowhere' }, 'into: robot "walker" has no dataset "nowhere"'],
  ])('an edit that no clip allows is refused at once: %s', async (_, more, detail) => {
    const body = { dataset: 'walks', clip: 'long', steps: [{ origin: true }], name: 'none', ...more };
    const reply = await request(studio.address, 'POST /api/data/edit', body as never);
    expect([reply.status, reply.body]).toEqual([400, { detail: expect.stringContaining(detail) }]);
  });
});

test('deleting a clip deletes its recipe', async () => {
  await edit({ dataset: 'walks', clip: 'short', steps: [{ origin: true }], name: 'gone' });
  expect(existsSync(folder('walks/raw/gone.recipe.yaml'))).toBe(true);
  const where = `${studio.address}/api/data/datasets/walks/clips/gone`;
  expect((await fetch(where, { method: 'DELETE' })).status).toBe(200);
  expect(existsSync(folder('walks/raw/gone.recipe.yaml'))).toBe(false);
});

describe('a preview of an edit', () => {
  const preview = (input: object) => request(studio.address, 'POST /api/data/edit/preview', input);

  test('the preview of an edit is shown in the scene, keeps the playhead and writes nothing', async () => {
    const files = readdirSync(folder('walks/raw'));
    const shown = await preview({ dataset: 'walks', clip: 'long', steps: [] });
    expect(shown.status).toBe(200);
    expect(shown.body).toMatchObject({ open: true, clip: 'long', frames: 300, fps: 30, edit: { part: 0, parts: 1 } });
    await request(studio.address, 'POST /api/data/playing', { playing: false });
    await request(studio.address, 'POST /api/data/frame', { frame: 20 });
    const { body } = await preview({ dataset: 'walks', clip: 'long', steps: [{ trim: { from_s: 1, to_s: 3 } }] });
    expect(body).toMatchObject({ frames: 61, frame: 20, playing: false });
    expect(readdirSync(folder('walks/raw'))).toEqual(files);
  });

  test('the preview of a split shows one of its parts', async () => {
    const { body } = await preview({ dataset: 'walks', clip: 'long', steps: [{ split: { every_s: 4 } }], part: 2 });
    expect(body).toMatchObject({ frames: 60, edit: { part: 2, parts: 3 } });
  });

  test('a preview that is not possible names step and field, and the scene stays unchanged', async () => {
    const { status, body } = await preview({ dataset: 'walks', clip: 'long', steps: [{ loop: { blend_s: 9 } }] });
    expect(status).toBe(400);
    expect(body.detail).toMatch(/^steps\[0\]\.loop\.blend_s: 9 s is too long/);
    expect((await request(studio.address, 'GET /api/data/preview')).body).toMatchObject({ frames: 60 });
    await request(studio.address, 'POST /api/data/close');
  });
});

describe('rename', () => {
  const rename = (input: object) => request(studio.address, 'POST /api/data/rename', input);

  test('renaming a clip renames its raw file, recipe, converted clip, mirror image and marks', async () => {
    await edit({ dataset: 'walks', clip: 'long', steps: [{ trim: { from_s: 0, to_s: 3 } }], name: 'old' });
    const { body } = await request(studio.address, 'POST /api/data/convert', {
      dataset: 'walks',
      which: 'selected',
      clips: ['old'],
    });
    await expect
      .poll(
        async () =>
          (await request(studio.address, 'GET /api/jobs')).body.jobs.find((job) => job.name === body.job)?.status,
        {
          timeout: 30_000,
        },
      )
      .toBe('done');
    await request(studio.address, 'POST /api/data/mark', {
      dataset: 'walks',
      clips: ['old'],
      weight: 2,
      tags: ['slow'],
    });
    expect((await rename({ dataset: 'walks', clip: 'old', name: 'new' })).body).toEqual({
      ok: true,
      undo: expect.any(String),
    });
    expect(readdirSync(folder('walks/raw')).filter((file) => /^(old|new)\./.test(file))).toEqual([
      'new.csv',
      'new.recipe.yaml',
    ]);
    expect(existsSync(folder('walks/npz/new.npz'))).toBe(true);
    expect(existsSync(folder('walks/npz/old.npz'))).toBe(false);
    const clip = (await listed('walks')).find(({ name }) => name === 'new');
    expect(clip).toMatchObject({ status: 'converted', stale: false, weight: 2, tags: ['slow'] });
    expect((await listed('walks')).some(({ name }) => name === 'old')).toBe(false);
  });

  test.each([
    [{ clip: 'long', name: 'short' }, 400, /^name: dataset "walks" already has a clip "short"/],
    [{ clip: 'long', name: 'a/b' }, 400, /^name: /],
    [{ clip: 'nobody', name: 'x' }, 400, /^clip: dataset "walks" has no clip "nobody"/],
    [{ dataset: 'linked', clip: 'far', name: 'x' }, 400, /^clip: dataset "linked" is linked to/],
    [{ name: 'fast' }, 400, /^name: robot "walker" already has a dataset "fast"/],
    [{ dataset: 'nowhere', name: 'x' }, 400, /has no dataset "nowhere"/],
  ])('the rename %j is refused', async (input, status, message) => {
    const reply = await rename({ dataset: 'walks', ...input });
    expect([reply.status, reply.body.detail]).toEqual([status, expect.stringMatching(message)]);
  });

  test('renaming a clip or dataset that the preview shows is refused with 409', async () => {
    await finish(studio.address, 'POST /api/data/load', { dataset: 'walks', clip: 'short' });
    expect((await rename({ dataset: 'walks', clip: 'short', name: 'x' })).status).toBe(409);
    // A taken name is the client's error, and is reported first.
    expect((await rename({ dataset: 'walks', clip: 'short', name: 'long' })).status).toBe(400);
    expect((await rename({ dataset: 'walks', name: 'x' })).status).toBe(409);
    await request(studio.address, 'POST /api/data/close');
  });

  test('renaming a dataset renames its folder', async () => {
    expect((await rename({ dataset: 'fast', name: 'faster' })).body).toEqual({ ok: true, undo: expect.any(String) });
    expect((await listed('faster')).map(({ name }) => name)).toEqual(['sprint']);
    const { datasets } = (await request(studio.address, 'GET /api/data/datasets')).body;
    expect(datasets.map(({ name }) => name)).toEqual(['faster', 'linked', 'repaired', 'walks']);
  });
});

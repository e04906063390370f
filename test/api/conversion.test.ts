import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMotionNpz } from '../../src/formats/motion-npz.ts';
import { formatMotionNpz } from '../../src/formats/motion-npz-write.ts';
import type { Job } from '../../src/protocol/schemas/jobs.ts';
import { finish, Listener, poseOf, request } from '../support/client.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

let listener: Listener;
const SAMPLES = 'data/humanoid/samples';

beforeAll(async () => {
  await studio.start();
  listener = await Listener.open(studio.address);
});
afterAll(async () => {
  listener.close();
});

/** Starts a conversion and waits for the end of the job. */
async function convert(body: object): Promise<Job & { log: string[] }> {
  const { status, body: reply } = await request(studio.address, 'POST /api/data/convert', body);
  if (status !== 200) throw new Error(reply.detail);
  await listener.nextEvent('jobs', (payload) => 'jobs' in payload && payload.jobs.some(ended(reply.job)), 60_000);
  const answer = await fetch(`${studio.address}/api/jobs/${reply.job}`);
  return (await answer.json()) as Job & { log: string[] };
}

const ended = (name: string) => (job: Job) => job.name === name && job.ended !== null;
const counts = async (name: string) =>
  (await request(studio.address, 'GET /api/data/datasets')).body.datasets.find((dataset) => dataset.name === name);
const npz = (clip: string, dataset = 'samples') =>
  path.join(studio.workspace, 'data/humanoid', dataset, 'npz', `${clip}.npz`);

/** Adds a dataset. @param files content by file name; null copies the sample clip */
function addDataset(name: string, files: Readonly<Record<string, string | null>>): void {
  const folder = path.join(studio.workspace, 'data/humanoid', name);
  mkdirSync(folder, { recursive: true });
  const sample = readFileSync(path.join(studio.workspace, SAMPLES, 'squat.csv'), 'utf8');
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text ?? sample);
}

test('a conversion converts the missing clips of a dataset, and none is missing afterwards', async () => {
  const job = await convert({ dataset: 'samples' });
  expect(job).toMatchObject({ kind: 'convert', status: 'done', step: 6, steps: 6, progress: 1, error: null });
  expect(job.params).toMatchObject({ which: 'missing', output_fps: 50, mirror: false });
  expect(job.log.some((line) => /^squat: \d+ frames at 30 → \d+; /.test(line))).toBe(true);
  expect(await counts('samples')).toMatchObject({ source: 6, converted: 6, missing: 0 });
  const motion = await readMotionNpz(npz('squat'));
  const rows = readFileSync(path.join(studio.workspace, SAMPLES, 'squat.csv'), 'utf8')
    .trim()
    .split('\n');
  expect(motion.frames).toBe(Math.ceil((rows.length - 1) / 30 / (1 / 50)));
  expect(motion.bodyPosW[2]).toBeCloseTo(Number(rows[0]!.split(',')[2]), 5);
  const again = await convert({ dataset: 'samples' });
  expect(again).toMatchObject({ status: 'done', steps: 0, progress: 1 });
  expect(again.log).toEqual(['nothing to convert: all clips are up to date', '0 of 0 clips converted']);
});

test('a conversion right after files are copied into the dataset converts them', async () => {
  addDataset('copied', { 'squat.csv': null });
  await convert({ dataset: 'copied' });
  const sample = readFileSync(path.join(studio.workspace, SAMPLES, 'squat.csv'), 'utf8');
  addDataset('copied', { 'whole.csv': null, 'no_last_break.csv': sample.trimEnd() });
  const job = await convert({ dataset: 'copied' });
  expect(job).toMatchObject({ status: 'done', steps: 2, error: null });
  expect(await counts('copied')).toMatchObject({ source: 3, converted: 3, missing: 0 });
});

test('a conversion while a file is being written says so and converts the others', async () => {
  const half = readFileSync(path.join(studio.workspace, SAMPLES, 'squat.csv'), 'utf8').trimEnd();
  addDataset('growing', { 'whole.csv': null });
  const write = () => addDataset('growing', { 'growing.csv': half });
  write();
  const writing = setInterval(write, 100);
  try {
    const growing = 'files are still being written to the dataset. Convert again when they are complete.';
    const first = await convert({ dataset: 'growing' });
    expect(first).toMatchObject({ status: 'done', steps: 1, error: null });
    expect(first.log).toContain(growing);
    const second = await convert({ dataset: 'growing' });
    expect(second.log).toEqual([`nothing to convert: ${growing}`, '0 of 0 clips converted']);
  } finally {
    clearInterval(writing);
  }
  expect(await convert({ dataset: 'growing' })).toMatchObject({ status: 'done', steps: 1, error: null });
});

test('converting the same clip again writes the same bytes', async () => {
  await convert({ dataset: 'samples', which: 'selected', clips: ['turn'] });
  const first = readFileSync(npz('turn'));
  await convert({ dataset: 'samples', which: 'selected', clips: ['turn'] });
  expect(readFileSync(npz('turn')).equals(first)).toBe(true);
});

test('conversion options set frame rate, floor and mirror image', async () => {
  addDataset('options', { 'squat.csv': null });
  const job = await convert({ dataset: 'options', output_fps: 25, input_fps: 60, mirror: true, debias_z: true });
  expect(job).toMatchObject({ status: 'done', steps: 1, error: null });
  const [clip, image] = await Promise.all([
    readMotionNpz(npz('squat', 'options')),
    readMotionNpz(npz('squat_M', 'options')),
  ]);
  expect(clip.fps).toBe(25);
  expect(image.frames).toBe(clip.frames);
  expect(image.bodyPosW[1]).toBeCloseTo(-clip.bodyPosW[1]!, 6);
  const { body } = await request(studio.address, 'GET /api/data/clips', { dataset: 'options' });
  expect(body.clips.map(({ name, raw, status }) => [name, raw, status])).toEqual([
    ['squat', true, 'converted'],
    ['squat_M', false, 'converted'],
  ]);
});

test('the log names options that differ from dataset.yaml and the clips that they make stale', async () => {
  addDataset('unlike', { 'squat.csv': null });
  const folder = path.join(studio.workspace, 'data/humanoid/unlike');
  writeFileSync(
    path.join(folder, 'dataset.yaml'),
    'version: 1\nconvert: {output_fps: 25, input_fps: 60, mirror: true}\n',
  );
  await request(studio.address, 'POST /api/data/uploaded');
  const other = await convert({ dataset: 'unlike', output_fps: 50, input_fps: 'file', mirror: false });
  expect(other.params).toMatchObject({ output_fps: 50, input_fps: null, mirror: false });
  expect(other.log.filter((line) => line.includes('stale'))).toEqual([
    '1 clip is listed as stale, because dataset.yaml has other options: input_fps 30 instead of 60, ' +
      'output_fps 50 instead of 25, no mirror image. Convert again without these options, or change dataset.yaml.',
  ]);
  expect(await counts('unlike')).toMatchObject({ source: 1, missing: 1 });
  const same = await convert({ dataset: 'unlike' });
  expect(same.params).toMatchObject({ output_fps: 25, input_fps: 60, mirror: true });
  expect(same.log.some((line) => line.includes('stale'))).toBe(false);
  await expect.poll(() => counts('unlike')).toMatchObject({ source: 1, missing: 0 });
});

test('an open clip that is converted again shows its new rows at the current time', async () => {
  addDataset('opened', { 'squat.csv': null });
  await convert({ dataset: 'opened' });
  await finish(studio.address, 'POST /api/data/load', { dataset: 'opened', clip: 'squat', source: 'npz' });
  await request(studio.address, 'POST /api/data/playing', { playing: false });
  const { body: before } = await request(studio.address, 'POST /api/data/time', { time: 1 });
  expect(before).toMatchObject({ fps: 50, frame: 50, playing: false });
  const shown = listener.nextEvent(
    'data',
    ({ preview }) => preview?.fps === 25 && preview.qa !== null && !preview.loading,
    60_000,
  );
  await convert({ dataset: 'opened', which: 'all', output_fps: 25, debias_z: true });
  const { preview } = await shown;
  expect(preview).toMatchObject({ clip: 'squat', source: 'npz', frame: 25, time: 1, playing: false, error: null });
  const { bodyPosW, bodies, frames } = await readMotionNpz(npz('squat', 'opened'));
  expect(preview!.frames).toBe(frames);
  await request(studio.address, 'POST /api/data/frame', { frame: 25 });
  const frame = await listener.nextFrame(({ header }) => header.hud.frame === 25 && header.hud.clip === 'squat');
  expect(poseOf(frame, 0)[2]).toBeCloseTo(bodyPosW[25 * bodies * 3 + 2]!, 5);
  await request(studio.address, 'POST /api/data/close');
});

test('a bad clip fails without the other clips, and the job names it', async () => {
  addDataset('mixed', {
    'good.csv': null,
    'words.csv': 'x,y,z\nno,number,here\n',
    'short.csv': `${'0,0,1,0,0,0,1'}${',0'.repeat(21)}\n`,
    'narrow.csv': '0,0,1,0,0,0,1,0\n0,0,1,0,0,0,1,0\n0,0,1,0,0,0,1,0\n',
  });
  const job = await convert({ dataset: 'mixed' });
  expect(job).toMatchObject({ status: 'done', step: 4, steps: 4 });
  expect(job.error).toContain('3 of 4 clips could not be converted');
  expect(job.error).toMatch(/narrow \(narrow\.csv: the clip has 8 columns/);
  expect(job.error).toMatch(/short \(.*the clip is too short: 1 frames/);
  expect(job.log.filter((line) => line.includes('FAILED'))).toHaveLength(3);
  expect(await counts('mixed')).toMatchObject({ source: 4, converted: 1, missing: 3 });
});

test('converting a dataset of only bad clips is a failed job', async () => {
  addDataset('bad', { 'words.csv': 'x,y,z\nno,number,here\n' });
  expect(await convert({ dataset: 'bad' })).toMatchObject({ status: 'failed', progress: 1 });
});

describe('a clip that could not be converted', () => {
  const clipsOf = async (dataset: string) =>
    (await request(studio.address, 'GET /api/data/clips', { dataset })).body.clips.map(({ name, failed }) => [
      name,
      failed,
    ]);
  const refresh = () => request(studio.address, 'POST /api/data/uploaded');

  test('a failed clip keeps its error and is counted until its source changes, also after a restart', async () => {
    addDataset('partly', { 'bad.csv': '1,2\n', 'good.csv': null });
    await refresh();
    await convert({ dataset: 'partly' });
    const why = expect.stringMatching(/^bad\.csv: line 1/);
    expect(await clipsOf('partly')).toEqual([
      ['bad', why],
      ['good', null],
    ]);
    expect(await counts('partly')).toMatchObject({ source: 2, converted: 1, missing: 1, failed: 1 });
    await studio.stop();
    listener.close();
    await studio.start();
    listener = await Listener.open(studio.address);
    expect(await clipsOf('partly')).toContainEqual(['bad', why]);
    expect(await counts('partly')).toMatchObject({ failed: 1 });
    writeFileSync(path.join(studio.workspace, 'data/humanoid/partly/bad.csv'), '1,2,3\n');
    await refresh();
    expect(await counts('partly')).toMatchObject({ failed: 0 });
    await convert({ dataset: 'partly' });
    expect(await counts('partly')).toMatchObject({ failed: 1 });
    addDataset('partly', { 'bad.csv': null });
    await refresh();
    await convert({ dataset: 'partly' });
    expect(await counts('partly')).toMatchObject({ source: 2, converted: 2, missing: 0, failed: 0 });
    expect(await clipsOf('partly')).toContainEqual(['bad', null]);
  });

  test('a failed clip keeps its error until the options in dataset.yaml change', async () => {
    addDataset('refused', { 'a.csv': null, 'a.pkl': 'x.' });
    await convert({ dataset: 'refused', which: 'all' });
    expect(await clipsOf('refused')).toEqual([['a', expect.stringContaining('a.csv and a.pkl')]]);
    writeFileSync(
      path.join(studio.workspace, 'data/humanoid/refused/dataset.yaml'),
      'version: 1\nconvert: {output_fps: 25}\n',
    );
    await refresh();
    expect(await counts('refused')).toMatchObject({ failed: 0 });
    await convert({ dataset: 'refused', which: 'all' });
    expect(await counts('refused')).toMatchObject({ failed: 1 });
    rmSync(path.join(studio.workspace, 'data/humanoid/refused/a.pkl'));
    await refresh();
    expect(await counts('refused')).toMatchObject({ failed: 0 });
  });
});

test('mirror images and clips without a source count as extra; deleting a clip keeps its image unless `mirror` is set', async () => {
  addDataset('images', { 'squat.csv': null, 'turn.csv': null });
  await convert({ dataset: 'images', mirror: true });
  expect(await counts('images')).toMatchObject({ source: 2, converted: 2, missing: 0, extra: 2, failed: 0 });
  const remove = async (clip: string, query = '') =>
    (await fetch(`${studio.address}/api/data/datasets/images/clips/${clip}${query}`, { method: 'DELETE' })).status;
  expect(await remove('squat')).toBe(200);
  expect(await counts('images')).toMatchObject({ source: 1, converted: 1, extra: 2 });
  expect(await remove('turn', '?mirror=true')).toBe(200);
  expect(await counts('images')).toMatchObject({ source: 0, converted: 0, extra: 1 });
  expect(existsSync(npz('squat_M', 'images'))).toBe(true);
  // A file with the name of a mirror image is kept if the conversion did not write it.
  addDataset('images', { 'squat.csv': null });
  writeFileSync(npz('squat_M', 'images'), readFileSync(npz('squat')));
  await request(studio.address, 'POST /api/data/uploaded');
  expect(await remove('squat', '?mirror=true')).toBe(200);
  expect(existsSync(npz('squat_M', 'images'))).toBe(true);
});

test('a clip that changes becomes stale and is converted again with the missing clips', async () => {
  addDataset('stale', { 'a.csv': null, 'b.csv': null });
  await convert({ dataset: 'stale' });
  const before = statSync(npz('b', 'stale')).mtimeMs;
  const later = path.join(studio.workspace, 'data/humanoid/stale/a.csv');
  await new Promise((resolve) => setTimeout(resolve, 20));
  writeFileSync(later, readFileSync(later));
  await request(studio.address, 'POST /api/data/uploaded');
  expect(await counts('stale')).toMatchObject({ converted: 1, missing: 1 });
  expect(await convert({ dataset: 'stale' })).toMatchObject({ status: 'done', steps: 1 });
  expect(statSync(npz('b', 'stale')).mtimeMs).toBe(before);
});

describe('repairs', () => {
  test('repairs are conversion options: they add up and stay until they are removed', async () => {
    addDataset('repairs', { 'squat.csv': null });
    await convert({ dataset: 'repairs' });
    const plain = await readMotionNpz(npz('squat', 'repairs'));
    const body = { dataset: 'repairs', which: 'selected', clips: ['squat'] };
    const repaired = await convert({ ...body, fixes: ['trim_first_frame:10'] });
    expect(repaired.log.some((line) => line.includes('repaired: trim_first_frame:10'))).toBe(true);
    const trimmed = await readMotionNpz(npz('squat', 'repairs'));
    expect(trimmed.frames).toBeLessThan(plain.frames);
    await convert({ dataset: 'repairs', which: 'all' });
    expect((await readMotionNpz(npz('squat', 'repairs'))).frames).toBe(trimmed.frames);
    const both = await convert({ ...body, fixes: ['debias_z'] });
    expect(both.log.some((line) => line.includes('repaired: trim_first_frame:10, debias_z'))).toBe(true);
    const other = await convert({ ...body, fixes: ['trim_first_frame:5'] });
    expect(other.log.some((line) => line.includes('repaired: debias_z, trim_first_frame:5'))).toBe(true);
    await convert({ dataset: 'repairs', which: 'all', fixes: [] });
    expect((await readMotionNpz(npz('squat', 'repairs'))).frames).toBe(plain.frames);
  });

  test('repairs of a converted clip without a source start from the original file', async () => {
    addDataset('foreign', { 'squat.csv': null });
    await convert({ dataset: 'foreign' });
    rmSync(path.join(studio.workspace, 'data/humanoid/foreign/squat.csv'));
    await request(studio.address, 'POST /api/data/uploaded');
    const original = readFileSync(npz('squat', 'foreign'));
    const body = { dataset: 'foreign', which: 'selected', clips: ['squat'], fixes: ['trim_first_frame:5'] };
    expect(await convert(body)).toMatchObject({ status: 'done', error: null });
    expect(await convert(body)).toMatchObject({ status: 'done', error: null });
    const { frames } = await readMotionNpz(original);
    expect((await readMotionNpz(npz('squat', 'foreign'))).frames).toBe(frames - 6);
    const kept = path.join(path.dirname(npz('squat', 'foreign')), 'original/squat.npz');
    expect(readFileSync(kept).equals(original)).toBe(true);
  });
});

describe('the files on disk decide', () => {
  const folder = (name: string) => path.join(studio.workspace, 'data/humanoid', name);
  const listed = async (dataset: string) =>
    (await request(studio.address, 'GET /api/data/clips', { dataset })).body.clips.map(({ name, status, stale }) => [
      name,
      status,
      stale,
    ]);

  test('a repair never restores a source file that the user has replaced', async () => {
    addDataset('replaced', {
      'squat.csv': null,
      'turn.csv': readFileSync(path.join(studio.workspace, SAMPLES, 'turn.csv'), 'utf8'),
    });
    await convert({ dataset: 'replaced' });
    for (const clip of ['squat', 'turn']) rmSync(path.join(folder('replaced'), `${clip}.csv`));
    await request(studio.address, 'POST /api/data/uploaded');
    const body = { dataset: 'replaced', which: 'selected', clips: ['squat'], fixes: ['trim_first_frame'] };
    await convert(body);
    const turn = await readMotionNpz(npz('turn', 'replaced'));
    writeFileSync(npz('squat', 'replaced'), readFileSync(npz('turn', 'replaced')));
    await request(studio.address, 'POST /api/data/uploaded');
    await convert(body);
    expect((await readMotionNpz(npz('squat', 'replaced'))).frames).toBe(turn.frames - 2);
  });

  test('the raw source of a trimmed clip plays in step with it, frame for frame', async () => {
    addDataset('trimmed', { 'squat.csv': null });
    await convert({ dataset: 'trimmed', output_fps: 30, fixes: ['trim_first_frame:9'] });
    await finish(studio.address, 'POST /api/data/load', { dataset: 'trimmed', clip: 'squat' });
    const { body } = await request(studio.address, 'GET /api/plots/clip');
    const floats = (text: string) => new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);
    const [data, ref] = [floats(body.data), floats(body.ref!)];
    const column = body.channels.findIndex(({ id }) => id === 'root.pos.z');
    const at = (rows: Float32Array, frame: number) => rows[frame * body.channels.length + column]!;
    for (let frame = 0; frame < body.frames; frame += 1) expect(at(ref, frame)).toBeCloseTo(at(data, frame), 6);
    expect(Math.abs(at(data, 30) - at(data, 21))).toBeGreaterThan(1e-3);
  });

  test('repairs of a source are not applied to another source', async () => {
    addDataset('corrected', { 'squat.csv': null });
    await convert({ dataset: 'corrected', which: 'all', fixes: ['trim_first_frame:9'] });
    const trimmed = await readMotionNpz(npz('squat', 'corrected'));
    const rows = readFileSync(path.join(folder('corrected'), 'squat.csv'), 'utf8')
      .trim()
      .split('\n');
    writeFileSync(path.join(folder('corrected'), 'squat.csv'), `${rows.slice(0, -3).join('\n')}\n`);
    await request(studio.address, 'POST /api/data/uploaded');
    const job = await convert({ dataset: 'corrected' });
    expect(job.log.join()).not.toContain('repaired');
    expect((await readMotionNpz(npz('squat', 'corrected'))).frames).toBeGreaterThan(trimmed.frames);
  });

  test('dataset.yaml sets repairs for all clips or for one; a request overrides it', async () => {
    addDataset('asked', { 'squat.csv': null, 'turn.csv': null });
    await convert({ dataset: 'asked' });
    const { frames } = await readMotionNpz(npz('squat', 'asked'));
    const file = path.join(folder('asked'), 'dataset.yaml');
    writeFileSync(file, 'version: 1\nconvert: {fixes: {squat: ["trim_first_frame:3"]}}\n');
    await request(studio.address, 'POST /api/data/uploaded');
    await expect
      .poll(() => listed('asked'))
      .toEqual([
        ['squat', 'missing', true],
        ['turn', 'converted', false],
      ]);
    expect(await convert({ dataset: 'asked' })).toMatchObject({ status: 'done', steps: 1 });
    expect((await readMotionNpz(npz('squat', 'asked'))).frames).toBe(frames - 5);
    await convert({ dataset: 'asked', which: 'all', fixes: [] });
    expect((await readMotionNpz(npz('squat', 'asked'))).frames).toBe(frames);
    writeFileSync(file, 'version: 1\nconvert: {fixes: [make_it_good]}\n');
    await request(studio.address, 'POST /api/data/uploaded');
    expect((await counts('asked'))?.error).toMatch(/convert\.fixes\.0: "make_it_good" is not a known fix/);
  });

  test('a mirror image becomes stale with its clip and is converted again with it', async () => {
    addDataset('mirrors', { 'squat.csv': null });
    await convert({ dataset: 'mirrors', mirror: true });
    const csv = path.join(folder('mirrors'), 'squat.csv');
    const rows = readFileSync(csv, 'utf8').trim().split('\n');
    writeFileSync(csv, `${rows.slice(30).join('\n')}\n`);
    await request(studio.address, 'POST /api/data/uploaded');
    expect(await listed('mirrors')).toEqual([
      ['squat', 'missing', true],
      ['squat_M', 'converted', true],
    ]);
    // The filters and the counts agree.
    expect(await counts('mirrors')).toMatchObject({ source: 1, converted: 0, missing: 1, extra: 1 });
    const total = async (status: string) =>
      (await request(studio.address, 'GET /api/data/clips', { dataset: 'mirrors', status })).body.total;
    expect([await total('missing'), await total('converted'), await total('raw')]).toEqual([1, 1, 1]);
    await convert({ dataset: 'mirrors' });
    const [clip, image] = await Promise.all([
      readMotionNpz(npz('squat', 'mirrors')),
      readMotionNpz(npz('squat_M', 'mirrors')),
    ]);
    expect(image.frames).toBe(clip.frames);
    expect(await counts('mirrors')).toMatchObject({ converted: 1, missing: 0, extra: 1 });
  });

  test('a clip counts as missing until it has the mirror image that dataset.yaml requires', async () => {
    addDataset('both', { 'squat.csv': null });
    await convert({ dataset: 'both' });
    writeFileSync(path.join(folder('both'), 'dataset.yaml'), 'version: 1\nconvert: {mirror: true}\n');
    await request(studio.address, 'POST /api/data/uploaded');
    expect(await counts('both')).toMatchObject({ converted: 0, missing: 1 });
    await convert({ dataset: 'both' });
    expect(await counts('both')).toMatchObject({ converted: 1, missing: 0, extra: 1 });
  });

  test('a file that has the name of a mirror image but was made by somebody else is never replaced', async () => {
    addDataset('others', { 'squat.csv': null });
    await convert({ dataset: 'others' });
    writeFileSync(npz('squat_M', 'others'), readFileSync(npz('squat', 'others')));
    await request(studio.address, 'POST /api/data/uploaded');
    await convert({ dataset: 'others', which: 'all' });
    expect(readFileSync(npz('squat_M', 'others')).equals(readFileSync(npz('squat', 'others')))).toBe(true);
  });
});

test.each([
  [{ dataset: 'nothing' }, /dataset/],
  [{ dataset: 'samples', which: 'selected' }, /clips: must name/],
  [{ dataset: 'samples', which: 'selected', clips: ['sqat'] }, /did you mean "squat"/],
  [{ dataset: 'samples', output_fps: 0 }, /output_fps: must be/],
  [{ dataset: 'samples', which: 'some' }, /which: must be/],
  [{ dataset: 'samples', fixes: ['make_it_good'] }, /fixes\.0: "make_it_good" is not a known fix/],
  [{ dataset: 'samples', speed: 2 }, /speed/],
])('the request %j is refused', async (body, message) => {
  const { status, body: reply } = await request(studio.address, 'POST /api/data/convert', body);
  expect(status).toBe(400);
  expect(reply.detail).toMatch(message);
});

test('a stopped conversion names the command to continue and keeps its output', async () => {
  addDataset('many', Object.fromEntries(Array.from({ length: 200 }, (_, k) => [`clip${k}.csv`, null])));
  await request(studio.address, 'POST /api/data/uploaded');
  const { body } = await request(studio.address, 'POST /api/data/convert', { dataset: 'many' });
  await listener.nextEvent(
    'jobs',
    (payload) => 'jobs' in payload && payload.jobs.some((job) => job.name === body.job && (job.step ?? 0) > 3),
  );
  const stop = await fetch(`${studio.address}/api/jobs/${body.job}/stop`, { method: 'POST' });
  expect(stop.status).toBe(200);
  await listener.nextEvent('jobs', (payload) => 'jobs' in payload && payload.jobs.some(ended(body.job)));
  const job = (await (await fetch(`${studio.address}/api/jobs/${body.job}`)).json()) as Job;
  expect(job).toMatchObject({ status: 'stopped', steps: 200 });
  expect(job.error).toMatch(/clips are not converted\. Convert the missing clips to continue/);
  const made = await counts('many');
  expect(made?.converted).toBe(job.step);
  const rest = await convert({ dataset: 'many' });
  expect(rest).toMatchObject({ status: 'done', steps: 200 - job.step! });
  expect(await counts('many')).toMatchObject({ converted: 200, missing: 0 });
});

test('a pattern selects the clips to convert; the error for a list over the limit suggests a pattern', async () => {
  addDataset('chosen', { 'walk_a.csv': null, 'walk_b.csv': null, 'turn.csv': null });
  expect(await convert({ dataset: 'chosen', which: 'selected', q: 'walk*' })).toMatchObject({
    status: 'done',
    steps: 2,
  });
  expect(existsSync(npz('turn', 'chosen'))).toBe(false);
  const refused = async (body: object) =>
    request(studio.address, 'POST /api/data/convert', { dataset: 'chosen', ...body });
  expect((await refused({ which: 'selected', q: 'sit' })).body.detail).toBe(
    'q: no clip of dataset "chosen" matches "sit"',
  );
  expect((await refused({ q: 'walk*' })).body.detail).toBe('q: chooses clips, so "which" must be "selected"');
  expect((await refused({ which: 'selected', q: '*', clips: ['turn'] })).body.detail).toBe(
    'q: give either "clips" or "q"',
  );
  const clips = Array.from({ length: 60_000 }, (_, k) => `recording_number_${k}`);
  for (const [route, field] of [
    ['POST /api/data/convert', { which: 'selected' }],
    ['POST /api/data/mark', { exclude: true }],
  ] as const) {
    const { status, body } = await request(studio.address, route, { dataset: 'chosen', clips, ...field });
    expect([status, body.detail]).toEqual([413, expect.stringContaining('instead of "clips"')]);
    expect(body.detail).toContain('"q"');
  }
});

test('a converted clip of another rate, without its raw file, is converted from its npz', async () => {
  addDataset('sixty', { 'squat.csv': null });
  await convert({ dataset: 'sixty', output_fps: 60 });
  const clip = readFileSync(npz('squat', 'sixty'));
  await convert({ dataset: 'sixty', which: 'all' });
  const expected = await readMotionNpz(npz('squat', 'sixty'));

  addDataset('own', {});
  mkdirSync(path.dirname(npz('squat', 'own')));
  writeFileSync(npz('squat', 'own'), clip);
  const launch = { task: 'Wbc-Humanoid', dataset: 'own', dry_run: true };
  const refused = await request(studio.address, 'POST /api/train/launch', launch);
  const problem = refused.body.checks?.find(({ name }) => name === 'clips')?.text;
  expect(problem).toContain('it has 60 frames per second, but the task has 50 control steps per second');
  expect(problem).toContain('Convert all clips of the dataset with output_fps 50');

  // The npz states its rate, so the rate given for raw files does not change it.
  const job = await convert({ dataset: 'own', which: 'all', output_fps: 50, input_fps: 30 });
  expect(job).toMatchObject({ status: 'done', steps: 1, error: null });
  const motion = await readMotionNpz(npz('squat', 'own'));
  expect([motion.fps, motion.frames]).toEqual([50, expected.frames]);
  const difference = motion.bodyPosW.map((value, k) => Math.abs(value - expected.bodyPosW[k]!));
  expect(Math.max(...difference)).toBeLessThan(1e-3);
  expect(readFileSync(path.join(path.dirname(npz('squat', 'own')), 'original/squat.npz')).equals(clip)).toBe(true);
  expect((await request(studio.address, 'POST /api/train/launch', launch)).body.checks).toContainEqual(
    expect.objectContaining({ name: 'clips', ok: true }),
  );
  const again = await convert({ dataset: 'own', which: 'all', output_fps: 50 });
  expect(again.log[0]).toBe('nothing to convert: all clips are up to date');
});

test('a converted clip with joints in another order is repaired before its rate can change', async () => {
  addDataset('permuted', { 'squat.csv': null });
  await convert({ dataset: 'permuted', output_fps: 60 });
  const motion = await readMotionNpz(npz('squat', 'permuted'));
  const reversed = (values: Float32Array) =>
    values.map((_, at) => values[at - (at % motion.joints) + motion.joints - 1 - (at % motion.joints)]!);
  const foreign = {
    ...motion,
    jointNames: null,
    jointPos: reversed(motion.jointPos),
    jointVel: reversed(motion.jointVel),
  };
  rmSync(path.join(studio.workspace, 'data/humanoid/permuted/squat.csv'));
  const bytes = Buffer.concat(formatMotionNpz(foreign, '{}'));
  writeFileSync(npz('squat', 'permuted'), bytes);
  const job = await convert({ dataset: 'permuted', which: 'selected', clips: ['squat'] });
  expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('joint') });
  expect(readFileSync(npz('squat', 'permuted')).equals(bytes)).toBe(true);
});

test('a repair that a clip contains already is not applied again when its rate changes', async () => {
  addDataset('trimmed', {
    'squat.csv': null,
    'dataset.yaml': 'version: 1\nconvert:\n  fixes: [trim_first_frame:20]\n',
  });
  await convert({ dataset: 'trimmed' });
  const expected = await readMotionNpz(npz('squat', 'trimmed'));
  await convert({ dataset: 'trimmed', which: 'all', output_fps: 60 });
  rmSync(path.join(studio.workspace, 'data/humanoid/trimmed/squat.csv'));
  for (const fps of [50, 60, 50]) await convert({ dataset: 'trimmed', which: 'all', output_fps: fps });
  const motion = await readMotionNpz(npz('squat', 'trimmed'));
  // A change of the rate can leave out the last frame, but 20 frames of the source are not trimmed again.
  expect(motion.fps).toBe(50);
  expect(expected.frames - motion.frames).toBeLessThanOrEqual(1);
  expect(motion.jointPos[0]).toBeCloseTo(expected.jointPos[0]!, 5);
});

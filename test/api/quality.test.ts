import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMotionNpz } from '../../src/formats/motion-npz.ts';
import { formatMotionNpz } from '../../src/formats/motion-npz-write.ts';
import type { Clip, Preview } from '../../src/protocol/schemas/data.ts';
import type { Job } from '../../src/protocol/schemas/jobs.ts';
import { finish, Listener, request } from '../support/client.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

let listener: Listener;
const WITHIN_MS = 30_000;

async function start(): Promise<void> {
  await studio.start();
  listener = await Listener.open(studio.address);
}

async function stop(): Promise<void> {
  listener.close();
  await studio.stop();
}

beforeAll(start);
afterAll(() => listener.close());

/** Calls `ask` again after each `data` event until it returns a value other than null. */
async function settled<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const seen = listener.events.length;
    const answer = await ask();
    if (answer !== null) return answer;
    const isNews = (payload: unknown) => listener.events.slice(seen).some((event) => event.payload === payload);
    await listener.nextEvent('data', isNews, WITHIN_MS);
  }
}

/** Returns the clips of a dataset after all of them are checked. */
function checked(dataset: string): Promise<readonly Clip[]> {
  return settled(async () => {
    const { clips } = (await request(studio.address, 'GET /api/data/clips', { dataset })).body;
    return clips.every(({ qa }) => qa !== null) ? clips : null;
  });
}

/** Loads a clip. @returns the checks in the state of the preview, after they are done */
async function qualityOf(dataset: string, clip: string, source?: 'npz' | 'raw'): Promise<NonNullable<Preview['qa']>> {
  await finish(studio.address, 'POST /api/data/load', { dataset, clip, ...(source ? { source } : {}) });
  return settled(async () => (await request(studio.address, 'GET /api/data/preview')).body.qa);
}

async function convert(body: object): Promise<void> {
  const { job } = (await request(studio.address, 'POST /api/data/convert', body)).body;
  const isEnd = (one: Job) => one.name === job && one.ended !== null;
  const payload = await listener.nextEvent('jobs', (jobs) => 'jobs' in jobs && jobs.jobs.some(isEnd), WITHIN_MS);
  expect('jobs' in payload && payload.jobs.find(isEnd)).toMatchObject({ status: 'done', error: null });
}

async function upload(file: string, content: string | Uint8Array): Promise<void> {
  const reply = await fetch(`${studio.address}/api/data/upload/made/${file}`, {
    method: 'PUT',
    body: content as BodyInit,
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
}

/** Returns the rows of a sample clip, each changed by `change`. */
function sample(clip: string, change: (row: number[], frame: number) => number[]): string {
  const text = readFileSync(path.join(studio.workspace, `data/humanoid/samples/${clip}.csv`), 'utf8');
  const lines = text.trim().split('\n');
  return `${lines.map((line, frame) => change(line.split(',').map(Number), frame).join(',')).join('\n')}\n`;
}

test('the sample clips are checked when they are listed, and have no issues', async () => {
  const clips = await checked('samples');
  expect(clips.map(({ name, qa }) => [name, qa])).toEqual(clips.map(({ name }) => [name, { worst: 'ok', issues: 0 }]));
  expect(clips).toHaveLength(6);
});

test('an upload is checked automatically; the listing shows its worst issue, the preview all of them', async () => {
  await request(studio.address, 'POST /api/data/new', { name: 'made' });
  await upload(
    'sunk.csv',
    sample('turn', ([x, y, z, ...rest]) => [x!, y!, z! - 0.2, ...rest]),
  );
  await upload(
    'torn.csv',
    sample('turn', (row, frame) => (frame === 90 ? row.map((v, k) => (k === 9 ? NaN : v)) : row)),
  );
  const [sunk, torn] = await checked('made');
  expect([sunk!.qa!.worst, torn!.qa!.worst]).toEqual(['error', 'error']);
  expect([sunk!.error, torn!.error]).toEqual([null, expect.stringContaining('line 91 contains nan or inf')]);
  const qa = await qualityOf('made', 'sunk');
  expect(qa).toMatchObject({ ok: false });
  expect(qa.issues).toHaveLength(sunk!.qa!.issues);
  expect(qa.issues[0]).toMatchObject({ kind: 'ground_penetration', severity: 'error', fix: 'debias_z' });
  expect(qa.issues[0]!.text).toMatch(/0\.20\d m below the floor/);
});

test('a clip with quaternions w x y z is read in that order, and the repair of earlier versions does not swap it again', async () => {
  await upload(
    'swapped.csv',
    sample('walk_forward', ([x, y, z, qx, qy, qz, qw, ...q]) => [x!, y!, z!, qw!, qx!, qy!, qz!, ...q]),
  );
  expect(await qualityOf('made', 'swapped')).toEqual({ ok: true, issues: [] });
  const { body } = await request(studio.address, 'GET /api/data/clips', { dataset: 'made', q: 'swapped' });
  expect(body.clips[0]!.source!.assumed).toContainEqual({ what: 'quaternion', value: 'wxyz', from: 'guess' });
  const before = readFileSync(path.join(studio.workspace, 'data/humanoid/made/swapped.csv'));
  for (const fixes of [[], ['swap_quaternion']]) {
    await convert({ dataset: 'made', which: 'selected', clips: ['swapped'], fixes });
    expect(await qualityOf('made', 'swapped', 'npz')).toEqual({ ok: true, issues: [] });
  }
  expect(readFileSync(path.join(studio.workspace, 'data/humanoid/made/swapped.csv')).equals(before)).toBe(true);
});

test('the repairs for degrees, centimetres and y up together repair a clip', async () => {
  const half = Math.SQRT1_2;
  await upload(
    'units.csv',
    sample('walk_forward', ([x, y, z, qx, qy, qz, qw, ...q]) => [
      ...[100 * x!, 100 * z!, -100 * y!],
      // quaternion of the row, turned by −90° about x
      ...[half * (qx! - qw!), half * (qy! + qz!), half * (qz! - qy!), half * (qw! + qx!)],
      ...q.map((angle) => (angle! * 180) / Math.PI),
    ]),
  );
  const qa = await qualityOf('made', 'units');
  const fixes = qa.issues.flatMap(({ fix }) => fix ?? []);
  expect([...fixes].sort()).toEqual(['degrees', 'scale_positions:0.01', 'y_up']);
  await convert({ dataset: 'made', which: 'selected', clips: ['units'], fixes });
  await convert({ dataset: 'samples', which: 'selected', clips: ['walk_forward'] });
  expect(await qualityOf('made', 'units', 'npz')).toEqual({ ok: true, issues: [] });
  const [made, plain] = await Promise.all(
    ['made/npz/units.npz', 'samples/npz/walk_forward.npz'].map((file) =>
      readMotionNpz(path.join(studio.workspace, 'data/humanoid', file)),
    ),
  );
  for (const key of ['jointPos', 'bodyPosW', 'bodyQuatW'] as const)
    for (let k = 0; k < plain![key].length; k += 11) expect(made![key][k]).toBeCloseTo(plain![key][k]!, 4);
});

test('breadth-first bodies of a foreign npz are found, and the repair recomputes them', async () => {
  await convert({ dataset: 'samples', which: 'selected', clips: ['step_in_place'] });
  const motion = await readMotionNpz(path.join(studio.workspace, 'data/humanoid/samples/npz/step_in_place.npz'));
  const tree = (await request(studio.address, 'GET /api/robot/model')).body.bodies;
  const order: number[] = [];
  for (
    let level = [0];
    level.length > 0;
    level = level.flatMap((body) => tree.flatMap(({ parent }, k) => (parent === body ? [k] : [])))
  )
    order.push(...level);
  const permuted = (values: Float32Array, width: number) => {
    const out = new Float32Array(values.length);
    for (let frame = 0; frame < motion.frames; frame++)
      for (const [place, body] of order.entries()) {
        const from = (frame * motion.bodies + body) * width;
        out.set(values.subarray(from, from + width), (frame * motion.bodies + place) * width);
      }
    return out;
  };
  const foreign = {
    ...motion,
    bodyPosW: permuted(motion.bodyPosW, 3),
    bodyQuatW: permuted(motion.bodyQuatW, 4),
    bodyLinVelW: permuted(motion.bodyLinVelW, 3),
    bodyAngVelW: permuted(motion.bodyAngVelW, 3),
  };
  await upload('foreign.npz', Buffer.concat(formatMotionNpz(foreign, '{}')));
  const qa = await qualityOf('made', 'foreign');
  expect(qa.issues.map(({ kind, fix }) => [kind, fix])).toEqual([['body_order', 'reorder_bodies']]);
  expect(qa.issues[0]!.text).toMatch(/breadth-first \(Isaac, PhysX\) order.*99 % sure/);
  await convert({ dataset: 'made', which: 'selected', clips: ['foreign'], fixes: [qa.issues[0]!.fix!] });
  expect((await qualityOf('made', 'foreign')).issues).toEqual([]);
});

test('after a restart check summaries are listed at once; other thresholds check again', async () => {
  await checked('made');
  await stop();
  await start();
  const { clips } = (await request(studio.address, 'GET /api/data/clips', { dataset: 'made' })).body;
  expect(clips.map(({ qa }) => qa?.worst)).toEqual(['ok', 'error', 'ok', 'error', 'ok']);
  await stop();
  writeFileSync(path.join(studio.workspace, 'studio.yaml'), 'qa: {jump: {position_break: 0.0001}}\n');
  await start();
  const samples = await checked('samples');
  expect(samples.some(({ qa }) => qa!.worst === 'warning')).toBe(true);
});

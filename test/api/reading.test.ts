import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseClipCsv } from '../../src/formats/csv.ts';
import { readMotionNpz } from '../../src/formats/motion-npz.ts';
import { writeNpz } from '../../src/formats/npz.ts';
import { finish, Listener, request } from '../support/client.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();
const outside = path.join(tmpdir(), `reading-${process.pid}`);
let listener: Listener;
let joints: string[];
let rows: number[][];

beforeAll(async () => {
  await studio.start();
  listener = await Listener.open(studio.address);
  joints = (await request(studio.address, 'GET /api/data/joints')).body.joints.map(({ name }) => name);
  const clip = parseClipCsv(readFileSync(path.join(studio.workspace, 'data/humanoid/samples/turn.csv')));
  rows = Array.from({ length: clip.frames }, (_, k) => [
    ...clip.rows.subarray(k * clip.columns, (k + 1) * clip.columns),
  ]);
});
afterAll(() => {
  listener.close();
  rmSync(outside, { recursive: true, force: true });
});

const folderOf = (dataset: string) => path.join(studio.workspace, 'data/humanoid', dataset);

async function addDataset(name: string, files: Readonly<Record<string, string>>): Promise<void> {
  mkdirSync(folderOf(name), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folderOf(name), file), text);
  await request(studio.address, 'POST /api/data/uploaded');
}

async function convert(body: object) {
  const { status, body: reply } = await request(studio.address, 'POST /api/data/convert', body);
  if (status !== 200) throw new Error(reply.detail);
  await listener.nextEvent(
    'jobs',
    (payload) => 'jobs' in payload && payload.jobs.some((job) => job.name === reply.job && job.ended !== null),
    60_000,
  );
}

const clipOf = async (dataset: string, name: string) =>
  (await request(studio.address, 'GET /api/data/clips', { dataset, q: name })).body.clips[0]!;
const motionOf = (dataset: string, name: string) => readMotionNpz(path.join(folderOf(dataset), 'npz', `${name}.npz`));
const assumedOf = async (dataset: string, name: string) =>
  (await clipOf(dataset, name)).source!.assumed.map(({ what, value, from }) => `${what} ${value} ${from}`);

/** Writes rows as BONES-SEED does, with the joints in reverse order. */
function seedText(): string {
  const degrees = (angle: number) => ((angle * 180) / Math.PI).toFixed(9);
  const names = [...joints].reverse().map((name) => `${name}_dof`);
  const root = [
    'root_translateX',
    'root_translateY',
    'root_translateZ',
    'root_rotateX',
    'root_rotateY',
    'root_rotateZ',
  ];
  const lines = rows.map((row, frame) => {
    const [x, y, z, qx, qy, qz, qw, ...angles] = row as [number, number, number, number, number, number, number];
    const euler = [
      Math.atan2(2 * (qw * qx + qy * qz), 1 - 2 * (qx * qx + qy * qy)),
      Math.asin(2 * (qw * qy - qz * qx)),
      Math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz)),
    ];
    const position = [x, y, z].map((value) => (100 * value).toFixed(7));
    return [frame, ...position, ...euler.map(degrees), ...[...angles].reverse().map(degrees)].join(',');
  });
  return `${[['Frame', ...root, ...names].join(','), ...lines].join('\n')}\n`;
}

const plainText = (order: readonly number[] = [0, 1, 2, 3, 4, 5, 6]) =>
  `${rows.map((row) => [...order.map((k) => row[k]), ...row.slice(7)].join(',')).join('\n')}\n`;

test('a BONES-SEED clip converts to the same motion as the plain clip at 120 frames a second', async () => {
  await addDataset('seed', { 'seed.csv': seedText() });
  await addDataset('plain', { 'plain.csv': plainText() });
  expect(await assumedOf('seed', 'seed')).toEqual([
    'fps 120 format',
    'units cm format',
    'quaternion euler_xyz format',
    'joint_order named file',
  ]);
  expect(await clipOf('seed', 'seed')).toMatchObject({ frames: rows.length, fps: 120, error: null });
  await convert({ dataset: 'seed' });
  await convert({ dataset: 'plain', input_fps: 120 });
  const [seed, plain] = [await motionOf('seed', 'seed'), await motionOf('plain', 'plain')];
  expect(seed.frames).toBe(plain.frames);
  // The plain file has quaternions of six decimals. Resampling does not normalise them.
  for (const key of ['jointPos', 'bodyPosW'] as const)
    for (let k = 0; k < plain[key].length; k += 97) expect(seed[key][k]).toBeCloseTo(plain[key][k]!, 3);
  expect(await clipOf('seed', 'seed')).toMatchObject({ status: 'converted', stale: false });
});

test('a raw preview shows one row of the file per frame', async () => {
  await addDataset('shown', { 'shown.csv': seedText() });
  await finish(studio.address, 'POST /api/data/load', { dataset: 'shown', clip: 'shown', source: 'raw' });
  const { body } = await request(studio.address, 'GET /api/data/preview');
  expect(body).toMatchObject({ source: 'raw', frames: rows.length, fps: 120, error: null });
});

test('the read options are kept in dataset.yaml; listing, conversion and preview use them', async () => {
  await addDataset('read', {
    'a.csv': plainText([0, 1, 2, 6, 3, 4, 5]),
    'dataset.yaml': 'version: 1\n# as the studio of Ann exports\nconvert:\n  output_fps: 50\n',
  });
  await addDataset('as-is', { 'a.csv': plainText() });
  const read = { fps: 60, quaternion: 'wxyz' };
  await convert({ dataset: 'read', read });
  await convert({ dataset: 'as-is', input_fps: 60 });
  const text = readFileSync(path.join(folderOf('read'), 'dataset.yaml'), 'utf8');
  expect(text).toContain('# as the studio of Ann exports');
  expect(text).toMatch(/convert:\n {2}output_fps: 50\n {2}read:\n {4}fps: 60\n {4}quaternion: wxyz\n/);
  expect((await motionOf('read', 'a')).bodyQuatW).toEqual((await motionOf('as-is', 'a')).bodyQuatW);
  expect(await assumedOf('read', 'a')).toEqual(['units m format', 'joint_order robot guess']);
  const { body } = await request(studio.address, 'GET /api/data/datasets');
  expect(body.datasets.find(({ name }) => name === 'read')).toMatchObject({ read, converted: 1, missing: 0 });
  await finish(studio.address, 'POST /api/data/load', { dataset: 'read', clip: 'a', source: 'raw' });
  expect((await request(studio.address, 'GET /api/data/preview')).body).toMatchObject({ fps: 60, error: null });
  await convert({ dataset: 'read', read: {}, which: 'selected', clips: ['a'] });
  expect(await clipOf('read', 'a')).toMatchObject({ stale: false });
  expect(await assumedOf('read', 'a')).toContain('fps 30 guess');
});

test('read options that do not fit the robot or the schema are refused and change nothing', async () => {
  await addDataset('refused', { 'a.csv': plainText() });
  const refusal = async (read: object) => {
    const { status, body } = await request(studio.address, 'POST /api/data/convert', {
      dataset: 'refused',
      read,
    } as never);
    return [status, body.detail];
  };
  expect(await refusal({ joint_order: ['wing'] })).toEqual([
    400,
    expect.stringContaining('read.joint_order: the joint "wing" does not belong to this robot'),
  ]);
  expect((await refusal({ units: 'inch' }))[0]).toBe(400);
  expect((await refusal({ speed: 2 }))[1]).toContain('read.speed');
  const { body } = await request(studio.address, 'GET /api/data/datasets');
  expect(body.datasets.find(({ name }) => name === 'refused')).not.toHaveProperty('read');
});

test('an import keeps the read options; an .npz of a retargeting tool is imported as a source and converted', async () => {
  mkdirSync(outside);
  const qpos = rows.flatMap((row) => [row[6]!, row[3]!, row[4]!, row[5]!, row[0]!, row[1]!, row[2]!, ...row.slice(7)]);
  const arrays = writeNpz([
    ['qpos', { dtype: 'f8', shape: [rows.length, 7 + joints.length], data: Float64Array.from(qpos) }],
    ['fps', { dtype: 'f8', shape: [], data: Float64Array.of(1 / 60) }],
  ]);
  writeFileSync(path.join(outside, 'omni.npz'), arrays);
  await finish(studio.address, 'POST /api/data/import', { source: outside, name: 'omni', read: { units: 'm' } });
  expect(readFileSync(path.join(folderOf('omni'), 'dataset.yaml'), 'utf8')).toContain('units: m');
  expect(await clipOf('omni', 'omni')).toMatchObject({ status: 'missing', raw: true, frames: rows.length, fps: 60 });
  expect(await assumedOf('omni', 'omni')).toEqual(['quaternion wxyz guess', 'fps 60 guess', 'joint_order robot guess']);
  await convert({ dataset: 'omni' });
  await addDataset('beside', { 'a.csv': plainText() });
  await convert({ dataset: 'beside', input_fps: 60 });
  expect((await motionOf('omni', 'omni')).bodyPosW).toEqual((await motionOf('beside', 'a')).bodyPosW);
  const where = `${studio.address}/api/data/upload/beside/up.npz`;
  const reply = await fetch(where, { method: 'PUT', body: arrays });
  expect([reply.status, (await reply.json()) as unknown]).toEqual([200, expect.objectContaining({ clip: 'up' })]);
  expect(await clipOf('beside', 'up')).toMatchObject({ raw: true, status: 'missing', fps: 60, error: null });
});

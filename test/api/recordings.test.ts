import { readFileSync } from 'node:fs';
import path from 'node:path';
import { McapIndexedReader } from '@mcap/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { readNpz } from '../../src/formats/npz.ts';
import type { Frame } from '../../src/protocol/frame.ts';
import { loadRecording } from '../../src/recording/read/load-recording.ts';
import { readTransforms } from '../../src/recording/read/read-transforms.ts';
import { finish, Listener, request } from '../support/client.ts';
import { configure, convertAll, until } from '../support/play-client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { useStudio } from '../support/use-studio.ts';

const RUN = 'small/zero';
const ENVS = 16;
const studio = useStudio();
let bodies: string[];

beforeAll(async () => {
  const { facts } = await preparedHumanoid();
  bodies = facts.bodies.map((body) => body.name);
  addSmallRun(path.join(studio.workspace, 'logs/rsl_rl'), facts.joints.length, RUN);
  await studio.start();
  await convertAll(studio.address, 'samples');
  await configure(studio.address, { run: RUN, num_envs: ENVS });
});

const fileOf = (name: string, format = 'mcap') => path.join(studio.workspace, 'recordings', `${name}.${format}`);
const start = (body: object = {}) => request(studio.address, 'POST /api/record/start', body);
const stop = () => request(studio.address, 'POST /api/record/stop', {});
const listed = async () => (await request(studio.address, 'GET /api/recordings')).body.recordings;

function openMcap(file: string) {
  const bytes = readFileSync(file);
  return McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.length),
      read: async (offset: bigint, length: bigint) => bytes.subarray(Number(offset), Number(offset + length)),
    },
  });
}

/** Records until a client has received `count` frames, and returns these. */
async function record(name: string, format: 'mcap' | 'npz', count: number): Promise<Frame[]> {
  const { status, body } = await start({ name, format });
  expect([status, body]).toEqual([200, { ok: true, recording: name }]);
  const listener = await Listener.open(studio.address);
  const frames: Frame[] = [];
  while (frames.length < count) {
    const frame = await listener.nextFrame(({ header }) => header.seq > (frames.at(-1)?.header.seq ?? 0));
    frames.push({ header: frame.header, blob: frame.blob.slice() });
  }
  listener.close();
  expect(await stop()).toMatchObject({ status: 200, body: { ok: true, recording: name } });
  return frames;
}

test('an MCAP recording of 16 environments has the poses of the frames sent, and the topics of the session', async () => {
  await request(studio.address, 'POST /api/play/options', { ghost: 'overlay', contacts: true });
  const sent = await record('sixteen', 'mcap', 60);
  const reader = await openMcap(fileOf('sixteen'));
  const topics = new Map<string, Uint8Array[]>();
  for await (const { channelId, data } of reader.readMessages()) {
    const { topic } = reader.channelsById.get(channelId)!;
    topics.set(topic, [...(topics.get(topic) ?? []), data.slice()]);
  }
  const captions = topics.get('/scene')!.map((data) => JSON.parse(Buffer.from(data).toString()));
  const transforms = topics.get('/tf')!;
  expect(transforms.length).toBe(captions.length * 2); // robots, then ghosts
  let compared = 0;
  for (const { header, blob } of sent) {
    const k = captions.findIndex(({ time }) => time === header.time);
    if (k < 0) continue; // sent before the first recorded frame or after the last one
    for (const [message, span] of [
      [transforms[2 * k]!, header.poses],
      [transforms[2 * k + 1]!, header.ghost!],
    ] as const) {
      const poses = new Float32Array(span.count);
      expect(readTransforms(Buffer.from(message), poses, 0)).toBe(ENVS * bodies.length);
      expect(poses).toEqual(blob.subarray(span.offset, span.offset + span.count));
    }
    compared += 1;
  }
  expect(compared).toBeGreaterThan(5);
  const schemas = new Map([...reader.schemasById.values()].map(({ name, encoding }) => [name, encoding]));
  for (const name of ['FrameTransforms', 'SceneUpdate', 'Log'])
    expect(schemas.get(`foxglove.${name}`)).toBe('protobuf');
  for (const topic of ['joints', 'torques', 'actions', 'rewards'])
    expect(topics.get(`/session/${topic}`)!.length).toBeGreaterThan(30);
  const row = JSON.parse(Buffer.from(topics.get('/session/joints')![0]!).toString());
  expect(Object.keys(row.values).length).toBeGreaterThan(10);
  expect(topics.get('/robots')).toHaveLength(1);
  const attachments = [];
  for await (const { name, data } of reader.readAttachments()) attachments.push([name, Buffer.from(data).toString()]);
  expect(attachments).toEqual([['humanoid.xml', expect.stringMatching(/^<mujoco/)]]);
});

test('an npz recording has the same poses as arrays, and rows of the session', async () => {
  const sent = await record('arrays', 'npz', 40);
  const { arrays } = await readNpz(fileOf('arrays', 'npz'));
  const { shape } = arrays.get('poses')!;
  const data = arrays.get('poses')!.data as Float32Array;
  const times = Array.from(arrays.get('time')!.data as Float64Array);
  expect(shape).toEqual([times.length, ENVS, bodies.length, 7]);
  const size = ENVS * bodies.length * 7;
  let compared = 0;
  for (const { header, blob } of sent) {
    const k = times.indexOf(header.time);
    if (k < 0) continue;
    expect(data.subarray(k * size, (k + 1) * size)).toEqual(
      blob.subarray(header.poses.offset, header.poses.offset + size),
    );
    compared += 1;
  }
  expect(compared).toBeGreaterThan(5);
  expect(arrays.get('joints')!.shape[0]).toBe(arrays.get('row_wall')!.shape[0]);
  expect(arrays.get('rewards_names')!.data).toContain('total');
  const entry = (await listed()).find(({ name }) => name === 'arrays');
  expect(entry).toMatchObject({ format: 'npz', state: 'done', robot: 'humanoid', owner: 'play', error: null });
});

describe.each(['mcap', 'npz'] as const)('a recording as %s', (format) => {
  test('a recording plays in the scene with the transport of a clip', async () => {
    await configure(studio.address, { run: RUN, num_envs: 3 });
    await request(studio.address, 'POST /api/play/playing', { playing: true });
    await record(`replayed-${format}`, format, 30);
    const listener = await Listener.open(studio.address);
    expect((await finish(studio.address, 'POST /api/record/open', { name: `replayed-${format}` })).state).toBe('done');
    await request(studio.address, 'POST /api/data/playing', { playing: false });
    const { body } = await request(studio.address, 'POST /api/data/frame', { frame: 10 });
    expect(body).toMatchObject({
      open: true,
      dataset: null,
      clip: null,
      source: null,
      recording: `replayed-${format}`,
      frame: 10,
    });
    const { header, blob } = await listener.nextFrame(
      (frame) => frame.header.owner === 'data' && frame.header.hud.frame === 10,
    );
    expect(header).toMatchObject({ n: 3, owner: 'data' });
    const shown = blob.slice(header.poses.offset, header.poses.offset + header.poses.count);
    const file = fileOf(`replayed-${format}`, format);
    const { poses, pictures, starts } = await loadRecording({ file, format, name: 'any', bodies });
    const from = starts[pictures[10]!]!;
    expect(shown).toEqual(poses.slice(from, from + shown.length));
    listener.close();
  });
});

test('a recording stops after max_s and is done', async () => {
  await start({ name: 'short', max_s: 1 });
  const recording = await until(
    async () => (await listed()).find(({ name }) => name === 'short'),
    (found) => found?.state === 'done',
  );
  expect(recording).toMatchObject({ reason: null, error: null });
  expect(recording!.duration).toBeGreaterThan(1);
});

test('a second start, a stop without a recording and a delete of the running recording answer 409; a taken name is refused', async () => {
  expect((await stop()).status).toBe(409);
  expect((await start({ name: 'running' })).status).toBe(200);
  expect((await start({ name: 'other' })).status).toBe(409);
  expect((await start()).status).toBe(409);
  // A wrong name is refused before the conflict: `short` was recorded above.
  for (const name of ['../x', 'con', 'short', 'running'])
    expect(await start({ name }), name).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^name: /) },
    });
  expect((await listed()).find(({ name }) => name === 'running')).toMatchObject({ state: 'recording', owner: 'data' });
  const running = `${studio.address}/api/recordings/running`;
  expect((await fetch(running, { method: 'DELETE' })).status).toBe(409);
  expect((await stop()).status).toBe(200);
  expect(await start({ name: 'running', format: 'npz' })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('exists') },
  });
  for (const name of ['../x', 'a/b', '.hidden', 'con']) expect((await start({ name })).status, name).toBe(400);
  const file = await fetch(running);
  expect(Buffer.from(await file.arrayBuffer()).equals(readFileSync(fileOf('running')))).toBe(true);
  expect(file.headers.get('content-disposition')).toContain('running.mcap');
  expect((await fetch(running, { method: 'DELETE' })).status).toBe(200);
  expect((await fetch(running)).status).toBe(400);
});

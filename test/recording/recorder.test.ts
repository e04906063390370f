import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { McapIndexedReader } from '@mcap/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FrameRing, monotonicMs, openFrameRing } from '../../src/core/frame-ring.ts';
import { encodeModel } from '../../src/protocol/binaries.ts';
import type { SceneModel } from '../../src/protocol/schemas/robots.ts';
import { convertToNpz } from '../../src/recording/convert-to-npz.ts';
import { finishRecordings } from '../../src/recording/finish-recordings.ts';
import { listRecordings } from '../../src/recording/read/list-recordings.ts';
import { loadRecording } from '../../src/recording/read/load-recording.ts';
import { readTransforms } from '../../src/recording/read/read-transforms.ts';
import { Recorder, type RecordingOrder } from '../../src/recording/recorder.ts';
import { FrameBuilder } from '../../src/sim/frame-builder.ts';

const BODIES = ['pelvis', 'torso', 'foot'];
const ROBOTS = 4;
const POSES = ROBOTS * BODIES.length * 7;
const none = {
  vertices: new Float32Array(),
  normals: new Float32Array(),
  faces: new Uint32Array(),
  uvs: new Float32Array(),
};
const model: SceneModel = {
  version: 7,
  robot: 'walker',
  bodies: BODIES.map((name, k) => ({ name, parent: k - 1, fixed: false })),
  geoms: (['box', 'capsule', 'ellipsoid'] as const).map((type, body) => ({
    ...{ name: `${type}`, body, type, pos: [0, 0, 0.1], quat: [1, 0, 0, 0], size: [0.1, 0.2, 0.3] },
    ...{ rgba: [1, 0.5, 0, 1], group: 0, mesh: null, collision: false, texture: null },
  })),
  meshes: [],
  bin: { bytes: 12, nv: 0, nf: 0 },
};
const recorded = { model, bin: encodeModel(none) };

let folder: string;
let ring: FrameRing;
let frames: FrameBuilder;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'recordings-'));
  frames = new FrameBuilder(
    (buffer) => {
      ring = openFrameRing(buffer);
    },
    () => {},
    0,
  );
  frames.reserve(2 * POSES + 100);
});
afterEach(() => rmSync(folder, { recursive: true }));

function start(name: string, more: Partial<RecordingOrder> = {}): Recorder {
  const head = { robot: 'walker', owner: 'play', created: '2026-05-04T10:12:31.000Z', bodies: BODIES } as const;
  const recorder = new Recorder({ folder, name, format: 'mcap', maxS: 60, head, ...more }, null, ring);
  recorder.takeModel(recorded);
  return recorder;
}

/** Publishes a frame with numbers that differ in every value. @returns the values of robots and ghosts */
function publish(k: number): Float32Array {
  frames.begin();
  const values = Float32Array.from({ length: 2 * POSES }, (_, i) => Math.fround(Math.sin(k + i / 7)));
  frames.blob.set(values.subarray(0, POSES), frames.poses(ROBOTS, BODIES.length));
  frames.blob.set(values.subarray(POSES), frames.ghost(ROBOTS, BODIES.length));
  frames.blob.set([1, 2, 3, 0.5], frames.overlay('targets', 'spheres', 1));
  frames.hud = { text: [`frame ${k}`], frame: k };
  frames.publish('play', k / 50, { modelVersion: 7, terrainVersion: 1 });
  return values;
}

/** Publishes a frame at least 1 ms after the last one: a recorder leaves out frames that would be too many bytes a
 *  second. */
function publishSpaced(k: number): Float32Array {
  for (const from = monotonicMs(); monotonicMs() < from + 1; );
  return publish(k);
}

function record(name: string, count: number, more: Partial<RecordingOrder> = {}): Float32Array[] {
  const recorder = start(name, more);
  const sent = Array.from({ length: count }, (_, k) => {
    const values = publishSpaced(k);
    recorder.poll();
    return values;
  });
  expect(recorder.stop(null)).toMatchObject({ state: 'done', reason: null, frames: count });
  return sent;
}

const fileOf = (name: string, format = 'mcap') => path.join(folder, `${name}.${format}`);
const load = (name: string, format: 'mcap' | 'npz' = 'mcap', bodies = BODIES) =>
  loadRecording({ file: fileOf(name, format), format, name, bodies });

test('the reader of @mcap/core finds the poses of all frames, bit for bit', async () => {
  const sent = record('whole', 20);
  const bytes = readFileSync(fileOf('whole'));
  const reader = await McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.length),
      read: async (offset: bigint, length: bigint) => bytes.subarray(Number(offset), Number(offset + length)),
    },
  });
  const found: Float32Array[] = [];
  for await (const { data } of reader.readMessages({ topics: ['/tf'] })) {
    const poses = new Float32Array(POSES);
    expect(readTransforms(Buffer.from(data), poses, 0)).toBe(ROBOTS * BODIES.length);
    found.push(poses);
  }
  expect(found).toEqual(sent.flatMap((values) => [values.slice(0, POSES), values.slice(POSES)]));
  expect(reader.statistics?.channelMessageCounts.get(0)).toBe(40n);
  expect(new Set([...reader.schemasById.values()].map(({ name }) => name))).toContain('foxglove.SceneUpdate');
});

test('frames that arrive between two polls are all recorded; frames before the start are not', async () => {
  for (let k = 0; k < 9; k += 1) publish(k);
  const recorder = start('several');
  const sent = [Array.from({ length: 28 }, (_, k) => publishSpaced(9 + k))];
  recorder.poll();
  sent.push(Array.from({ length: 20 }, (_, k) => publishSpaced(37 + k)));
  recorder.poll();
  expect(recorder.stop(null).frames).toBe(49); // with the latest one at the start
  const { poses } = await load('several');
  const wanted = Float32Array.from(sent.flat().flatMap((values) => [...values]));
  expect(poses.subarray(-wanted.length)).toEqual(wanted);
});

test.each(['mcap', 'npz'] as const)(
  'a recording as %s is loaded with the poses, ghosts, overlays and texts that were sent',
  async (format) => {
    const sent = record('shown', 12);
    if (format === 'npz')
      convertToNpz(fileOf('shown'), fileOf('shown', 'npz'), { state: 'done', reason: null, duration: 1, frames: 12 });
    const { poses, robots, ghosts, captions, captionStarts, nbody, pictures } = await load('shown', format);
    expect([nbody, robots[0], ghosts[0], robots.length]).toEqual([3, ROBOTS, ROBOTS, 12]);
    expect(poses).toEqual(Float32Array.from(sent.flatMap((values) => [...values])));
    expect(pictures.at(-1)).toBe(11);
    const caption = JSON.parse(Buffer.from(captions.slice(0, captionStarts[1])).toString());
    expect(caption).toMatchObject({
      focus: 0,
      text: ['frame 0'],
      overlays: [{ name: 'targets', values: [1, 2, 3, 0.5] }],
    });
  },
);

test('bodies in another order are matched by name, and a missing one is named', async () => {
  const [first] = record('ordered', 1);
  const { poses } = await load('ordered', 'mcap', ['foot', 'pelvis', 'torso']);
  expect(poses.slice(0, 7)).toEqual(first!.slice(14, 21));
  await expect(load('ordered', 'mcap', ['hand'])).rejects.toThrow('the recording has no body hand');
});

describe('a recording that was interrupted', () => {
  test('an interrupted recording is read up to its last complete chunk, and listed as cut', async () => {
    const recorder = start('cut');
    const beginning = recorder.bytes;
    // A chunk is written after a second. Later frames are only in memory when the process is killed.
    const until = performance.now() + 20_000;
    for (let k = 0; recorder.bytes === beginning && performance.now() < until; k += 1) {
      publish(k);
      recorder.poll();
    }
    const whole = readFileSync(fileOf('cut'));
    recorder.stop(null);
    writeFileSync(fileOf('cut'), whole);
    const before = (await load('cut')).robots.length;
    expect(before).toBeGreaterThan(10);
    truncateSync(fileOf('cut'), whole.length - 5);
    expect((await listRecordings(folder))[0]).toMatchObject({ state: 'cut', robot: 'walker', error: null });
    writeFileSync(fileOf('cut'), Buffer.concat([whole, Buffer.from([6, 255, 255, 255, 255, 255, 255, 255, 255])]));
    expect((await load('cut')).robots.length).toBe(before);
  });

  test('a recording ends as done after its time limit, and as cut for another reason', () => {
    const recorder = start('limit', { maxS: 0.001 });
    const until = performance.now() + 20_000;
    while (recorder.end === null && performance.now() < until) recorder.poll();
    expect(recorder.end).toMatchObject({ state: 'done', reason: null });
    const second = start('stopped');
    expect(second.stop('the service was stopped')).toMatchObject({ state: 'cut', reason: 'the service was stopped' });
  });
});

describe('an npz recording', () => {
  test.each([null, 'the service was stopped'])(
    'an npz recording that ended (%j) and was not converted is listed at the next start as it ended',
    async (reason) => {
      const recorder = start('late', { format: 'npz' });
      publish(0);
      recorder.poll();
      const { state, duration } = recorder.stop(reason);
      expect(finishRecordings(folder)).toEqual(['late']);
      expect(await listRecordings(folder)).toMatchObject([{ name: 'late', state, reason, duration }]);
    },
  );

  test('an npz recording ends before a frame with so many robots that its file would be too large', () => {
    const count = 40_000;
    frames.reserve(7 * BODIES.length * count);
    const recorder = start('many', { format: 'npz' });
    const show = (robots: number, k: number) => {
      frames.begin();
      frames.poses(robots, BODIES.length);
      frames.publish('play', k / 50, { modelVersion: 7, terrainVersion: 1 });
      recorder.poll();
    };
    for (let k = 0; k < 1000; k += 1) show(1, k);
    expect(recorder.end).toBeNull();
    // 1001 frames × 40,000 robots × 3 bodies × 28 bytes = 3.1 GiB. A busy machine may not read the first of them in
    // time.
    for (const until = monotonicMs() + 20_000; recorder.end === null && monotonicMs() < until; ) show(count, 1000);
    expect(recorder.end).toMatchObject({ state: 'cut', reason: expect.stringContaining('npz file would be larger') });
    convertToNpz(recorder.file, fileOf('many', 'npz'), recorder.end);
  });
});

test('a recording can start after its folder was deleted, but does not create the workspace anew', () => {
  rmSync(folder, { recursive: true });
  const recorder = start('again');
  publish(0);
  recorder.poll();
  expect(recorder.stop(null).frames).toBe(1);
  const gone = path.join(folder, 'workspace', 'recordings');
  expect(() => start('gone', { folder: gone })).toThrow('ENOENT');
});

test('from a recording with too many texts and overlays, only every second picture is shown', async () => {
  record('long', 40);
  const order = { file: fileOf('long'), format: 'mcap', name: 'long', bodies: BODIES } as const;
  const all = await loadRecording(order);
  const limits = { pictures: 1000, values: 2 ** 20, captionBytes: all.captions.length - 1 };
  const { robots, captions } = await loadRecording(order, limits);
  expect([all.robots.length, robots.length]).toEqual([40, 20]);
  expect(captions.length).toBeLessThan(all.captions.length);
});

describe('files from outside', () => {
  test('a recording that is a link, a folder, foreign or damaged is listed with the problem, and cannot be loaded', async () => {
    record('good', 3);
    const good = readFileSync(fileOf('good'));
    symlinkSync('/etc/passwd', fileOf('link'));
    mkdirSync(fileOf('folder'));
    writeFileSync(fileOf('text'), 'no recording');
    writeFileSync(fileOf('empty', 'npz'), '');
    writeFileSync(fileOf('magic'), good.subarray(0, 8));
    writeFileSync(fileOf('.hidden'), good);
    const names = (await listRecordings(folder)).map(({ name, error }) => [name, error === null]);
    expect(Object.fromEntries(names)).toEqual({
      ...{ good: true, link: false, folder: false, text: false, empty: false, magic: false },
    });
    for (const name of ['link', 'folder', 'text', 'magic']) await expect(load(name)).rejects.toThrow();
    await expect(load('empty', 'npz')).rejects.toThrow();
  });

  test('a damaged byte makes the reader fail with one sentence, and never read beyond the file', async () => {
    record('good', 3);
    const good = readFileSync(fileOf('good'));
    for (let at = 8; at < good.length; at += Math.max(1, Math.floor(good.length / 150))) {
      const bad = Buffer.from(good);
      bad[at] = bad[at]! ^ 0xff;
      writeFileSync(fileOf('bad'), bad);
      await load('bad').catch((error: unknown) => expect(error).toMatchObject({ code: 'bad_input' }));
    }
  });
});

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Frame } from '../../src/protocol/frame.ts';
import { finish, Listener, request } from '../support/client.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

let listener: Listener;

beforeAll(async () => {
  await studio.start();
  listener = await Listener.open(studio.address);
});
afterAll(async () => {
  listener?.close();
});

const CLIPS = ['arm_wave', 'idle_sway', 'squat', 'step_in_place', 'turn', 'walk_forward'];
const SAMPLES = 'data/humanoid/samples';
const load = (clip: string, source: 'auto' | 'npz' | 'raw' = 'auto', dataset = 'samples') =>
  finish(studio.address, 'POST /api/data/load', { dataset, clip, source });
const grid = (body: object) => finish(studio.address, 'POST /api/data/grid', { dataset: 'samples', ...body });
const preview = async () => (await request(studio.address, 'GET /api/data/preview')).body;

/** Makes the service list the files that tests wrote to the workspace. */
const listAgain = () => request(studio.address, 'POST /api/data/uploaded');

/** Pauses the preview at `time` s. @returns its frame */
async function frameAt(time: number): Promise<Frame> {
  await request(studio.address, 'POST /api/data/playing', { playing: false });
  const { body } = await request(studio.address, 'POST /api/data/time', { time });
  const after = listener.frame?.header.seq ?? 0;
  await request(studio.address, 'POST /api/data/time', { time });
  return listener.nextFrame(({ header }) => header.seq > after && Math.abs((header.hud.time ?? -1) - body.time) < 1e-9);
}

/** Poses of a frame, (n, nbody, 7). */
const posesOf = ({ header, blob }: Frame) => blob.slice(header.poses.offset, header.poses.offset + header.poses.count);
const ghostOf = ({ header, blob }: Frame) =>
  header.ghost && blob.slice(header.ghost.offset, header.ghost.offset + header.ghost.count);
const farthest = (a: Float32Array, b: Float32Array) =>
  a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k]!)), 0);

describe('the grid', () => {
  test('the grid of a dataset shows each clip as its own preview does, moved to its cell', async () => {
    const time = 1.3;
    const single = [];
    for (const clip of CLIPS) {
      await load(clip);
      single.push({ start: posesOf(await frameAt(0)), now: posesOf(await frameAt(time)) });
    }
    expect((await grid({})).state).toBe('done');
    expect(await preview()).toMatchObject({
      open: true,
      clip: null,
      source: null,
      dataset: 'samples',
      grid: { dataset: 'samples', clips: CLIPS },
      error: null,
    });
    const frame = await frameAt(time);
    expect(frame.header).toMatchObject({ n: 6, owner: 'data', focus: 0 });
    const poses = posesOf(frame);
    const floats = 7 * frame.header.nbody;
    const cells = new Set<string>();
    for (const [k, { start, now }] of single.entries()) {
      const own = poses.slice(k * floats, (k + 1) * floats);
      const [dx, dy] = [own[0]! - now[0]!, own[1]! - now[1]!];
      cells.add(`${Math.round(start[0]! + dx)} ${Math.round(start[1]! + dy)}`);
      const moved = now.map((value, at) => value + (at % 7 === 0 ? dx : at % 7 === 1 ? dy : 0));
      expect(farthest(own, moved)).toBeLessThan(1e-5);
    }
    expect(cells.size).toBe(6);
  });

  test('the grid uses the clock of its longest clip', async () => {
    await grid({ clips: ['squat', 'turn'] });
    const { grid: shown, frames, fps, playing } = await preview();
    expect(shown?.clips).toEqual(['squat', 'turn']);
    expect(playing).toBe(true);
    const listed = (await request(studio.address, 'GET /api/data/clips', { dataset: 'samples' })).body.clips;
    const lengths = listed.filter(({ name }) => ['squat', 'turn'].includes(name)).map((clip) => clip.frames!);
    expect({ frames, fps }).toEqual({ frames: Math.max(...lengths), fps: 30 });
    expect((await request(studio.address, 'POST /api/data/frame', { frame: 10 })).body).toMatchObject({ frame: 10 });
    expect((await request(studio.address, 'POST /api/data/options', { keybodies: true })).body.options.keybodies).toBe(
      true,
    );
    const marked = await listener.nextFrame(({ header }) => header.overlays.some(({ name }) => name === 'keybodies'));
    expect(marked.header.n).toBe(2);
    await request(studio.address, 'POST /api/data/options', { keybodies: false });
  });

  test('the grid shows the matching clips, up to the requested count', async () => {
    await grid({ q: '*a*', count: 2 });
    expect((await preview()).grid?.clips).toEqual(['arm_wave', 'idle_sway']);
  });

  test('the grid names unreadable clips and shows the others', async () => {
    const broken = path.join(studio.workspace, SAMPLES, 'broken.csv');
    writeFileSync(broken, '1,2,3\n');
    try {
      await listAgain();
      await grid({ clips: ['squat', 'broken'] });
      const state = await preview();
      expect(state.grid?.clips).toEqual(['squat']);
      expect(state.error).toMatch(/not shown.*broken/);
      const alone = await grid({ clips: ['broken'] });
      expect(alone).toMatchObject({ state: 'failed' });
      expect(alone.error).toMatch(/broken/);
      expect((await preview()).grid?.clips).toEqual(['squat']); // the open clips stay open
    } finally {
      rmSync(broken);
    }
  });

  test.each([
    [{ dataset: 'samples', q: 'nothing' }, /nothing/],
    [{ dataset: 'samples', clips: [] }, /clips/],
    [{ dataset: 'samples', clips: ['squat', 'sqaut'] }, /^clips: .*sqaut/],
    [{ dataset: 'none' }, /none/],
    [{ dataset: 'samples', count: 65 }, /count/],
    [{ dataset: 'samples', clips: Array.from({ length: 65 }, (_, k) => `c${k}`) }, /clips/],
  ])('a grid without any known clip is refused: %j', async (body, detail) => {
    const { status, body: answer } = await request(studio.address, 'POST /api/data/grid', body);
    expect(status).toBe(400);
    expect(answer.detail).toMatch(detail);
  });
});

describe('the ghost of a converted clip', () => {
  const convert = (body: object) =>
    request(studio.address, 'POST /api/data/convert', { dataset: 'samples', which: 'selected', ...body });
  const done = async (job: string) => {
    await listener.nextEvent(
      'jobs',
      (payload) => 'jobs' in payload && payload.jobs.some(({ name, status }) => name === job && status === 'done'),
    );
  };
  const ghost = (on: boolean) => request(studio.address, 'POST /api/data/options', { ghost: on });

  beforeEach(async () => {
    await load('squat', 'raw');
    await ghost(false);
  });

  test('the ghost of a converted clip is its raw source at the same time', async () => {
    await done((await convert({ clips: ['walk_forward'], debias_z: true })).body.job);
    await load('walk_forward', 'raw');
    const raw = posesOf(await frameAt(40 / 30));
    await load('walk_forward', 'npz');
    expect(ghostOf(await frameAt(40 / 30))).toBeNull();
    expect((await ghost(true)).body.options.ghost).toBe(true);
    const frame = await frameAt(40 / 30);
    expect(frame.header.ghost).toMatchObject({ n: 1, count: frame.header.poses.count });
    expect(farthest(ghostOf(frame)!, raw)).toBeLessThan(1e-6);
    expect((await preview()).source).toBe('npz');
  });

  test('the ghost stays on for the next clip; a raw clip does not have one', async () => {
    await load('walk_forward', 'npz');
    await ghost(true);
    await load('walk_forward', 'raw');
    expect((await preview()).options.ghost).toBe(true);
    expect((await frameAt(0)).header.ghost).toBeNull();
    await load('walk_forward', 'npz');
    expect((await frameAt(0)).header.ghost).not.toBeNull();
  });

  test('the ghost runs at the frame rate that the clip was converted with', async () => {
    await load('turn', 'raw');
    const row60 = posesOf(await frameAt(60 / 30));
    await done((await convert({ clips: ['turn'], input_fps: 60 })).body.job);
    await load('turn', 'npz');
    await ghost(true);
    const frame = await frameAt(1); // row 60 of the source, because the clip was converted with 60 rows/s
    expect(farthest(ghostOf(frame)!, row60)).toBeLessThan(1e-6);
    expect(farthest(posesOf(frame), row60)).toBeLessThan(1e-3); // the converted clip shows the same row
  });

  test('an unreadable ghost is reported, and the clip is shown without it', async () => {
    const file = path.join(studio.workspace, SAMPLES, 'arm_wave.csv');
    const content = readFileSync(file, 'utf8');
    await done((await convert({ clips: ['arm_wave'] })).body.job);
    await load('arm_wave', 'npz');
    writeFileSync(file, 'x,y\n1,2\n');
    try {
      expect((await ghost(true)).status).toBe(200);
      expect((await frameAt(0)).header.ghost).toBeNull();
      expect((await preview()).error).toMatch(/arm_wave/);
      writeFileSync(file, content);
      await ghost(true); // after the file is repaired
      expect((await frameAt(0)).header.ghost).not.toBeNull();
      expect((await preview()).error).toBeNull();
    } finally {
      writeFileSync(file, content);
    }
  });
});

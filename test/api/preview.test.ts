import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadMujoco } from '../../src/sim/mujoco.ts';
import { finish, Listener, poseOf, request } from '../support/client.ts';
import { hasKit, KIT } from '../support/kit.ts';
import { useStudio } from '../support/use-studio.ts';
import { addG1, addKitClip } from '../support/workspace.ts';

const studio = useStudio();

beforeAll(async () => {
  if (hasKit) {
    addG1(studio.workspace);
    addKitClip(studio.workspace, 'samples', 'walk1_subject1');
  }
  await studio.start();
});

const load = (clip: string, source?: string) =>
  finish(studio.address, 'POST /api/data/load', { dataset: 'samples', clip, ...(source ? { source } : {}) });
const rowsOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number));

describe('the built-in robot', () => {
  test('preview controls without an open clip are a conflict', async () => {
    await request(studio.address, 'POST /api/data/close');
    const calls = [
      request(studio.address, 'POST /api/data/frame', { frame: 1 }),
      request(studio.address, 'POST /api/data/time', { time: 1 }),
      request(studio.address, 'POST /api/data/playing', {}),
      request(studio.address, 'POST /api/data/options', { speed: 2 }),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([409, 409, 409, 409]);
  });

  test('the sample clips are listed in natural order with frames and length', async () => {
    const { body } = await request(studio.address, 'GET /api/data/clips', { dataset: 'samples' });
    expect(body.clips.map(({ name }) => name)).toEqual([
      'arm_wave',
      'idle_sway',
      'squat',
      'step_in_place',
      'turn',
      'walk_forward',
    ]);
    for (const clip of body.clips) {
      expect(clip).toMatchObject({ status: 'missing', raw: true, fps: 30, error: null });
      expect(clip.duration).toBeGreaterThanOrEqual(5);
      expect(clip.duration).toBeCloseTo((clip.frames! - 1) / 30, 6);
    }
  });

  test('a loaded clip plays from frame 0 in real time and takes over the scene', async () => {
    const listener = await Listener.open(studio.address);
    expect((await load('walk_forward')).state).toBe('done');
    await listener.nextEvent('owner', ({ owner }) => owner === 'data');
    const start = await listener.nextFrame(({ header }) => header.hud.clip === 'walk_forward');
    const later = await listener.nextFrame(({ header }) => (header.hud.time ?? 0) > 1);
    const wall = later.header.time - start.header.time;
    expect(later.header.hud.time! - start.header.hud.time!).toBeCloseTo(wall, 2);
    const preview = (await request(studio.address, 'GET /api/data/preview')).body;
    expect(preview).toMatchObject({ open: true, playing: true, source: 'raw', fps: 30, error: null });
    expect(preview.options).toMatchObject({ speed: 1, loop: true, ghost: false });
    listener.close();
  });

  test('a preview paused on a frame shows the row of the file, and the reply gives frame and time', async () => {
    await load('squat');
    const listener = await Listener.open(studio.address);
    await request(studio.address, 'POST /api/data/playing', { playing: false });
    const { body } = await request(studio.address, 'POST /api/data/frame', { frame: 40 });
    expect(body).toMatchObject({ ok: true, frame: 40, playing: false, clip: 'squat' });
    expect(body.time).toBeCloseTo(40 / 30, 9);
    const row = rowsOf(path.join(studio.workspace, 'data/humanoid/samples/squat.csv'))[40]!;
    const frame = await listener.nextFrame(({ header }) => header.hud.frame === 40);
    const [x, y, z] = poseOf(frame, 0);
    expect([x, y, z].map((value, k) => Math.abs(value! - row[k]!) < 1e-5)).toEqual([true, true, true]);
    listener.close();
  });

  test('posing the robot takes over the scene, pauses the preview and keeps it open', async () => {
    await load('squat');
    const listener = await Listener.open(studio.address);
    await request(studio.address, 'POST /api/robot/joint/show');
    await listener.nextFrame(({ header }) => header.owner === 'robots');
    expect((await request(studio.address, 'GET /api/data/preview')).body).toMatchObject({ open: true, playing: false });
    await request(studio.address, 'POST /api/data/playing', { playing: true });
    await listener.nextFrame(({ header }) => header.owner === 'data');
    await request(studio.address, 'POST /api/data/close');
    await listener.nextFrame(({ header }) => header.owner === 'robots');
    listener.close();
  });

  test('a preview without loop stops on the last frame and sends an event', async () => {
    await load('squat');
    const { frames } = (await request(studio.address, 'GET /api/data/preview')).body;
    const listener = await Listener.open(studio.address);
    await request(studio.address, 'POST /api/data/options', { loop: false, speed: 8 });
    await request(studio.address, 'POST /api/data/frame', { frame: frames - 10 });
    const { preview } = await listener.nextEvent('data', (payload) => payload.preview?.playing === false);
    expect(preview).toMatchObject({ frame: frames - 1, playing: false });
    await request(studio.address, 'POST /api/data/options', { loop: true, speed: 1 });
    listener.close();
  });

  test('loading an unknown dataset or clip is refused and keeps the open clip', async () => {
    await load('squat');
    const unknown = await request(studio.address, 'POST /api/data/load', { dataset: 'samples', clip: 'sqaut' });
    expect(unknown.status).toBe(400);
    expect(unknown.body.detail).toContain('sqaut');
    expect((await request(studio.address, 'POST /api/data/load', { dataset: 'none', clip: 'squat' })).status).toBe(400);
    expect(
      (await request(studio.address, 'POST /api/data/load', { dataset: 'samples', clip: 'squat', source: 'npz' }))
        .status,
    ).toBe(400);
    expect((await request(studio.address, 'GET /api/data/preview')).body).toMatchObject({ open: true, clip: 'squat' });
  });
});

describe.skipIf(!hasKit)('Unitree G1 with a real clip', () => {
  test('every body of frames 0, 100 and 5000 is where MuJoCo’s kinematics of that CSV row puts it', async () => {
    expect((await finish(studio.address, 'POST /api/robot/select', { name: 'g1' })).state).toBe('done');
    expect((await load('walk1_subject1', 'raw')).state).toBe('done');
    const listener = await Listener.open(studio.address);
    await request(studio.address, 'POST /api/data/playing', { playing: false });
    const rows = rowsOf(path.join(KIT, 'clips/walk1_subject1.csv'));
    const mj = await loadMujoco();
    const model = mj.mj_compile(
      mj.parseXMLString(readFileSync(path.join(KIT, 'robots/g1_nomesh/g1_nomesh.xml'), 'utf8')),
    );
    const data = new mj.MjData(model);
    for (const index of [0, 100, 5000]) {
      await request(studio.address, 'POST /api/data/frame', { frame: index });
      // A frame that was computed while the clip was still playing shows a time between two rows.
      const frame = await listener.nextFrame(
        ({ header: { hud } }) => hud.frame === index && Math.abs(hud.time! - index / 30) < 1e-9,
      );
      expect(frame.header).toMatchObject({ n: 1, nbody: 30, owner: 'data' });
      const row = rows[index]!;
      const [x, y, z, qx, qy, qz, qw, ...joints] = row as [number, number, number, number, number, number, number];
      const root = poseOf(frame, 0);
      for (const [k, value] of [x, y, z, qw, qx, qy, qz].entries())
        expect(Math.abs(root[k]! - value)).toBeLessThan(1e-5);
      data.qpos.set([x, y, z, qw, qx, qy, qz, ...joints]);
      mj.mj_kinematics(model, data);
      for (let body = 1; body < model.nbody; body++) {
        const pose = poseOf(frame, body - 1);
        for (let k = 0; k < 3; k++) expect(Math.abs(pose[k]! - data.xpos[3 * body + k])).toBeLessThan(1e-4);
        for (let k = 0; k < 4; k++) expect(Math.abs(pose[3 + k]! - data.xquat[4 * body + k])).toBeLessThan(1e-4);
      }
    }
    listener.close();
  });
});

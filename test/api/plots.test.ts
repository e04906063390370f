import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { finish, Listener, request } from '../support/client.ts';
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

const load = (clip: string, source = 'auto') =>
  finish(studio.address, 'POST /api/data/load', { dataset: 'samples', clip, source });
const floats = (base64: string) => {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return new Float32Array(bytes.buffer);
};
const rowsOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number));

async function plots() {
  const { status, body, headers } = await request(studio.address, 'GET /api/plots/clip');
  expect(status).toBe(200);
  const data = floats(body.data);
  const ref = body.ref === null ? null : floats(body.ref);
  const column = (id: string) => body.channels.findIndex((channel) => channel.id === id);
  const pick = (values: Float32Array, id: string) =>
    Array.from({ length: body.frames }, (_, k) => values[k * body.channels.length + column(id)]!);
  return { ...body, data, ref, headers, of: (id: string) => pick(data, id), refOf: (id: string) => pick(ref!, id) };
}

async function convert(clip: string, more: object = {}) {
  const listener = await Listener.open(studio.address);
  const order = { dataset: 'samples', which: 'selected', clips: [clip], ...more };
  const { job } = (await request(studio.address, 'POST /api/data/convert', order)).body;
  await listener.nextEvent(
    'jobs',
    (payload) => 'jobs' in payload && payload.jobs.some(({ name, status }) => name === job && status === 'done'),
    30_000,
  );
  listener.close();
}

test('plots are refused with 409 without a clip and for a grid', async () => {
  const none = await request(studio.address, 'GET /api/plots/clip');
  expect(none.status).toBe(409);
  expect(none.body.detail).toMatch(/no single clip is open/);
  await finish(studio.address, 'POST /api/data/grid', { dataset: 'samples', count: 2 });
  expect((await request(studio.address, 'GET /api/plots/clip')).status).toBe(409);
});

describe('the built-in robot', () => {
  test('the plots of a raw clip are the values of its file, without reference', async () => {
    await load('squat');
    const reply = await plots();
    const rows = rowsOf(path.join(studio.workspace, 'data/humanoid/samples/squat.csv'));
    expect(reply).toMatchObject({ fps: 30, frames: rows.length, ref: null, ref_label: null });
    expect(reply.title).toContain('squat');
    expect(reply.data).toHaveLength(rows.length * reply.channels.length);
    const { joints } = (await request(studio.address, 'GET /api/data/joints')).body;
    for (const [k, { name, lower, upper }] of joints.entries()) {
      expect(reply.of(`joint.${name}`)).toEqual(rows.map((row) => Math.fround(row[7 + k]!)));
      expect(reply.channels.find(({ id }) => id === `joint.${name}`)).toMatchObject({ lower, upper, group: 'joints' });
    }
    expect(reply.of('root.pos.z')).toEqual(rows.map((row) => Math.fround(row[2]!)));
    expect(reply.data.every(Number.isFinite)).toBe(true);
    const { body: robot } = await request(studio.address, 'GET /api/robot');
    const knee = robot.joints.find(({ name }) => name === 'left_knee_joint')!;
    expect(reply.channels.find(({ id }) => id === 'torque.left_knee_joint')).toMatchObject({
      unit: 'Nm',
      lower: -knee.effort_limit!,
      upper: knee.effort_limit,
    });
  });

  test('a single requested group has the same values as in a request for all groups', async () => {
    await load('walk_forward', 'raw');
    const all = await plots();
    for (const group of ['feet', 'torques', 'joints'] as const) {
      const wanted = all.channels.filter((channel) => channel.group === group);
      const { status, body } = await request(studio.address, 'GET /api/plots/clip', { group });
      expect(status).toBe(200);
      expect(body).toMatchObject({ frames: all.frames, fps: all.fps, channels: wanted, ref: null });
      const data = floats(body.data);
      for (const [k, { id }] of wanted.entries())
        expect(Array.from({ length: all.frames }, (_, row) => data[row * wanted.length + k])).toEqual(all.of(id));
    }
    const alone = await request(studio.address, 'GET /api/plots/clip', { ref: 'false' });
    expect(alone.body).toMatchObject({ channels: all.channels, ref: null });
    const wrong = await request(studio.address, 'GET /api/plots/clip', { group: 'legs' });
    expect(wrong.status).toBe(400);
    expect(wrong.body.detail).toMatch(/group/);
  });

  test('a converted clip has its raw source as reference, at the times of the source', async () => {
    await convert('walk_forward', { debias_z: true });
    await load('walk_forward', 'npz');
    const reply = await plots();
    const rows = rowsOf(path.join(studio.workspace, 'data/humanoid/samples/walk_forward.csv'));
    expect(reply).toMatchObject({ fps: 50, ref_label: 'raw source (walk_forward.csv)' });
    expect(reply.ref).toHaveLength(reply.data.length);
    const between = (column: number, k: number) => {
      const at = (k / 50) * 30;
      const row = Math.min(rows.length - 2, Math.floor(at + 1e-9));
      return rows[row]![column]! + (at - row) * (rows[row + 1]![column]! - rows[row]![column]!);
    };
    const z = reply.refOf('root.pos.z');
    const knee = reply.refOf('joint.left_knee_joint');
    const names = (await request(studio.address, 'GET /api/data/joints')).body.joints.map(({ name }) => name);
    for (let k = 0; k < reply.frames; k += 7) {
      expect(z[k]).toBeCloseTo(between(2, k), 5);
      expect(knee[k]).toBeCloseTo(between(7 + names.indexOf('left_knee_joint'), k), 5);
    }
    expect(reply.refOf('torque.left_knee_joint').every(Number.isNaN)).toBe(true);
    const { body: legs } = await request(studio.address, 'GET /api/plots/clip', { group: 'joints' });
    const ref = floats(legs.ref!);
    const [first] = legs.channels;
    expect(Array.from({ length: legs.frames }, (_, k) => ref[k * legs.channels.length]!)).toEqual(
      reply.refOf(first!.id),
    );
    const { body: sole } = await request(studio.address, 'GET /api/plots/clip', { group: 'feet', ref: 'false' });
    expect(sole).toMatchObject({ ref: null, ref_label: null });
    // Conversion puts the lowest sole on the floor. In the source, the lowest sole is not on the floor.
    const feet = reply.channels.filter(({ id }) => id.startsWith('height.')).map(({ id }) => id);
    expect(Math.min(...feet.flatMap((id) => reply.of(id)))).toBeCloseTo(0, 5);
    expect(Math.abs(Math.min(...feet.flatMap((id) => reply.refOf(id))))).toBeGreaterThan(5e-5);
  });

  test('a mirror image has the raw source of its clip as reference, mirrored', async () => {
    await convert('walk_forward', { mirror: true });
    await load('walk_forward_M', 'npz');
    const reply = await plots();
    expect(reply.ref_label).toBe('raw source (walk_forward.csv, mirrored)');
    const rows = rowsOf(path.join(studio.workspace, 'data/humanoid/samples/walk_forward.csv'));
    const names = (await request(studio.address, 'GET /api/data/joints')).body.joints.map(({ name }) => name);
    const [y, knee] = [reply.refOf('root.pos.y'), reply.refOf('joint.left_knee_joint')];
    for (let k = 0; k < reply.frames - 5; k += 5) {
      // Every fifth frame at 50 frames/s matches a row at 30 frames/s.
      const row = rows[(k / 5) * 3]!;
      expect(y[k]).toBeCloseTo(-row[1]!, 5);
      expect(knee[k]).toBeCloseTo(row[7 + names.indexOf('right_knee_joint')]!, 5);
      expect(reply.of('joint.left_knee_joint')[k]).toBeCloseTo(knee[k]!, 4);
    }
  });

  test('plots of the same clip are answered with 304, of another clip with 200', async () => {
    await load('squat');
    const etag = (await plots()).headers.get('etag')!;
    const again = await fetch(`${studio.address}/api/plots/clip`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    await load('turn');
    const other = await fetch(`${studio.address}/api/plots/clip`, { headers: { 'if-none-match': etag } });
    expect(other.status).toBe(200);
    expect(((await other.json()) as { title: string }).title).toContain('turn');
  });

  test('concurrent requests for plots share one computation', async () => {
    await load('turn');
    const replies = await Promise.all([plots(), plots(), plots()]);
    expect(new Set(replies.map(({ headers }) => headers.get('etag'))).size).toBe(1);
  });
});

test('issues of the open clip name frames and channels that its plots contain', async () => {
  const samples = path.join(studio.workspace, 'data/humanoid/samples');
  const rows = rowsOf(path.join(samples, 'squat.csv'));
  for (const row of rows.slice(60)) row[7 + 3] = row[7 + 3]! + 1.5; // a joint leaps at frame 60
  writeFileSync(path.join(samples, 'leap.csv'), rows.map((row) => row.join(',')).join('\n'));
  await request(studio.address, 'POST /api/data/uploaded');
  const listener = await Listener.open(studio.address);
  await load('leap');
  const told = await listener.nextEvent(
    'data',
    ({ preview }) => preview?.clip === 'leap' && preview.qa !== null,
    30_000,
  );
  listener.close();
  const { qa } = told.preview!;
  expect(qa?.ok).toBe(false);
  const jump = qa?.issues.find(({ kind }) => kind === 'jump');
  const [first, last] = jump!.frames as [number, number];
  expect(first <= 60 && last >= 59 && last - first <= 6, `${first} … ${last}`).toBe(true);
  const { channels, frames } = await plots();
  const ids = channels.map(({ id }) => id);
  for (const { plot } of qa!.issues) {
    expect(ids).toEqual(expect.arrayContaining(plot.channels));
    expect(plot.frame).toBeLessThan(frames);
  }
  expect((await request(studio.address, 'GET /api/data/preview')).body.qa).toEqual(qa);
});

describe.skipIf(!hasKit)('Unitree G1 with a real clip', () => {
  test('a walk of 4 minutes exceeds the torque limits of the motors only for moments', async () => {
    await finish(studio.address, 'POST /api/robot/select', { name: 'g1' });
    await convert('walk1_subject1');
    await load('walk1_subject1', 'npz');
    const reply = await plots();
    expect(reply.frames).toBe(13065);
    const rows = rowsOf(path.join(KIT, 'clips/walk1_subject1.csv'));
    expect(reply.refOf('root.pos.x')[5000]).toBeCloseTo(rows[3000]![0]!, 5);
    for (const { id, upper } of reply.channels.filter(({ group }) => group === 'torques')) {
      const beyond = reply.of(id).filter((torque) => Math.abs(torque) > upper!);
      expect(beyond.length / reply.frames, id).toBeLessThan(0.005);
    }
    // Walking loads the legs, so the knee torque exceeds 25 N·m.
    const knee = reply.of('torque.left_knee_joint');
    expect(Math.max(...knee.map(Math.abs))).toBeGreaterThan(25);
  });
});

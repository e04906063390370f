import { beforeAll, expect, test } from 'vitest';
import { decodeModel, decodeTerrain } from '../../src/protocol/binaries.ts';
import { finish, Listener, poseOf, request } from '../support/client.ts';
import { addPainted, MAGENTA } from '../support/painted-robot.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker } from '../support/workspace.ts';

const studio = useStudio();

beforeAll(async () => {
  addWalker(studio.workspace);
  await studio.start();
});

const select = (name: string) => finish(studio.address, 'POST /api/robot/select', { name });

test('both robots are listed with joints and mass, the built-in one selected at first', async () => {
  await expect
    .poll(async () => (await request(studio.address, 'GET /api/robots')).body.robots.map(({ model }) => model !== null))
    .toEqual([true, true]);
  const { body } = await request(studio.address, 'GET /api/robots');
  const [humanoid, walker] = body.robots;
  expect(body.selected).toBe('humanoid');
  expect(humanoid).toMatchObject({ id: 'humanoid', source: 'builtin', selected: true, error: null });
  expect(humanoid?.model).toMatchObject({ joints: 21, actuators: 21 });
  expect(humanoid?.model?.height).toBeCloseTo(1.3, 1);
  expect(humanoid?.model?.mass).toBeCloseTo(35, 0);
  expect(humanoid?.datasets[0]).toMatchObject({ name: 'samples', source: 6, converted: 0, missing: 6 });
  expect(walker).toMatchObject({ id: 'walker', name: 'Walker', source: 'created', selected: false });
});

test('selecting a robot by name ends as done; frames, model and joints are then those of the new robot', async () => {
  const listener = await Listener.open(studio.address);
  expect(await select('Walker')).toMatchObject({ state: 'done', error: null });
  const robot = (await request(studio.address, 'GET /api/robot')).body;
  expect(robot.joints.map(({ name }) => name)).toEqual([
    'left_hip_joint',
    'left_knee_joint',
    'right_hip_joint',
    'right_knee_joint',
  ]);
  expect(robot.root).toEqual([0, 0, 0.62, 1, 0, 0, 0]);
  const frame = await listener.nextFrame(({ header }) => header.model_version === robot.model_version);
  expect(frame.header).toMatchObject({ owner: 'robots', n: 1, nbody: 5 });
  expect(poseOf(frame, 0)).toEqual([0, 0, Math.fround(0.62), 1, 0, 0, 0]);
  const model = (await request(studio.address, 'GET /api/robot/model')).body;
  expect(model).toMatchObject({ version: robot.model_version, robot: 'walker' });
  expect(model.bodies).toHaveLength(frame.header.nbody);
  await listener.nextEvent('robot', ({ id, reason }) => id === 'walker' && reason === 'select');
  listener.close();
});

test('the selected robot survives a restart', async () => {
  await select('walker');
  studio.service.child.kill('SIGTERM');
  expect((await studio.service.exit).code).toBe(0);
  await studio.start();
  expect((await request(studio.address, 'GET /api/robot')).body.id).toBe('walker');
});

test('selecting an unknown robot is refused by name and keeps the selection', async () => {
  const { status, body } = await request(studio.address, 'POST /api/robot/select', { name: 'wlaker' });
  expect(status).toBe(400);
  expect(body.detail).toContain('wlaker');
  expect((await request(studio.address, 'GET /api/robot')).body.id).toBe('walker');
});

test('a slider sets the joint, clamped to its limits, and the next frame shows it', async () => {
  await select('walker');
  const listener = await Listener.open(studio.address);
  const pose = (name: string, value: number) => request(studio.address, 'POST /api/robot/joint', { name, value });
  expect((await pose('left_knee_joint', 5)).body).toEqual({ ok: true, value: 2 });
  expect((await pose('left_hip_joint', 0.5)).body).toEqual({ ok: true, value: 0.5 });
  const frame = await listener.nextFrame((one) => Math.abs(poseOf(one, 1)[5]!) > 0.2);
  expect(2 * Math.asin(poseOf(frame, 1)[5]!)).toBeCloseTo(0.5, 5); // angle about y
  expect((await request(studio.address, 'GET /api/robot')).body.joints.map(({ value }) => value)).toEqual([
    0.5, 2, 0, 0,
  ]);
  expect((await pose('tail_joint', 0)).status).toBe(400);
  listener.close();
});

test('a reset shows the default or the zero pose', async () => {
  await select('humanoid');
  const values = async () => (await request(studio.address, 'GET /api/robot')).body.joints.map(({ value }) => value);
  const defaults = (await request(studio.address, 'GET /api/robot')).body.joints.map((joint) => joint.default);
  expect(defaults.some((value) => value !== 0)).toBe(true);
  await request(studio.address, 'POST /api/robot/joint/reset', { zero: true });
  expect(new Set(await values())).toEqual(new Set([0]));
  await request(studio.address, 'POST /api/robot/joint/reset', {});
  expect(await values()).toEqual(defaults);
});

test('wiring markers are one sphere for each wired body, anchor first', async () => {
  await select('walker');
  const listener = await Listener.open(studio.address);
  const shown = await request(studio.address, 'POST /api/robot/joint/options', { show_wiring: true });
  expect(shown.body).toEqual({ ok: true, options: { show_wiring: true } });
  const { header, blob } = await listener.nextFrame((one) => one.header.overlays.length > 0);
  expect(header.overlays).toHaveLength(1);
  expect(header.overlays[0]).toMatchObject({ name: 'wiring', kind: 'spheres', stride: 4, count: 4 * (1 + 3 + 2) });
  expect([...blob.subarray(header.overlays[0]!.offset, header.overlays[0]!.offset + 3)]).toEqual([
    0,
    0,
    Math.fround(0.62),
  ]);
  await request(studio.address, 'POST /api/robot/joint/options', { show_wiring: false });
  await listener.nextFrame((one) => one.header.overlays.length === 0);
  listener.close();
});

test('model, model.bin and terrain.bin are consistent, and answered with 304 until they change', async () => {
  await select('humanoid');
  const { body, headers } = await request(studio.address, 'GET /api/robot/model');
  const bin = await fetch(`${studio.address}/api/robot/model.bin`);
  const bytes = await bin.arrayBuffer();
  const { vertices, faces } = decodeModel(bytes);
  expect(body.bin).toEqual({ bytes: bytes.byteLength, nv: vertices.length / 3, nf: faces.length / 3 });
  for (const [path, etag] of [
    ['/api/robot/model', headers.get('etag')],
    ['/api/robot/model.bin', bin.headers.get('etag')],
  ]) {
    expect(etag).toMatch(/^"[^"]+"$/); // a strong ETag
    const again = await fetch(studio.address + path, { headers: { 'if-none-match': etag! } });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
  }
  const terrain = decodeTerrain(await (await fetch(`${studio.address}/api/scene/terrain.bin`)).arrayBuffer());
  for (let k = 2; k < terrain.vertices.length; k += 3) expect(terrain.vertices[k]).toBe(0);
});

test('selecting the selected robot changes nothing, including the scene’s owner and the open clip', async () => {
  await select('humanoid');
  const load = await finish(studio.address, 'POST /api/data/load', { dataset: 'samples', clip: 'walk_forward' });
  expect(load.state).toBe('done');
  const before = (await request(studio.address, 'GET /api/robot')).body;
  const listener = await Listener.open(studio.address);
  await listener.nextEvent('owner', ({ owner }) => owner === 'data');
  expect(await select('humanoid')).toMatchObject({ state: 'done', error: null });
  expect((await request(studio.address, 'GET /api/data/preview')).body).toMatchObject({
    open: true,
    clip: 'walk_forward',
    playing: true,
  });
  expect((await request(studio.address, 'GET /api/robot')).body).toEqual(before);
  const later = listener.frames;
  const frame = await listener.nextFrame(() => listener.frames > later);
  expect(frame.header).toMatchObject({ owner: 'data', model_version: before.model_version });
  expect(listener.events.some(({ topic, payload }) => topic === 'robot' && payload.reason === 'select')).toBe(false);
  listener.close();
});

test('selecting the selected robot supersedes the selection of another one', async () => {
  await select('humanoid');
  const other = (await request(studio.address, 'POST /api/robot/select', { name: 'walker' })).body.task;
  expect((await select('humanoid')).state).toBe('done');
  expect((await request(studio.address, 'GET /api/robot')).body.id).toBe('humanoid');
  const { recent } = (await request(studio.address, 'GET /api/busy')).body;
  // The state is `done` if the task ended before the next request arrived.
  expect(recent.find(({ task }) => task === other)?.state).toMatch(/superseded|done/);
});

test('of two concurrent selections the last wins and the other is superseded', async () => {
  const first = await request(studio.address, 'POST /api/robot/select', { name: 'walker' });
  const second = await select('humanoid');
  expect(second.state).toBe('done');
  const { recent } = (await request(studio.address, 'GET /api/busy')).body;
  expect(recent.find(({ task }) => task === first.body.task)?.state).toMatch(/superseded|done/);
  expect((await request(studio.address, 'GET /api/robot')).body.id).toBe('humanoid');
});

test('a texture is served as the file, with a tag; an unknown name is refused', async () => {
  addPainted(studio.workspace);
  await expect
    .poll(async () => (await request(studio.address, 'GET /api/robots')).body.robots.map(({ id }) => id))
    .toContain('painted');
  expect(await select('painted')).toMatchObject({ state: 'done', error: null });
  const { body: model } = await request(studio.address, 'GET /api/robot/model');
  const names = new Set(model.geoms.flatMap(({ texture }) => (texture === null ? [] : [texture])));
  expect([...names]).toEqual(['paint_1']);
  const picture = await fetch(`${studio.address}/api/robot/texture/paint_1`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(MAGENTA);
  const etag = picture.headers.get('etag')!;
  const again = await fetch(`${studio.address}/api/robot/texture/paint_1`, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  for (const [name, detail] of [
    ['other', /^name: no geom .* has the texture "other"/],
    ['texture-0.png', /^name: no geom .* has the texture "texture-0.png"/],
    ['..%2Frobot.yaml', /^name: .* must not contain slashes/],
  ] as const) {
    const refused = await fetch(`${studio.address}/api/robot/texture/${name}`);
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { detail: string }).detail).toMatch(detail);
  }
  await select('humanoid');
  expect((await fetch(`${studio.address}/api/robot/texture/paint_1`)).status).toBe(400);
});

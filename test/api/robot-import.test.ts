import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isTemp } from '../../src/core/files/atomic-file.ts';
import type { RobotSpec } from '../../src/protocol/schemas/robots.ts';
import { finish, Listener, request } from '../support/client.ts';
import { hasKit, KIT } from '../support/kit.ts';
import { WALKER_MJCF, walkerSpec } from '../support/models.ts';
import { open, readAnswer, requestText, sendRaw } from '../support/raw-http.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker, walkerClip } from '../support/workspace.ts';

const studio = useStudio();

/** Timeout for compiling models in new threads on a loaded machine. */
const SLOW_MS = 120_000;

const HIP = walkerSpec().joints['left_hip_joint'];

let outside: string;

beforeAll(async () => {
  outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'motion-studio-source-')));
  await studio.start();
}, SLOW_MS);
afterAll(async () => {
  rmSync(outside, { recursive: true });
});

const inRobots = (...parts: string[]) => path.join(studio.workspace, 'robots', ...parts);
const uploadsOf = () => (existsSync(inRobots('.uploads')) ? readdirSync(inRobots('.uploads')) : []);
const tempsBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((entry) => isTemp(path.basename(entry)));

interface Answer {
  readonly status: number;
  readonly body: { readonly ok?: boolean; readonly detail?: string; readonly path?: string; readonly bytes?: number };
}

async function send(method: 'PUT' | 'DELETE', where: string, content?: string | Uint8Array): Promise<Answer> {
  const response = await fetch(studio.address + where, {
    method,
    ...(content === undefined ? {} : { body: content as never }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const put = (id: string, file: string, content: string | Uint8Array) =>
  send('PUT', `/api/robots/import/upload/${id}/${file.split('/').map(encodeURIComponent).join('/')}`, content);
const importState = async () => (await request(studio.address, 'GET /api/robots/import')).body;
const inspect = (id: string, model = 'walker.xml') =>
  request(studio.address, 'POST /api/robots/import/inspect', { id, model });
const save = (spec: object) => request(studio.address, 'POST /api/robots/import/save', { spec });
const cancel = () => request(studio.address, 'POST /api/robots/import/cancel');
const robotIds = async () => (await request(studio.address, 'GET /api/robots')).body.robots.map(({ id }) => id);
const ownerOf = async () => {
  const listener = await Listener.open(studio.address);
  const { owner } = await listener.nextEvent('owner', () => true);
  listener.close();
  return owner;
};

/** Uploads the walker and inspects it. @returns the suggested spec */
async function draft(id: string): Promise<RobotSpec> {
  await put(id, 'walker.xml', WALKER_MJCF);
  const { status, body } = await inspect(id);
  if (status !== 200) throw new Error(`inspect: ${body.detail}`);
  return body.spec;
}

describe('uploads', () => {
  test('uploads keep their layout, are listed with the likeliest main model first, and can be deleted', async () => {
    const listener = await Listener.open(studio.address);
    expect(await put('layout', 'description/walker.xml', WALKER_MJCF)).toEqual({
      status: 200,
      body: { ok: true, path: 'description/walker.xml', bytes: WALKER_MJCF.length },
    });
    await put('layout', 'description/scene.xml', '<mujoco><include file="walker.xml"/></mujoco>');
    await put('layout', 'meshes/füß e.stl', 'solid');
    await listener.nextEvent('robots', ({ reason, id }) => reason === 'upload' && id === 'layout');
    listener.close();
    const { body } = await request(studio.address, 'GET /api/robots/import/files', { id: 'layout' });
    expect(body).toEqual({
      id: 'layout',
      files: [
        { path: 'description/walker.xml', bytes: WALKER_MJCF.length, kind: 'mjcf', main: true },
        { path: 'description/scene.xml', bytes: 45, kind: 'mjcf', main: false },
        { path: 'meshes/füß e.stl', bytes: 5, kind: 'mesh', main: false },
      ],
    });
    expect(await importState()).toMatchObject({
      folder: inRobots(),
      robots: [],
      unfinished: [{ id: 'layout', files: 3, bytes: WALKER_MJCF.length + 50 }],
      draft: null,
    });
    expect((await send('DELETE', '/api/robots/import/layout')).body).toEqual({ ok: true });
    expect((await importState()).unfinished).toEqual([]);
    expect(uploadsOf()).toEqual([]);
  });

  test.each([
    '/api/robots/import/upload/evil/../../../evil',
    '/api/robots/import/upload/evil/%2e%2e/%2e%2e/evil',
    '/api/robots/import/upload/evil/a/..%2f..%2f..%2fevil',
    '/api/robots/import/upload/%2e%2e/evil',
    '/api/robots/import/upload/..%2f..%2f/evil',
    '/api/robots/import/upload/evil//etc/passwd',
    '/api/robots/import/upload/evil/..%5c..%5cevil',
    '/api/robots/import/upload/evil/a%00.xml',
    '/api/robots/import/upload/evil/%c0%ae%c0%ae/evil',
    '/api/robots/import/upload/.git/evil',
    '/api/robots/import/upload/evil/.draft.json',
    '/api/robots/import/upload/import/evil',
    '/api/robots/import/upload/humanoid/evil',
    '/api/robots/import/upload/evil/',
  ])('uploads to %s are refused and leave nothing', async (where) => {
    const { status } = await sendRaw(studio.port, requestText('PUT', where, {}, 'evil'), 'PUT');
    expect([400, 404]).toContain(status);
    expect(readdirSync(studio.workspace).includes('evil')).toBe(false);
    expect(readdirSync(inRobots()).filter((name) => name !== '.uploads')).toEqual([]);
    expect(uploadsOf()).toEqual([]);
  });

  test('an upload through a link out of the folder is refused', async () => {
    await put('linked', 'a.xml', 'x');
    symlinkSync(outside, inRobots('.uploads/linked/out'));
    expect(await put('linked', 'out/evil', 'x')).toMatchObject({
      status: 400,
      body: { detail: 'path: "out/evil" leads out of its folder' },
    });
    expect(readdirSync(outside)).toEqual([]);
    expect((await send('DELETE', '/api/robots/import/linked')).status).toBe(200);
    expect(existsSync(outside)).toBe(true);
  });

  test('an upload of a gigabyte that is cancelled half-way leaves nothing', async () => {
    const socket = await open(studio.port);
    socket.write(requestText('PUT', '/api/robots/import/upload/large/mesh.stl', { 'Content-Length': String(2 ** 30) }));
    const part = Buffer.alloc(1 << 20, 7);
    for (let k = 0; k < 64; k++) {
      if (!socket.write(part)) await new Promise((resolve) => socket.once('drain', resolve));
    }
    expect(tempsBelow(inRobots())).not.toEqual([]);
    expect((await importState()).unfinished).toEqual([]);
    socket.destroy();
    await expect.poll(() => tempsBelow(inRobots()), { timeout: 20_000 }).toEqual([]);
    expect(uploadsOf()).toEqual([]);
  });

  test('an upload with a declared length over the limit is refused before its bytes', async () => {
    const socket = await open(studio.port);
    socket.write(requestText('PUT', '/api/robots/import/upload/huge/a.stl', { 'Content-Length': String(5 * 2 ** 30) }));
    expect((await readAnswer(socket, 'PUT')).status).toBe(413);
    socket.destroy();
    expect(uploadsOf()).toEqual([]);
  });

  test('unknown uploads are refused by id', async () => {
    expect((await send('DELETE', '/api/robots/import/nope')).body.detail).toMatch(/^id: unknown upload "nope"/);
    for (const [key, input] of [
      ['GET /api/robots/import/files', { id: 'nope' }],
      ['POST /api/robots/import/inspect', { id: 'nope', model: 'a.xml' }],
    ] as const) {
      expect(await request(studio.address, key, input)).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(/^id: unknown upload "nope"/) },
      });
    }
  });
});

describe('a folder of the service machine', () => {
  const copy = (id: string, source: string) => request(studio.address, 'POST /api/robots/import/path', { id, source });

  test('a folder of the service machine is copied completely; a link out of it is refused by name', async () => {
    const source = path.join(outside, 'model');
    mkdirSync(path.join(source, 'meshes'), { recursive: true });
    writeFileSync(path.join(source, 'walker.xml'), WALKER_MJCF);
    writeFileSync(path.join(source, 'meshes/a.stl'), 'solid');
    expect((await copy('copied', source)).body).toEqual({
      ok: true,
      id: 'copied',
      files: 2,
      bytes: WALKER_MJCF.length + 5,
    });
    expect((await importState()).unfinished).toMatchObject([{ id: 'copied', files: 2 }]);
    await send('DELETE', '/api/robots/import/copied');
    symlinkSync('/etc/passwd', path.join(source, 'meshes/b.stl'));
    expect(await copy('copied', source)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('source: meshes/b.stl is a link that leads out of the folder') },
    });
    expect((await copy('copied', studio.workspace)).body.detail).toContain('contains the robots of this workspace');
    expect((await copy('import', source)).body.detail).toMatch(/^id: "import" is reserved/);
    expect(uploadsOf()).toEqual([]);
  });
});

describe('a draft', () => {
  beforeEach(async () => {
    await cancel();
  });

  test(
    'a draft is inspected, shown with its wiring, checked and saved; once selected, its frames stream',
    async () => {
      const before = (await request(studio.address, 'GET /api/robot/model')).body;
      await put('walker', 'walker.xml', WALKER_MJCF);
      const { status, body } = await inspect('walker');
      expect([status, body.detail]).toEqual([200, undefined]);
      expect(body).toMatchObject({ ok: true, id: 'walker', model: 'walker.xml', format: 'mjcf' });
      expect(body.bodies.map(({ name }) => name)).toEqual([
        'trunk',
        'left_thigh',
        'left_foot',
        'right_thigh',
        'right_foot',
      ]);
      expect(body.wiring).toMatchObject({ anchor: 'trunk', feet: ['left_foot', 'right_foot'] });
      expect(Object.keys(body.gains)).toEqual(body.joints.map(({ name }) => name));
      expect((await importState()).draft).toEqual({ id: 'walker', model: 'walker.xml' });
      expect(await ownerOf()).toBe('robots');

      const listener = await Listener.open(studio.address);
      expect((await request(studio.address, 'POST /api/robots/import/preview', { wiring: body.wiring })).body).toEqual({
        ok: true,
      });
      const shown = await listener.nextFrame(({ header }) => header.owner === 'import');
      expect(shown.header).toMatchObject({ nbody: 5, overlays: [{ name: 'wiring' }] });
      expect(shown.header.model_version).toBeGreaterThan(before.version);
      const { body: model } = await request(studio.address, 'GET /api/robot/model');
      expect(model).toMatchObject({ version: shown.header.model_version, robot: 'walker' });
      expect(model.bodies.map(({ name }) => name)).toEqual(body.bodies.map(({ name }) => name));
      const bin = await (await fetch(`${studio.address}/api/robot/model.bin`)).arrayBuffer();
      expect(bin.byteLength).toBe(model.bin.bytes);
      expect((await request(studio.address, 'GET /api/robot')).body.id).toBe('humanoid');

      // A change of the wiring does not change the model.
      const fewer = { ...body.wiring, keybodies: ['trunk'] };
      await request(studio.address, 'POST /api/robots/import/preview', { wiring: fewer });
      const marked = await listener.nextFrame(({ header }) => header.overlays[0]?.count === 4 * 4);
      expect(marked.header.model_version).toBe(shown.header.model_version);
      const wrong = { ...body.wiring, feet: ['left_foot', 'nose'] };
      expect(await request(studio.address, 'POST /api/robots/import/preview', { wiring: wrong })).toMatchObject({
        status: 400,
        body: { detail: 'wiring.feet[1]: the model has no body "nose"' },
      });

      const check = await request(studio.address, 'POST /api/robots/import/check', { spec: body.spec });
      expect(check.status).toBe(200);
      expect(check.body.checks.map(({ name }) => name)).toEqual(
        'compiles mass joints gains wiring collision self_contact hangs ground feet stands'.split(' '),
      );
      for (const { text } of check.body.checks) expect(text).toMatch(/\d/);

      const saved = await save(body.spec);
      expect([saved.status, saved.body]).toEqual([200, { ok: true, id: 'walker', task: 'Wbc-Walker', undo: null }]);
      await listener.nextEvent('robots', ({ reason, id }) => reason === 'saved' && id === 'walker');
      await listener.nextFrame(({ header }) => header.owner === 'robots' && header.model_version === before.version);
      expect((await request(studio.address, 'GET /api/robot/model')).body).toEqual(before);
      const { robots, selected } = (await request(studio.address, 'GET /api/robots')).body;
      expect(selected).toBe('humanoid');
      expect(robots.find(({ id }) => id === 'walker')).toMatchObject({
        source: 'created',
        error: null,
        model: { bodies: 5, joints: 4, actuators: 4 },
      });
      expect(await importState()).toMatchObject({
        robots: [{ id: 'walker', name: 'walker' }],
        unfinished: [],
        draft: null,
      });
      const spec = (await request(studio.address, 'GET /api/robots/walker/spec' as never)).body as unknown;
      expect(spec).toEqual({
        id: 'walker',
        spec: body.spec,
        yaml: readFileSync(inRobots('walker/robot.yaml'), 'utf8'),
      });
      expect(readFileSync(inRobots('walker/walker.xml'), 'utf8')).toBe(WALKER_MJCF);

      expect(await finish(studio.address, 'POST /api/robot/select', { name: 'walker' })).toMatchObject({
        state: 'done',
      });
      await listener.nextFrame(({ header }) => header.owner === 'robots' && header.nbody === 5);
      listener.close();
    },
    SLOW_MS,
  );

  test(
    'closing a draft returns the scene to the clip that it covered; closing the clip over a draft returns it to the draft',
    async () => {
      const dataset = path.join(studio.workspace, 'data/walker/clips');
      mkdirSync(dataset, { recursive: true });
      writeFileSync(path.join(dataset, 'walk.csv'), walkerClip(50));
      const load = () =>
        finish(studio.address, 'POST /api/data/load', { dataset: 'clips', clip: 'walk', source: 'auto' }).then(
          ({ state }) => expect(state).toBe('done'),
        );
      const { wiring } = await draft('second');
      const preview = () => request(studio.address, 'POST /api/robots/import/preview', { wiring });
      const listener = await Listener.open(studio.address);
      await load();
      expect((await preview()).status).toBe(200);
      await listener.nextFrame(({ header }) => header.owner === 'import');
      expect((await request(studio.address, 'GET /api/data/preview')).body).toMatchObject({
        open: true,
        playing: false,
      });
      await cancel();
      expect(await ownerOf()).toBe('data');
      await listener.nextFrame(({ header }) => header.owner === 'data' && header.hud.clip === 'walk');
      expect((await importState()).draft).toBeNull();

      await draft('second');
      await preview();
      await load();
      await request(studio.address, 'POST /api/data/close');
      expect(await ownerOf()).toBe('import');
      await listener.nextFrame(({ header }) => header.owner === 'import');
      expect((await send('DELETE', '/api/robots/import/second')).status).toBe(200);
      expect(await ownerOf()).toBe('robots');
      await listener.nextFrame(({ header }) => header.owner === 'robots');
      listener.close();
      expect(await request(studio.address, 'POST /api/robots/import/preview', { wiring })).toMatchObject({
        status: 400,
        body: { detail: 'wiring: no robot is being imported: inspect a model first' },
      });
    },
    SLOW_MS,
  );

  test(
    'a draft with gains that no robot can have is still checked, and the check names them; saving it is refused with that text',
    async () => {
      const suggested = await draft('wild');
      const wild = {
        ...suggested,
        joints: {
          ...suggested.joints,
          left_hip_joint: { ...HIP!, stiffness: -40 },
          left_knee_joint: { ...HIP!, effort_limit: 0, damping: -1 },
        },
      };
      const { status, body } = await request(studio.address, 'POST /api/robots/import/check', { spec: wild });
      expect([status, body.ok]).toEqual([200, false]);
      const { ok, text } = body.checks.find(({ name }) => name === 'gains')!;
      expect([ok, text]).toEqual([
        false,
        expect.stringMatching(/stiffness of left_hip_joint; damping of left_knee_joint; effort_limit of left_knee/),
      ]);
      expect(await save(wild)).toMatchObject({
        status: 400,
        body: { detail: `spec: the check "gains" fails: ${text}` },
      });
      await send('DELETE', '/api/robots/import/wild');
    },
    SLOW_MS,
  );

  test(
    'the draft of a URDF states what was changed, and its mimic joints move with the joints that they follow',
    async () => {
      const link = (name: string, inside: string) => `<link name="${name}">${inside}</link>`;
      const inertial = (kg: number) =>
        `<inertial><mass value="${kg}"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>`;
      const box = (z: number) =>
        `<collision><origin xyz="0 0 ${z}"/><geometry><box size="0.1 0.06 0.04"/></geometry></collision>`;
      const joint = (name: string, parent: string, child: string, xyz: string, more = '') =>
        `<joint name="${name}" type="revolute"><origin xyz="${xyz}"/><parent link="${parent}"/><child link="${child}"/>` +
        `<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="30" velocity="8"/>${more}</joint>`;
      await put(
        'tied',
        'bot/urdf/bot.urdf',
        `<robot name="bot">${link('base', `${inertial(6)}<visual><geometry><mesh filename="package://bot/shell.ply"/></geometry></visual>`)}
          ${link('left_leg', inertial(1) + box(-0.3))}${link('right_leg', inertial(1) + box(-0.3))}${link('flap', '')}
          ${joint('left_hip', 'base', 'left_leg', '0 0.1 0')}${joint('right_hip', 'base', 'right_leg', '0 -0.1 0')}
          ${joint('flap_joint', 'base', 'flap', '0 0 0.1', '<mimic joint="left_hip" multiplier="-0.5" offset="0.2"/>')}</robot>`,
      );
      await put('tied', 'bot/shell.ply', '<COLLADA/>');
      const { status, body } = await inspect('tied', 'bot/urdf/bot.urdf');
      expect([status, body.detail]).toEqual([200, undefined]);
      expect(body.format).toBe('urdf');
      expect(body.warnings).toEqual([
        '1 mimic joint driven by equality constraints instead of motors: flap_joint follows left_hip',
        'visual of link base removed: mesh bot/shell.ply is a .ply file. Use .stl, .obj or .dae.',
        'root body base was fixed to the world and was given a free joint',
        'bodies moving without a stated mass: given 0.01 kg and 0.0001 kg·m²: flap',
      ]);
      expect(body.gains['left_hip']).toMatchObject({
        effort_limit: 30,
        source: expect.stringContaining('URDF effort'),
      });
      expect(body.spec.joints['left_hip']!.velocity_limit).toBe(8);
      const saved = await save(body.spec);
      expect([saved.status, saved.body]).toEqual([200, { ok: true, id: 'tied', task: 'Wbc-Tied', undo: null }]);
      expect(await finish(studio.address, 'POST /api/robot/select', { name: 'tied' })).toMatchObject({ state: 'done' });
      const flap = async () =>
        (await request(studio.address, 'GET /api/robot')).body.joints.find(({ name }) => name === 'flap_joint');
      expect(await flap()).toMatchObject({ default: 0.2, value: 0.2, effort_limit: null, follows: 'left_hip' });
      await request(studio.address, 'POST /api/robot/joint', { name: 'left_hip', value: 0.4 });
      expect((await flap())!.value).toBeCloseTo(0, 9); // 0.2 − 0.5 · 0.4
      // The joint follows another one, so it cannot be moved.
      const moved = await request(studio.address, 'POST /api/robot/joint', { name: 'flap_joint', value: 0.9 });
      expect(moved.body.value).toBeCloseTo(0, 9);
      await send('DELETE', '/api/robots/tied');
    },
    SLOW_MS,
  );

  test(
    'a draft that is closed while its previews are running does not come back',
    async () => {
      const { wiring } = await draft('hasty');
      const preview = () => request(studio.address, 'POST /api/robots/import/preview', { wiring });
      for (let k = 0; k < 5; k++) {
        await inspect('hasty');
        await Promise.all([preview(), preview(), cancel()]);
        expect(await ownerOf()).toBe('robots');
        expect((await importState()).draft).toBeNull();
      }
      expect((await request(studio.address, 'GET /api/robot/model')).body.robot).not.toBe('hasty');
      await send('DELETE', '/api/robots/import/hasty');
    },
    SLOW_MS,
  );

  test(
    'the draft is the upload inspected last; others are checked and saved by their id',
    async () => {
      const [first, second] = [await draft('first'), await draft('other')];
      expect((await importState()).draft).toEqual({ id: 'other', model: 'walker.xml' });
      const check = await request(studio.address, 'POST /api/robots/import/check', { spec: first });
      expect(check.body.checks.find(({ name }) => name === 'compiles')).toMatchObject({ ok: true });
      expect((await save(first)).body).toMatchObject({ ok: true, id: 'first' });
      expect((await importState()).draft).toEqual({ id: 'other', model: 'walker.xml' });
      // A draft can be saved under another id.
      expect((await save({ ...second, id: 'my-robot.v2', name: 'Mine' })).body).toEqual({
        ok: true,
        id: 'my-robot.v2',
        task: 'Wbc-My-Robot.V2',
        undo: null,
      });
      expect((await importState()).unfinished).toEqual([]);
      expect(await robotIds()).toEqual(['humanoid', 'first', 'my-robot.v2', 'walker']);
    },
    SLOW_MS,
  );

  test(
    'a newer inspection of an upload supersedes the one under way',
    async () => {
      await put('twice', 'walker.xml', WALKER_MJCF);
      const answers = await Promise.all([inspect('twice'), inspect('twice')]);
      // The requests use two connections, so the service may read them in any order.
      const [newer, older] = answers.toSorted((a, b) => a.status - b.status);
      expect(newer!.status).toBe(200);
      expect(older).toMatchObject({
        status: 409,
        body: { detail: 'a newer inspection of "twice" has superseded this one' },
      });
      await send('DELETE', '/api/robots/import/twice');
    },
    SLOW_MS,
  );

  test(
    'an inspection whose upload is deleted meanwhile ends with an error that says so',
    async () => {
      await put('leaving', 'walker.xml', WALKER_MJCF);
      const inspecting = inspect('leaving');
      await send('DELETE', '/api/robots/import/leaving');
      const { status, body } = await inspecting;
      expect([status, body.detail]).toEqual([400, expect.stringMatching(/^id: (unknown upload|the upload)/)]);
      expect((await importState()).draft).toBeNull();
    },
    SLOW_MS,
  );

  test(
    'a draft survives a kill of the service',
    async () => {
      const { wiring } = await draft('kept');
      await studio.stop('SIGKILL');
      await studio.start();
      expect((await importState()).draft).toEqual({ id: 'kept', model: 'walker.xml' });
      expect((await request(studio.address, 'POST /api/robots/import/preview', { wiring })).status).toBe(200);
      expect(await ownerOf()).toBe('import');
      await cancel();
      expect(await ownerOf()).toBe('robots');
    },
    SLOW_MS,
  );

  test(
    'an unusable or too large model is refused with the reason, and the service keeps running',
    async () => {
      await put('broken', 'walker.xml', '<mujoco><worldbody>');
      await put('broken', 'notes.txt', 'x');
      await put(
        'broken',
        'many.xml',
        `<mujoco><worldbody><body name="root"><freejoint/><geom size="0.1"/>
          <replicate count="100000" offset="1 0 0"><body><joint/><geom size="0.1"/></body></replicate>
        </body></worldbody></mujoco>`,
      );
      await put(
        'broken',
        'hull.xml',
        WALKER_MJCF.replace('<asset>', '<asset><mesh name="hull" file="meshes/hull.stl"/>').replace(
          '<body name="left_thigh"',
          '<geom type="mesh" mesh="hull"/><body name="left_thigh"',
        ),
      );
      await put(
        'broken',
        'weightless.xml',
        WALKER_MJCF.replace(
          '<body name="left_thigh"',
          '<body name="arm"><joint name="shoulder"/><geom size="0.1" mass="0"/></body><body name="left_thigh"',
        ),
      );
      for (const [model, text] of [
        ['walker.xml', 'walker.xml'],
        ['notes.txt', 'model: notes.txt is not a model file. Choose an MJCF (.xml, .mjcf) or a URDF (.urdf).'],
        ['many.xml', 'many.xml line 2: <replicate>: 100000 copies of 4 elements are too many for a robot'],
        [
          'hull.xml',
          'hull.xml: 1 collision mesh is not among the files: meshes/hull.stl (trunk). Upload it, or remove',
        ],
        ['weightless.xml', 'weightless.xml: joints move bodies of zero mass, arm. State their mass and inertia'],
        ['none.xml', 'model: the upload "broken" has no file "none.xml"'],
        ['../x.xml', 'model: "../x.xml" must not contain ".."'],
      ] as const) {
        const { status, body } = await inspect('broken', model);
        expect([model, status]).toEqual([model, 400]);
        expect(body.detail).toContain(text);
      }
      expect((await importState()).draft).toBeNull();
      expect((await fetch(`${studio.address}/healthz`)).status).toBe(200);
      await send('DELETE', '/api/robots/import/broken');
    },
    SLOW_MS,
  );
});

describe('saving', () => {
  beforeAll(async () => {
    await put('fresh', 'walker.xml', WALKER_MJCF);
  });

  test.each<[text: string, change: object]>([
    ['spec.id: "import" is reserved', { id: 'import' }],
    ['spec.id: "humanoid" is the built-in robot', { id: 'humanoid' }],
    ['spec.id: "../up" must begin with', { id: '../up' }],
    ['spec.id: there is no upload "nowhere", no robot of this name and no draft', { id: 'nowhere' }],
    ['spec: the check "wiring" fails: ', { wiring: { anchor: 'trunk', keybodies: [], feet: [] } }],
    [
      'spec: the check "gains" fails: ',
      { joints: { ...walkerSpec().joints, left_hip_joint: { ...HIP, stiffness: 0 } } },
    ],
    ['spec.model: "../walker.xml" must not contain ".."', { model: '../walker.xml' }],
    ['spec.model: the upload "fresh" has no file "other.xml"', { model: 'other.xml' }],
    ['spec.name: must', { name: '' }],
    [
      'spec.joints.left_hip_joint.velocity_limit: must be a number',
      { joints: { left_hip_joint: { ...HIP, velocity_limit: 0 } } },
    ],
    ['spec.root_height: must be a number ≥ 0', { root_height: -1 }],
    ['spec.colour: ', { colour: 'red' }],
    // The texts are those of the checks, also where the compiler or the schema would refuse the spec.
    [
      'spec: the check "wiring" fails: 1 of 1 names are not bodies of the model: anchor: nose',
      { wiring: { anchor: 'nose', keybodies: [], feet: [] } },
    ],
    ['spec: the check "joints" fails: the model has no joint nose_joint', { joints: { nose_joint: HIP } }],
    [
      'spec: the check "joints" fails: the default pose is outside the joint ranges: left_hip_joint at 3',
      { joints: { ...walkerSpec().joints, left_hip_joint: { ...HIP, default: 3 } } },
    ],
  ])('saving refuses invalid fields: %s', { timeout: SLOW_MS }, async (text, change) => {
    const { status, body } = await save({ ...walkerSpec(), id: 'fresh', ...change });
    expect([status, body.detail]).toEqual([400, expect.stringContaining(text)]);
    expect(existsSync(inRobots('fresh'))).toBe(false);
    expect((await importState()).unfinished.map(({ id }) => id)).toContain('fresh');
  });

  test(
    'saving replaces a robot created here, at once for all clients; a folder that is not a robot stays',
    async () => {
      mkdirSync(inRobots('folder'));
      writeFileSync(inRobots('folder/precious.txt'), 'x');
      expect((await save({ ...walkerSpec(), id: 'folder' })).body.detail).toContain('no upload "folder"');
      await put('folder', 'walker.xml', WALKER_MJCF);
      expect((await save({ ...walkerSpec(), id: 'folder' })).body.detail).toContain(
        'spec.id: robots/folder exists but is not a robot',
      );
      expect(readdirSync(inRobots('folder'))).toEqual(['precious.txt']);

      expect((await save({ ...walkerSpec(), id: 'fresh', name: 'Old' })).status).toBe(200);
      await put('fresh', 'model/walker.xml', WALKER_MJCF);
      const changed = { ...walkerSpec(), id: 'fresh', name: 'New', model: 'model/walker.xml' };
      expect((await save(changed)).body).toMatchObject({ ok: true, id: 'fresh' });
      const { robots } = (await request(studio.address, 'GET /api/robots')).body;
      expect(robots.find(({ id }) => id === 'fresh')).toMatchObject({ name: 'New', error: null });
      expect(readdirSync(inRobots('fresh')).sort()).toEqual(['model', 'robot.yaml']);
      expect(readdirSync(inRobots()).filter((name) => name.startsWith('.'))).toEqual(['.uploads']);
    },
    SLOW_MS,
  );
});

describe('saving a robot again', () => {
  test(
    'saving the selected robot again is answered once the service shows the new version',
    async () => {
      await put('shown', 'walker.xml', WALKER_MJCF);
      expect((await save({ ...walkerSpec(), id: 'shown', name: 'First' })).status).toBe(200);
      expect(await finish(studio.address, 'POST /api/robot/select', { name: 'shown' })).toMatchObject({
        state: 'done',
      });
      for (const height of [0.7, 0.8, 0.9]) {
        await put('shown', 'walker.xml', WALKER_MJCF);
        const name = `Height ${height}`;
        expect((await save({ ...walkerSpec(), id: 'shown', name, root_height: height })).status).toBe(200);
        expect((await request(studio.address, 'GET /api/robot')).body).toMatchObject({
          name,
          root: [0, 0, height, 1, 0, 0, 0],
        });
      }
      await finish(studio.address, 'POST /api/robot/select', { name: 'humanoid' });
      await send('DELETE', '/api/robots/shown');
    },
    SLOW_MS,
  );
});

describe('a saved robot without an upload of its id', () => {
  test(
    'a saved robot without an upload is listed, inspected, shown, checked and saved with its own model files',
    async () => {
      await put('own', 'walker.xml', WALKER_MJCF);
      await put('own', 'notes.txt', 'kept');
      expect((await save({ ...walkerSpec(), id: 'own', name: 'Before' })).body.detail).toBeUndefined();
      await cancel();
      expect(uploadsOf()).not.toContain('own');
      const { body: listed } = await request(studio.address, 'GET /api/robots/import/files', { id: 'own' });
      expect(listed.files[0]).toMatchObject({ path: 'walker.xml', kind: 'mjcf', main: true });
      const found = await inspect('own');
      expect([found.status, found.body.detail]).toEqual([200, undefined]);
      expect((await importState()).draft).toEqual({ id: 'own', model: 'walker.xml' });
      const { wiring, spec: suggested } = found.body;
      expect((await request(studio.address, 'POST /api/robots/import/preview', { wiring })).body).toEqual({ ok: true });
      const spec = { ...suggested, name: 'After' };
      expect((await request(studio.address, 'POST /api/robots/import/check', { spec })).body.checks[0]).toMatchObject({
        name: 'compiles',
        ok: true,
      });
      expect((await save({ ...spec, model: 'other.xml' })).body.detail).toBe(
        'spec.model: the robot "own" has no file "other.xml"',
      );
      expect((await save(spec)).body).toEqual({ ok: true, id: 'own', task: 'Wbc-Own', undo: expect.any(String) });
      expect((await importState()).draft).toBeNull();
      const { body: kept } = await request(studio.address, 'GET /api/robots/own/spec' as 'GET /api/robots/{id}/spec');
      expect(kept.spec).toEqual(spec);
      expect(readdirSync(inRobots('own')).sort()).toEqual(['notes.txt', 'robot.yaml', 'walker.xml']);
      const { robots } = (await request(studio.address, 'GET /api/robots')).body;
      expect(robots.find(({ id }) => id === 'own')).toMatchObject({ name: 'After', error: null });

      // If it is saved under another id, the robot is copied, and the robot of the draft stays.
      await inspect('own');
      const copy = { ...spec, id: 'own-2', name: 'Copy' };
      expect((await save({ ...copy, wiring: { ...copy.wiring, feet: [] } })).body.detail).toContain('"feet" fails');
      expect(uploadsOf()).not.toContain('own-2');
      expect((await save(copy)).body).toEqual({ ok: true, id: 'own-2', task: 'Wbc-Own-2', undo: null });
      expect(readdirSync(inRobots('own-2')).sort()).toEqual(['notes.txt', 'robot.yaml', 'walker.xml']);
      expect(
        (await request(studio.address, 'GET /api/robots')).body.robots.find(({ id }) => id === 'own'),
      ).toMatchObject({
        name: 'After',
      });
      await send('DELETE', '/api/robots/own-2');
      await send('DELETE', '/api/robots/own');
    },
    SLOW_MS,
  );
});

describe('deleting a robot', () => {
  test(
    'deleting the selected robot selects the built-in one; its datasets stay',
    async () => {
      addWalker(studio.workspace); // as if a user replaced the files by hand
      await expect.poll(robotIds, { timeout: 30_000 }).toContain('walker');
      expect(await finish(studio.address, 'POST /api/robot/select', { name: 'walker' })).toMatchObject({
        state: 'done',
      });
      const listener = await Listener.open(studio.address);
      expect(await send('DELETE', '/api/robots/walker')).toEqual({
        status: 200,
        body: { ok: true, undo: expect.any(String) },
      });
      expect((await request(studio.address, 'GET /api/robots')).body).toMatchObject({ selected: 'humanoid' });
      expect(await robotIds()).not.toContain('walker');
      expect(existsSync(inRobots('walker'))).toBe(false);
      expect(existsSync(path.join(studio.workspace, 'data/walker/clips/walk.csv'))).toBe(true);
      await listener.nextEvent('robots', ({ reason, id }) => reason === 'deleted' && id === 'walker');
      await listener.nextEvent('robot', ({ id, reason }) => id === 'humanoid' && reason === 'select');
      listener.close();
    },
    SLOW_MS,
  );

  test('deleting a built-in or unknown robot is refused, and so is reading its spec', async () => {
    for (const [id, text] of [
      ['humanoid', 'id: "humanoid" is the built-in robot'],
      ['nope', 'id: unknown robot "nope"'],
      ['..%2f..', 'id: '],
    ]) {
      const answer = await send('DELETE', `/api/robots/${id}`);
      expect([id, answer.status, answer.body.detail]).toEqual([id, 400, expect.stringContaining(text!)]);
      expect((await fetch(`${studio.address}/api/robots/${id}/spec`)).status).toBe(400);
    }
  });

  test(
    'deleting a robot that a job uses is refused until the job has ended',
    async () => {
      addWalker(studio.workspace);
      await expect.poll(robotIds, { timeout: 30_000 }).toContain('walker');
      expect(await finish(studio.address, 'POST /api/robot/select', { name: 'walker' })).toMatchObject({
        state: 'done',
      });
      const many = path.join(studio.workspace, 'data/walker/many');
      mkdirSync(many);
      for (let k = 0; k < 12; k++) writeFileSync(path.join(many, `c${k}.csv`), walkerClip(3000));
      await request(studio.address, 'POST /api/data/uploaded');
      const { body } = await request(studio.address, 'POST /api/data/convert', { dataset: 'many', batch_size: 1 });
      expect(body).toMatchObject({ ok: true });
      const used = await send('DELETE', '/api/robots/walker');
      expect(used).toEqual({
        status: 409,
        body: { detail: `the job "${body.job}" uses the robot "walker". Stop the job or wait until it ends.` },
      });
      expect(existsSync(inRobots('walker/robot.yaml'))).toBe(true);
      await request(studio.address, `POST /api/jobs/${body.job}/stop` as never);
      await expect
        .poll(async () => (await send('DELETE', '/api/robots/walker')).status, { timeout: 30_000, interval: 200 })
        .toBe(200);
    },
    SLOW_MS,
  );
});

describe.skipIf(!hasKit)('the kit’s G1 with its meshes', () => {
  test('the kit’s G1, uploaded file by file, is inspected, checked, saved and selected, and its frames stream', {
    timeout: 3 * SLOW_MS,
  }, async () => {
    const root = path.join(KIT, 'robots/g1');
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const entry of files) {
      const full = path.join(entry.parentPath, entry.name);
      const answer = await put('g1', path.relative(root, full), readFileSync(full));
      expect([entry.name, answer.status]).toEqual([entry.name, 200]);
    }
    const listed = (await request(studio.address, 'GET /api/robots/import/files', { id: 'g1' })).body.files;
    expect(listed).toHaveLength(files.length);
    expect(listed[0]).toMatchObject({ path: 'g1.xml', kind: 'mjcf', main: true });

    const { status, body } = await inspect('g1', 'g1.xml');
    expect([status, body.detail]).toEqual([200, undefined]);
    expect(['torso_link', 'pelvis']).toContain(body.wiring.anchor);
    expect(body.wiring.feet).toEqual(['left_ankle_roll_link', 'right_ankle_roll_link']);
    for (const part of ['knee', 'elbow', 'wrist', 'ankle'])
      expect(body.wiring.keybodies.filter((name) => name.includes(part))).toHaveLength(2);

    const check = await request(studio.address, 'POST /api/robots/import/check', { spec: body.spec });
    expect(check.body.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(check.body.ok).toBe(true);
    expect((await save(body.spec)).body).toEqual({ ok: true, id: 'g1', task: 'Wbc-G1', undo: null });
    expect(await finish(studio.address, 'POST /api/robot/select', { name: 'g1' })).toMatchObject({ state: 'done' });
    const listener = await Listener.open(studio.address);
    await listener.nextFrame(({ header }) => header.owner === 'robots' && header.nbody === 30);
    listener.close();

    const folder = path.join(studio.workspace, 'data/g1/kit');
    mkdirSync(folder, { recursive: true });
    const clip = readdirSync(path.join(KIT, 'clips')).find((name) => name.endsWith('.csv'))!;
    symlinkSync(path.join(KIT, 'clips', clip), path.join(folder, clip));
    await request(studio.address, 'POST /api/data/uploaded');
    const loaded = await finish(studio.address, 'POST /api/data/load', { dataset: 'kit', clip: path.parse(clip).name });
    expect(loaded).toMatchObject({ state: 'done' });
  });
});

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNpz } from '../../src/formats/npz.ts';
import { Listener, poseOf, request } from '../support/client.ts';
import { configure, convertAll, recordOf, sessionOf, until } from '../support/play-client.ts';
import { PYTHON_ENV, pythonClientProblem } from '../support/python-client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker } from '../support/workspace.ts';

const studio = useStudio();

const RUN = 'small/zero';
const pythonProblem = pythonClientProblem();
if (pythonProblem !== null) console.warn(`the example of docs/play.md is not tried: ${pythonProblem}`);
let joints: number;

beforeAll(async () => {
  addWalker(studio.workspace);
  joints = (await preparedHumanoid()).facts.joints.length;
  addSmallRun(path.join(studio.workspace, 'logs/rsl_rl'), joints, RUN);
  await studio.start();
});

const post = (row: string, body: object = {}) => request(studio.address, `POST ${row}` as 'POST /api/play/step', body);
const detail = async (row: string, body: object) => {
  const { status, body: answer } = await post(row, body);
  return `${status} ${answer.detail}`;
};

describe('without a session', () => {
  test('without a session its controls answer 409 and its lists are empty', async () => {
    const rows = ['playing', 'step', 'restart', 'options'].map((row) => post(`/api/play/${row}`));
    const more = [
      post('/api/play/clip', { clip: null }),
      post('/api/play/push', { speed: 1 }),
      post('/api/play/rewards', { rewards: {} }),
      post('/api/focus', { index: 0 }),
    ];
    expect((await Promise.all([...rows, ...more])).map(({ status }) => status)).toEqual(Array(8).fill(409));
    expect((await fetch(`${studio.address}/api/plots/play`)).status).toBe(409);
    expect((await fetch(`${studio.address}/api/play/record`)).status).toBe(409);
    expect((await request(studio.address, 'GET /api/play')).body).toEqual({ session: null });
    expect((await request(studio.address, 'GET /api/play/clips')).body).toEqual({ clips: [] });
    expect((await post('/api/play/stop')).status).toBe(200);
  });

  test('invalid settings of a session are refused by name', async () => {
    expect(await detail('/api/play/configure', {})).toMatch(/^400 run: required/);
    expect(await detail('/api/play/configure', { run: 'small/none' })).toMatch(/^400 run: .*small\/none/);
    expect(await detail('/api/play/configure', { run: RUN })).toMatch(/^400 motion: .*no converted clips/);
    expect(await detail('/api/play/configure', { run: RUN, num_envs: 0 })).toMatch(/^400 num_envs/);
    expect(await detail('/api/play/configure', { run: RUN, num_envs: 1e9 })).toMatch(/^400 num_envs: .*4096/);
    expect(await detail('/api/play/configure', { run: RUN, num_envs: 1.5 })).toMatch(/^400 num_envs/);
  });
});

describe('a session', () => {
  let listener: Listener;

  beforeAll(async () => {
    await convertAll(studio.address, 'samples');
    listener = await Listener.open(studio.address);
  });
  afterAll(() => listener.close());

  test('a session can use the motion libraries of the robot', async () => {
    const { body } = await request(studio.address, 'GET /api/play/libraries', { run: RUN });
    expect(body).toMatchObject({
      run: RUN,
      libraries: [{ path: 'data/humanoid/samples', name: 'samples', clips: 6, default: true }],
    });
    expect(await detail('/api/play/configure', { run: RUN, checkpoint: 'model_1.pt' })).toMatch(/^400 checkpoint/);
    expect(await detail('/api/play/configure', { run: RUN, motion: 'data/humanoid/smples' })).toMatch(
      /^400 motion: .*did you mean "data\/humanoid\/samples"/,
    );
  });

  test('a session is built in the background, plays and takes over the scene', async () => {
    const session = await configure(studio.address, { run: RUN });
    expect(session).toMatchObject({
      state: 'running',
      run: RUN,
      checkpoint: 'policy.onnx',
      motion: 'data/humanoid/samples',
      robot: 'humanoid',
      num_envs: 1,
      capacity: 32,
      playing: true,
      terminations: true,
      control_hz: 50,
      history_s: 60,
      options: { ghost: 'off', targets: false, contacts: false, speed: 1 },
      pins: [],
    });
    await listener.nextEvent('owner', ({ owner }) => owner === 'play');
    await listener.nextEvent('play', ({ session: told }) => told?.state === 'running');
    const { header } = await listener.nextFrame((frame) => frame.header.owner === 'play');
    expect(header).toMatchObject({ n: 1, nbody: 24, ghost: null, focus: 0 });
    expect(header.hud.sim_time).toBeGreaterThanOrEqual(0);
    const { body } = await request(studio.address, 'GET /api/play/clips');
    expect(body.clips.map(({ name }) => name)).toContain('walk_forward');
    expect(body.clips[0]).toMatchObject({ index: 0, fps: 50 });
  });

  test('a session pauses, steps once and continues', async () => {
    expect((await post('/api/play/playing', { playing: false })).body).toEqual({ ok: true, playing: false });
    const before = (await sessionOf(studio.address)).sim_time;
    const { body } = await post('/api/play/step');
    expect(body.sim_time).toBeCloseTo(before + 0.02, 6);
    expect((await sessionOf(studio.address)).state).toBe('paused');
    expect((await post('/api/play/playing')).body).toEqual({ ok: true, playing: true });
    await until(
      () => sessionOf(studio.address),
      ({ sim_time: time }) => time > before + 0.3,
    );
    // A step pauses a playing session.
    await post('/api/play/step');
    expect((await sessionOf(studio.address)).playing).toBe(false);
  });

  test('a session changes environments, terminations and checkpoint without a restart; epoch and time continue', async () => {
    const { id, sim_time: time } = await sessionOf(studio.address);
    const { epoch } = (await recordOf(studio.address)).header;
    const changed = await configure(studio.address, { num_envs: 8, terminations: false, checkpoint: '' });
    expect(changed).toMatchObject({ id, num_envs: 8, terminations: false, checkpoint: '', sim_time: time });
    expect((await recordOf(studio.address)).header.epoch).toBe(epoch);
    await listener.nextFrame(({ header }) => header.n === 8);
    expect(await configure(studio.address, { num_envs: 1, terminations: true })).toMatchObject({ id, num_envs: 1 });
    expect(await detail('/api/play/configure', { checkpoint: 'nothing.onnx' })).toMatch(/^400 checkpoint/);
    expect((await sessionOf(studio.address)).id).toBe(id);
  });

  test('concurrent changes of a session are all applied; a change requested during a build joins that build', async () => {
    const { id } = await sessionOf(studio.address);
    for (const numEnvs of [7, 2, 6, 3]) {
      const changes = [
        { num_envs: numEnvs },
        { terminations: numEnvs > 4 },
        { checkpoint: numEnvs > 4 ? '' : 'policy.onnx' },
      ];
      const replies = await Promise.all(changes.map((change) => post('/api/play/configure', change)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await sessionOf(studio.address)).toMatchObject({
        id,
        num_envs: numEnvs,
        terminations: numEnvs > 4,
        checkpoint: numEnvs > 4 ? '' : 'policy.onnx',
      });
    }
    await post('/api/play/configure', { num_envs: 40, seed: 5 });
    expect(await configure(studio.address, { terminations: false })).toMatchObject({
      num_envs: 40,
      terminations: false,
    });
    await post('/api/play/configure', { num_envs: 1, seed: 6 });
    expect(await configure(studio.address, { terminations: true, checkpoint: '' })).toMatchObject({ num_envs: 1 });
  });

  test('more environments than the capacity start a new session', async () => {
    const { id } = await sessionOf(studio.address);
    const { epoch } = (await recordOf(studio.address)).header;
    const built = await configure(studio.address, { num_envs: 40 });
    expect(built.id).not.toBe(id);
    expect(built).toMatchObject({ num_envs: 40, capacity: 64, playing: true, checkpoint: '' });
    expect(built.sim_time).toBeLessThan(30);
    expect((await recordOf(studio.address)).header.epoch).not.toBe(epoch);
    await listener.nextFrame(({ header }) => header.n === 40);
  });

  test('a session of many environments records an environment from the first request for it', async () => {
    const first = await recordOf(studio.address, { env: 20 });
    expect(first.header).toMatchObject({ env: 20, start: 0, end: 0, fresh: true });
    const { header } = await until(
      () => recordOf(studio.address, { env: 20, epoch: first.header.epoch }),
      ({ header: { end } }) => end >= 5,
    );
    expect(header.fresh).toBe(false);
    expect(header.channels).toBeUndefined();
    expect(await detail('/api/focus', { index: 40 })).toMatch(/^400 index: .*0 to 39/);
    expect((await fetch(`${studio.address}/api/plots/play?env=40`)).status).toBe(400);
    expect((await post('/api/focus', { index: 33 })).body).toEqual({ ok: true, index: 33 });
    await listener.nextEvent('focus', ({ index }) => index === 33);
    await listener.nextFrame(({ header: { focus } }) => focus === 33);
    expect((await recordOf(studio.address)).header.env).toBe(33);
  });

  test('the record of a session has rows since a time, channels, limits, reference and metadata', async () => {
    await configure(studio.address, { run: RUN, num_envs: 2, seed: 3, checkpoint: 'policy.onnx', terminations: false });
    await post('/api/play/clip', { clip: 'squat', env: 1, frame: 10 });
    const whole = await until(
      () => recordOf(studio.address, { env: 1 }),
      ({ header: { end } }) => end > 60,
    );
    const { header, data, ref, meta } = whole;
    expect(header).toMatchObject({ env: 1, fps: 50, start: 0, fresh: true, history_s: 60 });
    expect(header.channels).toHaveLength(header.cols.data);
    expect(header.ref_cols!.map((column) => header.channels![column]!.group)).toEqual([
      ...Array(9).fill('root'),
      ...Array(joints).fill('joints'),
    ]);
    expect(data.every(Number.isFinite)).toBe(true);
    expect(ref.every(Number.isFinite)).toBe(true);
    expect(header.clips![meta[meta.length - 3]!]).toBe('squat');
    const rows = header.end - header.start;
    expect([data.length, ref.length, meta.length]).toEqual([rows * header.cols.data, rows * header.cols.ref, rows * 3]);
    const since = await recordOf(studio.address, { env: 1, epoch: header.epoch, since: header.end - 3 });
    expect(since.header).toMatchObject({ fresh: false, start: header.end - 3, epoch: header.epoch });
    expect(since.data.subarray(0, 3 * header.cols.data)).toEqual(data.subarray((rows - 3) * header.cols.data));
    expect((await recordOf(studio.address, { env: 0, epoch: header.epoch })).header).toMatchObject({
      fresh: true,
      env: 0,
    });
  });

  test('restarting a session begins new epochs while its time continues', async () => {
    const { sim_time: time } = await sessionOf(studio.address);
    const { epoch } = (await recordOf(studio.address, { env: 1 })).header;
    expect((await post('/api/play/restart')).body).toEqual({ ok: true });
    const { header } = await recordOf(studio.address, { env: 1, epoch, since: 0 });
    expect(header.epoch).not.toBe(epoch);
    expect(header.fresh).toBe(true);
    const session = await sessionOf(studio.address);
    expect(session.sim_time).toBeGreaterThanOrEqual(time);
    expect(session.pins).toEqual([{ env: 1, clip: 'squat' }]);
  });

  test('a session pins and unpins clips by name or index', async () => {
    expect(await detail('/api/play/clip', { clip: 'nothing' })).toMatch(/^400 clip: .*"nothing"/);
    expect(await detail('/api/play/clip', { clip: 99 })).toMatch(/^400 clip: .*0 to 5/);
    expect(await detail('/api/play/clip', { clip: 0, frame: 1e6 })).toMatch(/^400 frame/);
    expect(await detail('/api/play/clip', { clip: 0, env: 2 })).toMatch(/^400 env/);
    await post('/api/play/clip', { clip: 2 });
    expect((await sessionOf(studio.address)).pins).toContainEqual({ env: 0, clip: 'squat' });
    await post('/api/play/clip', { clip: null });
    await post('/api/play/clip', { clip: null, env: 1 });
    expect((await sessionOf(studio.address)).pins).toEqual([]);
  });

  test('a session shows ghosts, targets and contacts', async () => {
    expect((await post('/api/play/options', { ghost: true })).body).toMatchObject({ options: { ghost: 'overlay' } });
    const over = await listener.nextFrame(({ header }) => header.ghost !== null);
    expect(over.header.ghost).toMatchObject({ n: 2, count: 2 * 24 * 7 });
    await post('/api/play/playing', { playing: false });
    await post('/api/play/options', { ghost: 'beside', targets: true, contacts: true });
    const { header, blob } = await listener.nextFrame(({ header: { overlays } }) => overlays.length === 2);
    expect(header.overlays.map(({ name, kind }) => [name, kind])).toEqual([
      ['targets', 'spheres'],
      ['contacts', 'arrows'],
    ]);
    const [x, y] = poseOf({ header, blob }, 0);
    const ghostY = blob[header.ghost!.offset + 1]!;
    expect(Math.abs(blob[header.ghost!.offset]! - x!)).toBeLessThan(0.5);
    expect(Math.abs(ghostY - y!)).toBeGreaterThan(0.5);
    const together = await Promise.all([
      post('/api/play/options', { ghost: false, targets: false }),
      post('/api/play/options', { contacts: false }),
      post('/api/play/options', { speed: 2 }),
    ]);
    expect(together.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await sessionOf(studio.address)).options).toEqual({
      ghost: 'off',
      targets: false,
      contacts: false,
      speed: 2,
    });
    await post('/api/play/options', { speed: 1 });
    expect(await detail('/api/play/options', { ghost: 'left' })).toMatch(/^400 ghost/);
    expect(await detail('/api/play/options', { speed: 9 })).toMatch(/^400 speed/);
    await post('/api/play/playing', { playing: true });
  });

  test('a push adds to the velocity of the root', async () => {
    await post('/api/play/playing', { playing: false });
    await post('/api/play/restart');
    await post('/api/play/step');
    await post('/api/play/push', { speed: 1.5, direction: Math.PI / 2, env: 0 });
    await post('/api/play/step');
    const { header, data } = await recordOf(studio.address, { env: 0 });
    const vy = header.channels!.findIndex(({ id }) => id === 'root.vel.y');
    const change = data[header.cols.data + vy]! - data[vy]!;
    expect(change).toBeGreaterThan(1);
    expect(change).toBeLessThan(1.7);
    expect(header.events).toMatchObject([{ row: 0, kind: 'push', text: '1.50 m/s' }]);
    expect(await detail('/api/play/push', { speed: 1, env: 7 })).toMatch(/^400 env/);
    expect(await detail('/api/play/push', {})).toMatch(/^400 speed/);
    expect(await detail('/api/play/push', { speed: 1e9 })).toMatch(/^400 speed: must be .*20/);
    expect(await detail('/api/play/push', { speed: -20.5 })).toMatch(/^400 speed: must be .*-20/);
  });

  test('pushes that add up leave only finite numbers in the record', async () => {
    for (let k = 0; k < 40; k += 1) await post('/api/play/push', { speed: 20, direction: 0, env: 0 });
    const { header: before } = await recordOf(studio.address, { env: 0 });
    for (let k = 0; k < 5; k += 1) await post('/api/play/step');
    const { header, data } = await recordOf(studio.address, { env: 0 });
    expect(header.end).toBeGreaterThan(before.end);
    expect([...data].findIndex((value) => !Number.isFinite(value))).toBe(-1);
    const vx = header.channels!.findIndex(({ id }) => id === 'root.vel.x');
    const speeds = Array.from({ length: header.end - header.start }, (_, row) => data[row * header.cols.data + vx]!);
    expect(Math.max(...speeds)).toBeGreaterThan(20);
    expect(Math.max(...speeds)).toBeLessThan(60);
  });

  test('a session applies new reward weights', async () => {
    const [first] = (await sessionOf(studio.address)).rewards;
    const { body } = await post('/api/play/rewards', { rewards: { [first!.name]: 2.5 } });
    expect((body as unknown as { rewards: object[] }).rewards).toContainEqual({ ...first!, weight: 2.5 });
    expect(await detail('/api/play/rewards', { rewards: { nothing: 1 } })).toMatch(/^400 rewards.nothing/);
    const infinite = await fetch(`${studio.address}/api/play/rewards`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"rewards":{"${first!.name}":1e999}}`,
    });
    expect(infinite.status).toBe(400);
    expect((await sessionOf(studio.address)).rewards[0]!.weight).toBe(2.5);
  });

  test('the record of a session can be downloaded as npz and csv', async () => {
    const { header, data } = await recordOf(studio.address, { env: 0 });
    const npz = new Uint8Array(await (await fetch(`${studio.address}/api/play/record?env=0`)).arrayBuffer());
    const { arrays } = await readNpz(npz, new Set(['data', 'ref', 'meta', 'channels']));
    expect(arrays.get('data')).toMatchObject({ shape: [header.end, header.cols.data] });
    expect([...(arrays.get('data')!.data as Float32Array)]).toEqual([...data]);
    expect(arrays.get('channels')!.data).toEqual(header.channels!.map(({ id }) => id));
    const response = await fetch(`${studio.address}/api/play/record?env=0&format=csv`);
    expect(response.headers.get('content-disposition')).toMatch(/\.csv"/);
    const lines = (await response.text()).trim().split('\n');
    const columns = lines[0]!.split(',');
    expect(columns.slice(0, 3)).toEqual(['root.pos.x', 'root.pos.y', 'root.pos.z']);
    expect(columns.slice(-4)).toEqual([`ref.${header.channels![header.cols.ref - 1]!.id}`, 'clip', 'frame', 'step']);
    expect(lines).toHaveLength(header.end + 1);
    expect(Math.fround(Number(lines[1]!.split(',')[2]))).toBe(data[2]);
  });

  test.skipIf(pythonProblem !== null)('the example of docs/play.md reads the record of a session', async () => {
    const text = readFileSync(new URL('../../docs/play.md', import.meta.url), 'utf8');
    const script = /```python\n([\s\S]*?)```/.exec(text)![1]!;
    const file = path.join(studio.workspace, 'example.py');
    writeFileSync(file, script.replace('http://127.0.0.1:8765', studio.address));
    const env = { ...process.env, ...PYTHON_ENV };
    const { stdout, stderr } = await promisify(execFile)('python3', [file], { timeout: 60_000, env });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^[1-9]\d* rows from frame 11, joints 0\.\d{3} rad off\n$/);
    await configure(studio.address, { run: RUN, num_envs: 2 });
  });

  test('a session that loses the scene is paused and kept; its controls return the scene to it', async () => {
    await post('/api/play/playing', { playing: true });
    await request(studio.address, 'POST /api/robot/joint/show');
    expect(await sessionOf(studio.address)).toMatchObject({ state: 'paused', playing: false });
    await listener.nextFrame(({ header }) => header.owner === 'robots');
    await post('/api/play/playing', { playing: true });
    await listener.nextFrame(({ header }) => header.owner === 'play');
    expect((await sessionOf(studio.address)).state).toBe('running');
  });

  test('selecting another robot stops the session', async () => {
    await configure(studio.address, { run: RUN, num_envs: 2 });
    await post('/api/focus', { index: 1 });
    await listener.nextEvent('focus', ({ index }) => index === 1);
    const told = listener.events.length;
    await request(studio.address, 'POST /api/robot/select', { name: 'walker' }, { prefer: 'wait=60' });
    expect((await request(studio.address, 'GET /api/play')).body).toEqual({ session: null });
    await listener.nextFrame(({ header }) => header.owner === 'robots');
    const focus = listener.events.slice(told).filter(({ topic }) => topic === 'focus');
    expect(focus.map(({ payload }) => payload)).toEqual([{ index: 0 }]);
    await request(studio.address, 'POST /api/robot/select', { name: 'humanoid' }, { prefer: 'wait=60' });
  });

  test('stopping a session returns the scene to its previous owner', async () => {
    await request(studio.address, 'POST /api/data/load', { dataset: 'samples', clip: 'squat' }, { prefer: 'wait=60' });
    await configure(studio.address, { run: RUN, checkpoint: '' });
    await listener.nextFrame(({ header }) => header.owner === 'play');
    await post('/api/play/stop');
    await listener.nextFrame(({ header }) => header.owner === 'data');
    expect((await request(studio.address, 'GET /api/play')).body).toEqual({ session: null });
    await request(studio.address, 'POST /api/data/close');
    await listener.nextFrame(({ header }) => header.owner === 'robots');
  });

  test('a newer session replaces one that is being built', async () => {
    const first = await request(studio.address, 'POST /api/play/configure', { run: RUN, num_envs: 3 });
    const plots = await fetch(`${studio.address}/api/plots/play`);
    expect([plots.status, ((await plots.json()) as { detail: string }).detail]).toEqual([
      409,
      'the session is being built. GET /api/busy reports its progress.',
    ]);
    const second = await request(
      studio.address,
      'POST /api/play/configure',
      { run: RUN, num_envs: 5 },
      { prefer: 'wait=60' },
    );
    expect([first.status, second.status]).toEqual([200, 200]);
    const session = await until(
      () => request(studio.address, 'GET /api/play'),
      ({ body }) => body.session?.state === 'running',
    );
    expect(session.body.session).toMatchObject({ num_envs: 5 });
    await post('/api/play/stop');
  });
});

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlaySession } from '../../src/protocol/schemas/play.ts';
import { Listener, request } from '../support/client.ts';
import { configure, convertAll, recordOf, sessionOf, until } from '../support/play-client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const STILL = 'small/still';
const FALLS = 'small/falls';
const FAST = 'small/fast';

beforeAll(async () => {
  const { joints } = (await preparedHumanoid()).facts;
  const runs = path.join(studio.workspace, 'logs/rsl_rl');
  addSmallRun(runs, joints.length, STILL);
  addSmallRun(runs, joints.length, FALLS, { action: 4 });
  addSmallRun(runs, joints.length, FAST, { stepS: 0.01 });
  await studio.start();
  await convertAll(studio.address, 'samples');
});

const post = (row: string, body: object = {}) => request(studio.address, `POST ${row}` as 'POST /api/play/step', body);
const detail = async (row: string, body: object) => {
  const { status, body: answer } = await post(row, body);
  return `${status} ${answer.detail}`;
};

/** Starts a comparison and returns its session. */
async function compare(body: object): Promise<PlaySession> {
  const answer = await request(studio.address, 'POST /api/play/compare' as 'POST /api/play/configure', body, {
    prefer: 'wait=60',
  });
  expect(answer.body).toMatchObject({ ok: true, task: expect.any(String), busy: { state: 'done' } });
  return sessionOf(studio.address);
}

describe('a comparison is refused', () => {
  const refused = (body: object) => detail('/api/play/compare', body);
  const two = [{ run: STILL }, { run: FALLS }];

  test('a comparison needs 2 to 4 entries with known fields', async () => {
    expect(await refused({})).toMatch(/^400 entries: /);
    expect(await refused({ entries: [{ run: STILL }] })).toMatch(/^400 entries: /);
    expect(await refused({ entries: Array(5).fill({ run: STILL }) })).toMatch(/^400 entries: /);
    expect(await refused({ entries: [{ run: STILL }, { run: STILL, env: 1 }] })).toMatch(/^400 entries\[1\]\.env: /);
    expect(await refused({ entries: two, layout: 'above' })).toMatch(/^400 layout: /);
  });

  test('a comparison with an unknown run or checkpoint is refused, naming the entry', async () => {
    expect(await refused({ entries: [{ run: STILL }, { run: 'small/none' }] })).toMatch(
      /^400 entries\[1\]\.run: .*small\/none/,
    );
    expect(await refused({ entries: [{ run: STILL, checkpoint: 'model_7.pt' }, { run: FALLS }] })).toMatch(
      /^400 entries\[0\]\.checkpoint: .*model_7\.pt/,
    );
  });

  test('a comparison of different control rates is refused, naming the entry and both rates', async () => {
    expect(await refused({ entries: [{ run: STILL }, { run: FAST }] })).toMatch(
      /^400 entries\[1\]\.run: "small\/fast" has 100 control steps per second, entries\[0\] has 50/,
    );
  });

  test('a comparison on an unknown library, clip or frame is refused', async () => {
    expect(await refused({ entries: two, motion: 'data/humanoid/none' })).toMatch(/^400 motion: /);
    expect(await refused({ entries: two, clip: 'none' })).toMatch(/^400 clip: .*has no clip "none"/);
    expect(await refused({ entries: two, clip: 99 })).toMatch(/^400 clip: must be from 0 to 5,/);
    expect(await refused({ entries: two, clip: 0, frame: 1e6 })).toMatch(/^400 frame: must be from 0 to /);
    expect((await request(studio.address, 'GET /api/play')).body.session).toBeNull();
  });
});

describe('a comparison', () => {
  let listener: Listener;
  beforeAll(async () => {
    listener = await Listener.open(studio.address);
  });
  afterAll(() => listener.close());

  test('a comparison plays one entry in each environment, all on the same clip', async () => {
    const session = await compare({
      entries: [{ run: STILL }, { run: STILL, checkpoint: '' }, { run: FALLS }, { run: STILL }],
      clip: 'squat',
    });
    expect(session).toMatchObject({
      run: STILL,
      checkpoint: 'policy.onnx',
      num_envs: 4,
      capacity: 4,
      playing: true,
      pins: [0, 1, 2, 3].map((env) => ({ env, clip: 'squat' })),
      compare: {
        layout: 'beside',
        entries: [
          { run: STILL, checkpoint: 'policy.onnx', env: 0 },
          { run: STILL, checkpoint: '', env: 1 },
          { run: FALLS, checkpoint: 'policy.onnx', env: 2 },
          { run: STILL, checkpoint: 'policy.onnx', env: 3 },
        ],
      },
    });
    const { header } = await listener.nextFrame((frame) => frame.header.owner === 'play');
    expect(header).toMatchObject({ n: 4, focus: 0 });
    const after = await until(
      () => sessionOf(studio.address),
      ({ compare: now }) => now!.entries[2]!.falls > 0 && now!.entries.every(({ errors }) => errors !== null),
    );
    const [first, zero, fallen, last] = after.compare!.entries;
    expect(first!.errors!.body_pos).toBeGreaterThan(0);
    expect(last).toEqual({ ...first, env: 3 });
    expect(zero!.errors!.joint_pos).toBeGreaterThan(0);
    expect(fallen!.episodes).toBe(first!.episodes);
  });

  test('equal entries of a comparison give equal bits, also after a push and a restart', async () => {
    await post('/api/play/push', { speed: 0.8 });
    await until(
      () => recordOf(studio.address, { env: 0 }),
      ({ header }) => header.events!.some(({ kind }) => kind === 'push'),
    );
    await post('/api/play/playing', { playing: false });
    const rows = async (env: number) => {
      const { data, ref, meta, header } = await recordOf(studio.address, { env });
      return { data: [...data], ref: [...ref], meta: [...meta], rows: header.end - header.start };
    };
    const first = await rows(0);
    expect(first.rows).toBeGreaterThan(5);
    expect(await rows(3)).toEqual(first);
    const other = await rows(2);
    expect(other.meta).toEqual(first.meta);
    expect(other.data).not.toEqual(first.data);
    await post('/api/play/restart');
    await post('/api/play/step');
    const again = await rows(0);
    expect(again.rows).toBe(1);
    expect(await rows(3)).toEqual(again);
  });

  test('a comparison selects an entry by its environment, and refuses clips and pushes of one environment', async () => {
    expect((await post('/api/focus', { index: 2 })).body).toEqual({ ok: true, index: 2 });
    expect((await recordOf(studio.address)).header.env).toBe(2);
    expect(await detail('/api/play/clip', { clip: 'squat', env: 1 })).toMatch(/^400 env: not possible in a comparison/);
    expect(await detail('/api/play/push', { speed: 1, env: 1 })).toMatch(/^400 env: not possible in a comparison/);
    expect((await post('/api/play/clip', { clip: 'walk_forward', frame: 5 })).status).toBe(200);
    const { pins, compare: now } = await sessionOf(studio.address);
    expect(pins).toEqual([0, 1, 2, 3].map((env) => ({ env, clip: 'walk_forward' })));
    expect(now!.entries.map(({ falls, episodes }) => falls + episodes)).toEqual([0, 0, 0, 0]);
  });

  test('the layout of a comparison changes without a restart', async () => {
    const entries = [{ run: STILL }, { run: FALLS }];
    const before = await compare({ entries });
    await post('/api/play/playing', { playing: false });
    const yOf = async () => {
      const { header, blob } = await listener.nextFrame((frame) => frame.header.owner === 'play');
      return [blob[header.poses.offset + 1]!, blob[header.poses.offset + 7 * header.nbody + 1]!];
    };
    const after = await compare({ entries, layout: 'overlay' });
    expect(after).toMatchObject({ id: before.id, compare: { layout: 'overlay' } });
    expect(after.sim_time).toBeGreaterThanOrEqual(before.sim_time);
    await post('/api/play/restart');
    const [one, two] = await yOf();
    expect(one).toBe(two);
  });

  test('a play request with a configuration ends the comparison', async () => {
    const session = await configure(studio.address, { num_envs: 1 });
    expect(session).toMatchObject({ run: STILL, num_envs: 1, capacity: 32, compare: null });
    expect(await detail('/api/play/push', { speed: 0.1, env: 0 })).toMatch(/^200/);
  });

  test('the runs of a comparison cannot be deleted', async () => {
    await compare({ entries: [{ run: STILL }, { run: FALLS }] });
    const answer = await fetch(`${studio.address}/api/runs?run=${encodeURIComponent(FALLS)}`, { method: 'DELETE' });
    expect(answer.status).toBe(409);
    await post('/api/play/stop');
  });
});

import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Evaluation } from '../../src/protocol/schemas/evaluation.ts';
import type { PlaySession } from '../../src/protocol/schemas/play.ts';
import { request } from '../support/client.ts';
import { configure, convertAll, recordOf, sessionOf, until } from '../support/play-client.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();
const RUN = 'small/still';
let evaluation: Evaluation;

beforeAll(async () => {
  addSmallRun(path.join(studio.workspace, 'logs/rsl_rl'), (await preparedHumanoid()).facts.joints.length, RUN);
  await studio.start();
  await convertAll(studio.address, 'samples');
  // The pose that the policy holds falls in the walk, and a delay does not help. It survives the first 0.2 s.
  const { body } = await request(studio.address, 'POST /api/evaluate', {
    run: RUN,
    clips: ['walk_forward', 'idle_sway'],
    starts: 1,
    conditions: ['nominal', { name: 'late', delay_steps: 2 }],
    seed: 3,
  });
  const read = () =>
    request(studio.address, `GET /api/evaluations/${body.evaluation}` as 'GET /api/evaluations/{name}');
  const { body: done } = await until(read, ({ body: { status } }) => !['queued', 'running'].includes(status), 90_000);
  expect(done.status).toBe('done');
  evaluation = done;
});

/** Plays a row of the evaluation's list of episodes. @returns the session */
async function worst(row: number): Promise<PlaySession> {
  const { body } = await request(
    studio.address,
    'POST /api/play/worst',
    { evaluation: evaluation.name, row },
    { prefer: 'wait=60' },
  );
  expect(body).toMatchObject({ ok: true, busy: { state: 'done' } });
  return sessionOf(studio.address);
}

test('a failure is played with its checkpoint and condition, from one second before it', async () => {
  const row = evaluation.clips.findIndex(({ clip, condition }) => clip === 'walk_forward' && condition === 'late');
  const { failed } = evaluation.clips[row]!.worst;
  expect(failed).not.toBeNull();
  const session = await worst(row);
  expect(session).toMatchObject({
    run: RUN,
    checkpoint: 'policy.onnx',
    motion: evaluation.protocol.motion,
    num_envs: 1,
    pins: [{ env: 0, clip: 'walk_forward' }],
    compare: null,
    condition: { name: 'late', delay_steps: 2 },
  });
  await request(studio.address, 'POST /api/play/restart', {});
  const record = await until(
    () => recordOf(studio.address, { env: 0 }),
    ({ header }) => header.end > 0,
  );
  // The first row holds the state one step after the start.
  expect(record.meta[1]).toBe(Math.max(0, failed! - 50) + 1);
});

test('changing settings of the session keeps the condition; another checkpoint ends it', async () => {
  await worst(
    evaluation.clips.findIndex(({ worst: { failed }, condition }) => failed !== null && condition === 'late'),
  );
  const kept = await configure(studio.address, { terminations: false, num_envs: 2 });
  expect(kept).toMatchObject({ num_envs: 2, condition: { name: 'late' } });
  const ended = await configure(studio.address, { checkpoint: '' });
  expect(ended).toMatchObject({ checkpoint: '', condition: null });
});

test('unknown evaluations and rows are refused, and rows without a failure', async () => {
  const refusal = async (body: object) => {
    const { status, body: answer } = await request(
      studio.address,
      'POST /api/play/worst' as 'POST /api/play/step',
      body,
    );
    return `${status} ${answer.detail}`;
  };
  expect(await refusal({})).toMatch(/^400 evaluation: /);
  expect(await refusal({ evaluation: 'none', row: 0 })).toMatch(/^400 evaluation: unknown evaluation "none"/);
  const { name, clips } = evaluation;
  expect(await refusal({ evaluation: name, row: clips.length })).toMatch(
    new RegExp(`^400 row: must be from 0 to ${clips.length - 1},`),
  );
  expect(await refusal({ evaluation: name, row: -1 })).toMatch(/^400 row: /);
  // Nobody falls within a tenth of a second.
  const { body } = await request(studio.address, 'POST /api/evaluate', { run: RUN, starts: 1, horizon_s: 0.1 });
  const short = `GET /api/evaluations/${body.evaluation}` as 'GET /api/evaluations/{name}';
  await until(
    () => request(studio.address, short),
    ({ body: { status } }) => status === 'done',
    90_000,
  );
  expect(await refusal({ evaluation: body.evaluation, row: 0 })).toMatch(/^400 row: .*did not fail/);
});

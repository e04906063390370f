import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../support/client.ts';
import { call } from '../support/service-process.ts';
import { addConverted, addExternalTrainer, ended, untilJob, writeSettings } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();
const TASK = 'Wbc-Humanoid';

const launch = (body: object) => request(studio.address, 'POST /api/train/launch', { task: TASK, ...body });
const budget = async (body: object) => {
  const { status, body: reply } = await launch({ ...body, dry_run: true });
  expect(status, reply.detail).toBe(200);
  return reply.budget!;
};

beforeAll(async () => {
  addExternalTrainer(studio.workspace);
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'one', ['squat']);
  await addConverted(studio.address, studio.workspace, 'all', [
    'squat',
    'turn',
    'walk_forward',
    'arm_wave',
    'idle_sway',
  ]);
}, 120_000);
afterAll(async () => {
  for (const { name } of (await request(studio.address, 'GET /api/jobs')).body.jobs)
    await call(studio.address, `/api/jobs/${name}/stop`, {});
});

test('a dry run states the steps, the iterations and the time that a motion needs', async () => {
  const one = await budget({ dataset: 'one' });
  expect(one).toMatchObject({ iterations: 300, env_steps: 300 * 128 * 24 });
  const [low, high] = one.seconds;
  expect(low).toBeGreaterThan(0);
  expect(high).toBeGreaterThan(low);
  expect(high).toBeLessThanOrEqual(240 * 60);
  const all = await budget({ dataset: 'all' });
  expect(all.iterations).toBeGreaterThan(2 * one.iterations);
});

test('an exact number of iterations is used unchanged', async () => {
  const exact = await budget({ dataset: 'all', max_iterations: 7, num_envs: 10 });
  expect(exact).toMatchObject({ iterations: 7, env_steps: 7 * 240 });
});

test('an external trainer has no budget', async () => {
  const { body } = await launch({ dataset: 'one', trainer: 'small', dry_run: true });
  expect(body).toMatchObject({ budget: null, started_from: null, note: null });
});

test('without max_iterations a training continues while its evaluation improves, within the limit; progress never falls', async () => {
  await studio.stop();
  writeSettings(studio.workspace, { train: { max_minutes: 1 } });
  await studio.start();
  const put = await fetch(`${studio.address}/api/presets/short`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ base: TASK, overrides: { agent: { max_iterations: 4 } } }),
  });
  expect(put.status).toBe(200);
  const body = { task: `${TASK}--short`, dataset: 'one', num_envs: 8 };
  expect((await budget(body)).iterations).toBe(4);
  const { body: reply } = await launch(body);
  const seen: number[] = [];
  const job = await untilJob(
    studio.address,
    reply.job!,
    (state) => {
      if (state.progress !== null) seen.push(state.progress);
      return ended(state);
    },
    170_000,
  );
  expect(job, job.log.join('\n')).toMatchObject({ status: 'done', progress: 1 });
  expect(job.params).toMatchObject({ automatic: true, max_iterations: 4 });
  // Four iterations are only 40 % of a training whose motion is not learned by then.
  expect(job.steps).toBeGreaterThan(4);
  expect(job.step).toBe(job.steps);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(job.log.at(-1)).toMatch(/^Evaluation from other starts: [\d.]+ s, [\d.]+ % full, /);
  expect((Date.parse(job.ended!) - Date.parse(job.started!)) / 1e3).toBeLessThan(170);
}, 180_000);

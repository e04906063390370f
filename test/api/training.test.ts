import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMotionNpz } from '../../src/formats/motion-npz.ts';
import { formatMotionNpz } from '../../src/formats/motion-npz-write.ts';
import { convertClip } from '../../src/motion/convert/convert-clip.ts';
import { request } from '../support/client.ts';
import { humanoidClipRobot } from '../support/robots.ts';
import { call } from '../support/service-process.ts';
import { addConverted, addExternalTrainer, ended, untilJob } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

let outside: string;
const TASK = 'Wbc-Humanoid';

beforeAll(async () => {
  outside = addExternalTrainer(studio.workspace);
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'one', ['squat']);
}, 120_000);
afterAll(async () => {
  for (const { name } of (await request(studio.address, 'GET /api/jobs')).body.jobs) await stop(name);
}, 60_000);

const launch = (body: object) => request(studio.address, 'POST /api/train/launch', body);
const small = (more: object = {}) => launch({ task: TASK, dataset: 'one', trainer: 'small', ...more });
const stop = async (name: string) => {
  await call(studio.address, `/api/jobs/${name}/stop`, {});
  return untilJob(studio.address, name, ended);
};
const jobNames = async () => (await request(studio.address, 'GET /api/jobs')).body.jobs.map(({ name }) => name);
const hold = (name: string) => path.join(outside, name);

/** Launches a training with the small trainer. @returns the job's name */
async function started(more: object = {}): Promise<string> {
  const { status, body } = await small(more);
  if (status !== 200) throw new Error(body.detail);
  return body.job!;
}

describe('an invalid launch is refused by field and creates no job', () => {
  const good = { task: TASK, dataset: 'one' };
  const cases: [what: string, body: object, detail: RegExp][] = [
    ['an unknown task', { ...good, task: 'Wbc-Humanoids' }, /^task: .*did you mean "Wbc-Humanoid"/],
    ['an unknown dataset', { ...good, dataset: 'onee' }, /^dataset: .*did you mean "one"/],
    ['a dataset without converted clips', { ...good, dataset: 'samples' }, /^dataset: none of the 6 clips/],
    ['no environments', { ...good, num_envs: 0 }, /^num_envs: /],
    ['half an environment', { ...good, num_envs: 1.5 }, /^num_envs: /],
    ['too many environments', { ...good, num_envs: 1e9 }, /^num_envs: must be an integer from 1 to/],
    ['no iterations', { ...good, max_iterations: 0 }, /^max_iterations: /],
    ['a run name with a slash', { ...good, run_name: 'a/b' }, /^run_name: /],
    ['a run name of dots', { ...good, run_name: 'a..b' }, /^run_name: /],
    ['a long run name', { ...good, run_name: 'x'.repeat(65) }, /^run_name: /],
    ['an unknown logger', { ...good, logger: 'neptune' }, /^logger: /],
    ['wandb with the built-in trainer', { ...good, logger: 'wandb' }, /^logger: .*external/],
    ['an unknown trainer', { ...good, trainer: 'smal' }, /^trainer: .*did you mean "small"/],
    [
      'a trainer that is not installed',
      { ...good, trainer: 'missing' },
      /^trainer: .*"no-such-trainer" is not installed/,
    ],
    ['an unknown launcher', { ...good, launcher: 'gpu' }, /^launcher: .*local/],
    [
      'a checkpoint without its run',
      { ...good, resume_checkpoint: 'model_1.pt' },
      /^resume_checkpoint: requires resume_run/,
    ],
    ['an unknown run', { ...good, resume_run: '../../etc' }, /^resume_run: /],
    ['a seed below zero', { ...good, seed: -1 }, /^seed: /],
    ['an extra that the built-in trainer does not know', { ...good, extra: '--rewards=1' }, /^extra: .*--threads=N/],
    ['an extra with a bad value', { ...good, extra: '--threads=many' }, /^extra: --threads/],
    ['an extra with a NUL', { ...good, trainer: 'small', extra: ['a\0b'] }, /^extra: /],
    [
      'a value for which the trainer has no placeholder',
      { ...good, trainer: 'missing', num_envs: 8 },
      /^num_envs: .*\{num_envs\}/,
    ],
    ['an unknown field', { ...good, iterations: 3 }, /iterations/],
  ];
  test.each(cases)('an invalid launch is refused by field and creates no job: %s', async (_, body, detail) => {
    const before = await jobNames();
    const { status, body: answer } = await launch(body);
    expect([status, answer.detail]).toEqual([400, expect.stringMatching(detail)]);
    expect(await jobNames()).toEqual(before);
  });

  test('a launch of a preset whose module is missing is refused', async () => {
    const preset = { base: TASK, modules: ['calm'], description: '' };
    await call(studio.address, '/api/tasks');
    const folder = path.join(studio.workspace, 'config/humanoid/presets');
    await fetch(`${studio.address}/api/presets/plain`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ base: TASK }),
    });
    writeFileSync(path.join(folder, 'broken.yaml'), JSON.stringify(preset));
    const { status, body } = await launch({ ...good, task: `${TASK}--broken` });
    expect([status, body.detail]).toEqual([400, expect.stringMatching(/^task: .*calm/)]);
    expect((await launch({ ...good, task: `${TASK}--plain`, dry_run: true })).status).toBe(200);
  });
});

test('the list of tasks names trainers and launchers', async () => {
  const { tasks, trainers, launchers } = (await request(studio.address, 'GET /api/tasks')).body;
  expect(tasks[0]).toMatchObject({ name: TASK, preset: null });
  expect(trainers.map(({ name, num_envs, loggers }) => [name, num_envs, loggers])).toEqual([
    ['builtin', null, ['tensorboard', 'none']],
    ['small', 64, ['tensorboard']],
    ['missing', 4096, ['tensorboard']],
  ]);
  expect(trainers[1]!.takes).toEqual(['num_envs', 'max_iterations', 'run_name', 'seed', 'resume', 'extra']);
  expect(launchers).toEqual([{ name: 'local', kind: 'local', label: 'This machine', limit: 1 }]);
});

test('a dry run reports the command and its checks and creates nothing', async () => {
  const before = await jobNames();
  const { body } = await launch({ task: TASK, dataset: 'one', run_name: 'x'.repeat(64), dry_run: true });
  expect(body).toMatchObject({ ok: true, dry_run: true, params: { num_envs: 128, max_iterations: 300, clips: 1 } });
  expect(body).not.toHaveProperty('job');
  expect(body.command).toContain('train');
  const names = ['task', 'dimensions', 'clips', 'steps', 'memory', 'disk'];
  expect(body.checks?.map(({ name, ok }) => [name, ok])).toEqual(names.map((name) => [name, true]));
  expect(body.checks?.find(({ name }) => name === 'dimensions')?.text).toMatch(/actor 100 \(.*joint_pos.*21 actions$/);
  expect(await jobNames()).toEqual(before);
  expect(existsSync(path.join(studio.workspace, 'logs/rsl_rl/wbc_humanoid'))).toBe(false);
});

test('a launch whose clips could not be converted states the reason', async () => {
  const folder = path.join(studio.workspace, 'data/humanoid/short');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'a.csv'), `${'0,'.repeat(27)}nothing\n`);
  writeFileSync(path.join(folder, 'b.csv'), '1,2,3\n');
  await request(studio.address, 'POST /api/data/uploaded');
  const { body } = await request(studio.address, 'POST /api/data/convert', { dataset: 'short' });
  await untilJob(studio.address, body.job!, ended);
  const { detail } = (await launch({ task: TASK, dataset: 'short' })).body;
  expect(detail).toMatch(
    /^dataset: none of the 2 clips of "short" is converted\. Correct what made the conversion fail, and convert again: "a": a\.csv: line 1/,
  );
  expect(detail).toMatch(/[^.] \(1 more conversion failed; see the list of clips\)\.$/);
});

test('a launch with a converted clip whose quaternions are in another order names the clip', async () => {
  const motion = await readMotionNpz(path.join(studio.workspace, 'data/humanoid/one/npz/squat.npz'));
  const { bodyQuatW } = motion;
  for (let at = 0; at < bodyQuatW.length; at += 4) {
    const [w, ...xyz] = bodyQuatW.subarray(at, at + 4);
    bodyQuatW.set([...xyz, w!], at);
  }
  const folder = path.join(studio.workspace, 'data/humanoid/swapped/npz');
  mkdirSync(folder, { recursive: true });
  copyFileSync(path.join(studio.workspace, 'data/humanoid/one/npz/squat.npz'), path.join(folder, 'squat.npz'));
  writeFileSync(path.join(folder, 'turn.npz'), Buffer.concat(formatMotionNpz(motion, '{}')));
  const { status, body } = await launch({ task: TASK, dataset: 'swapped' });
  expect([status, body.detail]).toEqual([
    400,
    expect.stringMatching(/^dataset: clip "turn": body_quat_w contains x y z w/),
  ]);
  const { body: dry } = await launch({ task: TASK, dataset: 'swapped', dry_run: true });
  expect(dry.checks?.find(({ name }) => name === 'clips')).toMatchObject({ ok: false, text: body.detail });
});

test('a clip on the floor is trained with the contacts of all bodies, without a warning', async () => {
  const robot = await humanoidClipRobot();
  const lying = new Float64Array(60 * robot.nq);
  for (let frame = 0; frame < 60; frame += 1)
    lying.set([0, 0, 0.12, Math.SQRT1_2, 0, Math.SQRT1_2, 0, 0.1 * Math.sin(frame / 9)], frame * robot.nq);
  const clip = { fps: 50, frames: 60, rows: lying };
  const { motion } = convertClip(robot, clip, { outputFps: 50, debiasZ: false });
  const folder = path.join(studio.workspace, 'data/humanoid/lying/npz');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'nap.npz'), Buffer.concat(formatMotionNpz(motion, '{}')));
  const { body: dry } = await launch({ task: TASK, dataset: 'lying', dry_run: true });
  expect(dry.checks?.find(({ name }) => name === 'clips')).toMatchObject({
    ok: true,
    text: "1 clip, 1.2 s, agree with the robot's kinematics",
  });
  const { body } = await launch({ task: TASK, dataset: 'lying', num_envs: 2, max_iterations: 1 });
  const order = JSON.parse(
    readFileSync(path.join(studio.workspace, 'jobs', body.job!, 'training.json'), 'utf8'),
  ) as object;
  expect(order).toMatchObject({ config: { sim: { contacts: 'light' } } });
  await stop(body.job!);
});

describe('an external trainer', () => {
  test('an external trainer gets its arguments unchanged, its run is found, and its exit ends the job', async () => {
    const odd = ['$(touch owned)', 'a b', "'; exit 3 #"];
    const name = await started({ run_name: 'mine', seed: 7, extra: odd });
    const job = await untilJob(studio.address, name, ended);
    expect(job).toMatchObject({
      status: 'done',
      exit_code: 0,
      step: 5,
      steps: 5,
      progress: 1,
      error: null,
      task: TASK,
    });
    expect(job).toMatchObject({ trainer: 'small', launcher: 'local', dataset: 'one', kind: 'train' });
    const given = JSON.parse(job.log[0]!.slice('arguments: '.length)) as string[];
    expect(given).toEqual(
      expect.arrayContaining(['--task', TASK, '--num-envs', '64', '--seed=7', '--run-name', 'mine']),
    );
    expect(given.slice(-3)).toEqual(odd);
    expect(readdirSync(outside)).not.toContain('owned');
    // The run lies outside the workspace and is linked into it.
    expect(job.run).toMatch(/^outside\/\d{4}-/);
    const { runs } = (await request(studio.address, 'GET /api/runs')).body;
    expect(runs.find(({ path: run }) => run === job.run)).toMatchObject({ robot: 'humanoid', job: name, task: TASK });
  });

  test('an external trainer that fails makes a failed job with its exit status', async () => {
    const job = await untilJob(studio.address, await started({ extra: '--exit=3' }), ended);
    expect(job).toMatchObject({ status: 'failed', exit_code: 3, signal: null });
    expect(job.error).toContain('exit status 3');
  });

  test('an external trainer that is killed makes a failed job that names the signal', async () => {
    const name = await started({ extra: [`--hold=${hold('never')}`] });
    const { pid } = await untilJob(studio.address, name, ({ step }) => step === 4);
    process.kill(pid!, 'SIGKILL');
    const job = await untilJob(studio.address, name, ended);
    expect(job).toMatchObject({ status: 'failed', signal: 'SIGKILL', step: 4 });
    expect(job.error).toContain('SIGKILL');
  });

  test('trainings over the limit wait; a training stopped while waiting never starts', async () => {
    const first = await started({ extra: [`--hold=${hold('turn')}`] });
    const second = await started();
    const third = await started();
    await untilJob(studio.address, first, ({ step }) => step === 4);
    expect(await call(studio.address, `/api/jobs/${second}`)).toMatchObject({
      status: 'queued',
      pid: null,
      started: null,
    });
    expect(await stop(third)).toMatchObject({ status: 'stopped', started: null, log: [] });
    writeFileSync(hold('turn'), '');
    expect(await untilJob(studio.address, second, ended)).toMatchObject({ status: 'done', exit_code: 0 });
    expect(await call(studio.address, `/api/jobs/${first}`)).toMatchObject({ status: 'done' });
  });

  test('the dataset and the run of a running job cannot be deleted', async () => {
    const name = await started({ extra: [`--hold=${hold('used')}`] });
    const { run } = await untilJob(studio.address, name, (job) => job.run !== null);
    const remove = async (what: string) => (await fetch(`${studio.address}${what}`, { method: 'DELETE' })).status;
    const things = [
      '/api/data/datasets/one',
      '/api/data/datasets/one/clips/squat',
      `/api/runs?run=${run}`,
      `/api/jobs/${name}`,
    ];
    for (const thing of things) expect([thing, await remove(thing)]).toEqual([thing, 409]);
    expect(await stop(name)).toMatchObject({ status: 'stopped' });
    expect(await remove(`/api/jobs/${name}`)).toBe(200);
    const { runs } = (await request(studio.address, 'GET /api/runs')).body;
    expect(runs.map(({ path: listed }) => listed)).toContain(run);
    expect(await remove(`/api/runs?run=${run}`)).toBe(200);
  });
});

describe('curves', () => {
  let name: string;
  beforeAll(async () => {
    name = await started({ max_iterations: 400, extra: [`--hold=${hold('curves')}`] });
    await untilJob(studio.address, name, ({ step }) => step === 399);
  });
  const curves = async (query: Record<string, string>) =>
    (await request(studio.address, 'GET /api/curves', query)).body;

  test('curves of a running job are grouped, named without their group, with gaps for non-finite values', async () => {
    const all = await curves({ job: name });
    expect(all).toMatchObject({ job: name, group: 'all', x: 'iteration', run: expect.stringMatching(/^outside\//) });
    expect(all.series.map(({ tag, group }) => [tag, group])).toEqual([
      ['Curriculum/height', 'all'],
      ['Episode_Reward/survival', 'rewards'],
      ['Loss/value', 'loss'],
      ['Metrics/motion/error_body_pos', 'errors'],
      ['Metrics/motion/sampling_entropy', 'sampling'],
      ['Train/mean_reward', 'train'],
    ]);
    const [loss] = (await curves({ job: name, group: 'loss' })).series;
    expect(loss).toMatchObject({ name: 'value', x: expect.arrayContaining([0, 398]) });
    expect(loss!.y.slice(0, 5)).toEqual([1, 0.5, expect.closeTo(1 / 3, 6), null, 0.2]);
  });

  test('curves by run equal curves by job; with fewer points the extremes stay; `since` drops earlier points', async () => {
    const { run } = await curves({ job: name });
    const [whole] = (await curves({ run: run!, group: 'train' })).series;
    const [few] = (await curves({ run: run!, group: 'train', max_points: '20' })).series;
    expect(whole!.x).toHaveLength(399);
    expect(few!.x.length).toBeLessThanOrEqual(20);
    expect(Math.max(...(few!.y as number[]))).toBe(Math.max(...(whole!.y as number[])));
    const [late] = (await curves({ run: run!, group: 'train', since: '390' })).series;
    expect(late!.x).toEqual([390, 391, 392, 393, 394, 395, 396, 397, 398]);
  });

  test('curves follow the training, and without new points nothing is sent', async () => {
    const ask = (etag = '') =>
      fetch(`${studio.address}/api/curves?job=${name}&group=train`, { headers: { 'if-none-match': etag } });
    const etag = (await ask()).headers.get('etag')!;
    expect((await ask(etag)).status).toBe(304);
    writeFileSync(hold('curves'), '');
    await untilJob(studio.address, name, ended);
    const answer = await ask(etag);
    expect(answer.status).toBe(200);
    const { series } = (await answer.json()) as { series: { x: number[] }[] };
    expect(series[0]!.x.at(-1)).toBe(399);
  });

  test('curves require exactly one of job and run, and it must exist', async () => {
    const status = async (query: string) => (await fetch(`${studio.address}/api/curves?${query}`)).status;
    expect(await status('')).toBe(400);
    expect(await status(`job=${name}&run=outside/x`)).toBe(400);
    const { status: unknown, body } = await request(studio.address, 'GET /api/curves', { job: 'train-one-999' });
    expect([unknown, body.detail]).toEqual([400, expect.stringMatching(/^job: unknown job/)]);
    expect(await status('run=outside/never')).toBe(400);
    expect(await status('job=convert-one-1')).toBe(400);
    expect(await status(`job=${name}&group=losses`)).toBe(400);
  });
});

describe('the built-in trainer', () => {
  test('a run of the built-in trainer can be resumed only with its own task', async () => {
    const { body } = await launch({
      ...{ task: TASK, dataset: 'one', num_envs: 8, max_iterations: 2, run_name: 'short', seed: 3 },
      extra: '--threads=2 --profile builtin',
    });
    expect(body).toMatchObject({
      ok: true,
      run: expect.stringMatching(/^wbc_humanoid\/\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d_short$/),
    });
    const job = await untilJob(studio.address, body.job!, ended, 100_000);
    expect(job).toMatchObject({ status: 'done', exit_code: 0, step: 2, steps: 2, run: body.run, trainer: 'builtin' });
    const { runs } = (await request(studio.address, 'GET /api/runs')).body;
    const run = runs.find(({ path: listed }) => listed === body.run);
    expect(run).toMatchObject({
      format: 'studio',
      robot: 'humanoid',
      task: TASK,
      dataset: 'one',
      job: body.job,
      error: null,
    });
    expect(run!.checkpoints.length).toBeGreaterThan(0);
    const { series } = (await request(studio.address, 'GET /api/curves', { run: body.run!, group: 'loss' })).body;
    expect(series.map(({ tag }) => tag)).toContain('Loss/surrogate');

    const again = { task: TASK, dataset: 'one', resume_run: body.run!, dry_run: true };
    const { body: fits } = await launch(again);
    expect(fits.checks?.find(({ name }) => name === 'resume')).toMatchObject({ ok: true });
    const other = await launch({ ...again, task: `${TASK}-BinaryFailure`, dry_run: false });
    expect([other.status, other.body.detail]).toEqual([
      400,
      expect.stringMatching(/^resume_run: the actor of model_\d+\.pt/),
    ]);
    const none = await launch({ ...again, resume_checkpoint: 'model_77.pt' });
    expect([none.status, none.body.detail]).toEqual([400, expect.stringMatching(/^resume_checkpoint: .*model_77/)]);
    // The order of the launch is kept in the job's folder, independent of later changes of presets and caches.
    const order = JSON.parse(
      readFileSync(path.join(studio.workspace, 'jobs', body.job!, 'training.json'), 'utf8'),
    ) as object;
    expect(order).toMatchObject({ seed: 3, threads: 2, robot: { physicsPath: expect.stringContaining(body.job!) } });
  }, 120_000);
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Job } from '../../src/protocol/schemas/jobs.ts';
import { Listener } from '../support/client.ts';
import { call } from '../support/service-process.ts';
import { addConverted, addExternalTrainer, ended, untilJob, writeSettings } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio({ each: true });

const TASK = 'Wbc-Humanoid';
const trainers = new Set<number>();

afterEach(async () => {
  await studio.stop('SIGKILL');
  for (const pid of trainers) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
  trainers.clear();
});

async function launch(body: object): Promise<string> {
  return (await call<{ job: string }>(studio.address, '/api/train/launch', { task: TASK, dataset: 'one', ...body }))
    .job;
}

test('trainings survive a kill of the service and are found again with progress, log and exit status', async () => {
  const outside = addExternalTrainer(studio.workspace, 2);
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'one', ['squat']);
  const small = { trainer: 'small', max_iterations: 20 };
  const hold = (name: string) => `--hold=${path.join(outside, name)}`;
  const goesOn = await launch({ ...small, extra: [hold('a')] });
  const endsAlone = await launch({ ...small, extra: [hold('b'), '--exit=3'] });
  const waits = await launch({ ...small, extra: ['--exit=0'] });
  const before = await untilJob(studio.address, goesOn, ({ step, run }) => step === 19 && run !== null);
  await untilJob(studio.address, endsAlone, ({ step }) => step === 19);
  for (const name of [goesOn, endsAlone]) trainers.add((await call<Job>(studio.address, `/api/jobs/${name}`)).pid!);
  await studio.stop('SIGKILL');

  // One training ends while the service is down.
  writeFileSync(path.join(outside, 'b'), '');
  const exit = path.join(studio.workspace, 'jobs', endsAlone, 'exit.json');
  while (!existsSync(exit)) await new Promise((resolve) => setTimeout(resolve, 20));
  await studio.start();
  const found = await untilJob(studio.address, goesOn, ({ status }) => status === 'running');
  expect(found).toMatchObject({ pid: before.pid, run: before.run, created: before.created, started: before.started });
  expect(await untilJob(studio.address, goesOn, ({ step }) => step !== null)).toMatchObject({ step: 19, steps: 20 });
  expect(await untilJob(studio.address, endsAlone, ended)).toMatchObject({ status: 'failed', exit_code: 3, step: 20 });
  // The restarted service starts the queued training.
  expect(await untilJob(studio.address, waits, ended)).toMatchObject({ status: 'done', exit_code: 0 });
  writeFileSync(path.join(outside, 'a'), '');
  const job = await untilJob(studio.address, goesOn, ended);
  expect(job).toMatchObject({ status: 'done', exit_code: 0, step: 20, progress: 1 });
  expect(job.log.filter((line) => line.includes('Learning iteration'))).toHaveLength(20);
}, 120_000);

test('the built-in trainer continues without the service and stops with a checkpoint on request', async () => {
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'one', ['squat']);
  const name = await launch({ num_envs: 16, max_iterations: 5000 });
  const { pid } = await untilJob(studio.address, name, ({ step }) => (step ?? 0) >= 1, 100_000);
  trainers.add(pid!);
  await studio.stop('SIGKILL');
  await studio.start();
  const { step } = await untilJob(studio.address, name, (job) => job.step !== null);
  expect((await untilJob(studio.address, name, (job) => job.step! > step!, 100_000)).pid).toBe(pid);
  await call(studio.address, `/api/jobs/${name}/stop`, {});
  const job = await untilJob(studio.address, name, ended, 60_000);
  expect(job).toMatchObject({ status: 'stopped', exit_code: 143, signal: 'SIGTERM', error: null });
  const runs = await call<{ runs: { path: string; checkpoints: { iteration: number }[] }[] }>(
    studio.address,
    '/api/runs',
  );
  const run = runs.runs.find(({ path: listed }) => listed === job.run)!;
  expect(run.checkpoints.at(-1)!.iteration).toBeGreaterThanOrEqual(step!);
}, 240_000);

test('two hundred short trainings at once report their true exit codes while the scene keeps playing', async () => {
  const count = 200;
  writeSettings(studio.workspace, {
    jobs: { local_limit: 8 },
    trainers: {
      quick: { command: ['/bin/sh', '-c', 'echo " Learning iteration 0/1 "; exit $(($1 % 7))', 'sh', '{seed}'] },
    },
  });
  await studio.start();
  await addConverted(studio.address, studio.workspace, 'one', ['squat']);
  await call(studio.address, '/api/data/load', { dataset: 'one', clip: 'squat' });
  const listener = await Listener.open(studio.address);
  try {
    await listener.nextFrame(({ header }) => header.owner === 'data');
    const firstFrame = listener.frames;
    const names = await Promise.all(Array.from({ length: count }, (_, seed) => launch({ trainer: 'quick', seed })));
    expect(new Set(names).size).toBe(count);
    const all = new Map(names.map((name, seed) => [name, seed]));
    let jobs: Job[] = [];
    do {
      jobs = (await call<{ jobs: Job[] }>(studio.address, '/api/jobs')).jobs.filter(({ name }) => all.has(name));
      await new Promise((resolve) => setTimeout(resolve, 200));
    } while (!jobs.every(ended));
    const wrong = jobs.filter(({ name, status, exit_code }) => {
      const code = all.get(name)! % 7;
      return exit_code !== code || status !== (code === 0 ? 'done' : 'failed');
    });
    expect(wrong).toEqual([]);
    expect(jobs).toHaveLength(count);
    // More frames than the one on its way: the scene continued between the launches and the last end.
    expect(listener.frames - firstFrame).toBeGreaterThan(10);
    for (const name of names.slice(0, 3))
      expect(readFileSync(path.join(studio.workspace, 'jobs', name, 'output.log'), 'utf8')).toBe(
        ' Learning iteration 0/1 \n',
      );
  } finally {
    listener.close();
  }
}, 240_000);

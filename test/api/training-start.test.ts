import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatYaml } from '../../src/core/yaml-file.ts';
import type { TrainingOrder } from '../../src/train/training-order.ts';
import { request } from '../support/client.ts';
import { call } from '../support/service-process.ts';
import { addConverted, addExternalTrainer, ended, untilJob } from '../support/training.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();
/** A preset with short episodes, so that the evaluations take little time. */
const TASK = 'Wbc-Humanoid--short';
const EPISODE_S = 2;
const SMALL = { task: TASK, dataset: 'one', num_envs: 8, max_iterations: 2 };

const launch = (body: object) => request(studio.address, 'POST /api/train/launch', body);
const runOf = async (run: string) =>
  (await request(studio.address, 'GET /api/runs')).body.runs.find(({ path: listed }) => listed === run)!;

/** Trains to the end. @returns job and run */
async function trained(body: object) {
  const { status, body: reply } = await launch({ ...SMALL, ...body });
  if (status !== 200) throw new Error(reply.detail);
  const job = await untilJob(studio.address, reply.job!, ended, 120_000);
  expect(job, job.log.join('\n')).toMatchObject({ status: 'done' });
  return { reply, job, run: await runOf(reply.run!) };
}

const scoreFile = (run: string) => path.join(studio.workspace, 'logs/rsl_rl', run, 'evaluations/score.yaml');

/** Gives a run a score, as an evaluation does. */
function writeScore(file: string, tracked: number): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, formatYaml({ tracked_s: tracked, horizon_s: 10, success: 0.9, body_pos: 0.03 }));
}

let first: Awaited<ReturnType<typeof trained>>;
let second: typeof first;

beforeAll(async () => {
  addExternalTrainer(studio.workspace);
  await studio.start();
  const preset = await fetch(`${studio.address}/api/presets/short`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ base: 'Wbc-Humanoid', overrides: { episode_length_s: EPISODE_S } }),
  });
  expect(preset.status).toBe(200);
  await addConverted(studio.address, studio.workspace, 'one', ['squat']);
  const { body } = await launch({ ...SMALL, start_from: 'best', dry_run: true });
  expect(body).toMatchObject({
    started_from: null,
    note: expect.stringMatching(/^starts with new networks: no earlier run/),
  });
  first = await trained({ run_name: 'first' });
  second = await trained({ run_name: 'second', extra: '--profile=task' });
}, 300_000);
afterAll(async () => {
  for (const { name } of (await request(studio.address, 'GET /api/jobs')).body.jobs)
    await call(studio.address, `/api/jobs/${name}/stop`, {});
});

test('a finished training has a score and its duration; without a start, it names none', () => {
  expect(first.reply).toMatchObject({ started_from: null, note: null });
  const { score: own, minutes, ...run } = first.run;
  expect(run).toMatchObject({ started_from: null, unplayable: null });
  expect(own).toMatchObject({ horizon_s: EPISODE_S, by: 'training' });
  expect(own!.tracked_s).toBeGreaterThan(0.2);
  expect(own!.tracked_s).toBeLessThan(EPISODE_S);
  const { started, ended: until } = first.job;
  expect(minutes).toBeGreaterThan(0);
  expect(minutes).toBeLessThanOrEqual((Date.parse(until!) - Date.parse(started!)) / 60e3);
  expect(first.job.log.at(-1)).toMatch(
    new RegExp(`Evaluation from other starts: ${own!.tracked_s.toFixed(2)} s, [\\d.]+ % full, `),
  );
});

test('a long motion gets wide networks; a training that continues with narrow ones keeps them', async () => {
  const robot = path.join(studio.workspace, 'data/humanoid');
  mkdirSync(path.join(robot, 'long'), { recursive: true });
  const rows = readFileSync(path.join(robot, 'samples/squat.csv'), 'utf8').trimEnd().split('\n');
  // A motion that is played forwards and backwards has no jumps.
  const there = [...rows, ...rows.slice(0, -1).reverse()];
  const seconds = rows.length / 50;
  const repeated = Array.from({ length: Math.ceil(35 / seconds) }, () => there).flat();
  writeFileSync(path.join(robot, 'long/squats.csv'), `${repeated.join('\n')}\n`);
  const { body } = await request(studio.address, 'POST /api/data/convert', { dataset: 'long' });
  await untilJob(studio.address, body.job!, ended);
  const hiddenDims = async (dataset: string, more: object) => {
    const { status, body: reply } = await launch({ ...SMALL, dataset, ...more, dry_run: true });
    expect(status, reply.detail).toBe(200);
    expect(reply.checks!.filter(({ ok }) => !ok)).toEqual([]);
    return reply.params!['hidden_dims'];
  };
  expect(await hiddenDims('one', {})).toBe('128-128-64');
  expect(await hiddenDims('long', {})).toBe('256-256-128');
  expect(await hiddenDims('long', { resume_run: first.run.path })).toBe('128-128-64');
  expect(await hiddenDims('long', { start_from: first.run.path })).toBe('128-128-64');
  expect(await hiddenDims('long', { start_from: 'best' })).toBe('128-128-64');
});

test('start "best" uses the run with the highest score whose networks fit, and the new run records it', async () => {
  // The better run must not be chosen: its profile `task` has a wider critic, which does not fit.
  writeScore(scoreFile(second.run.path), 9.9);
  writeScore(scoreFile(first.run.path), 8);
  expect((await runOf(first.run.path)).score).toMatchObject({ tracked_s: 8, by: 'evaluation' });
  const { reply, job, run } = await trained({ run_name: 'third', start_from: 'best' });
  expect(reply).toMatchObject({ started_from: first.run.path, note: null });
  expect(job.params).toMatchObject({ started_from: first.run.path, max_iterations: 2 });
  expect(run.checkpoints.map(({ iteration }) => iteration)).toEqual([0, 1]);
  const order = JSON.parse(readFileSync(path.join(studio.workspace, 'jobs', job.name, 'training.json'), 'utf8')) as {
    start: { run: string };
    resume: null;
  };
  expect(order).toMatchObject({ start: { run: first.run.path }, resume: null });
  expect(run.started_from).toBe(first.run.path);
  expect(job.log.some((line) => line.includes('Started from another run, without noise:'))).toBe(true);
}, 120_000);

test('a training that resumes copied networks is not guided; one that resumes new networks may be', async () => {
  const runs = (await request(studio.address, 'GET /api/runs')).body.runs;
  const third = runs.find(({ path: listed }) => listed.endsWith('_third'))!;
  const guided = (job: string) => {
    const file = path.join(studio.workspace, 'jobs', job, 'training.json');
    const { config } = JSON.parse(readFileSync(file, 'utf8')) as TrainingOrder;
    return config.agent.guided_iterations;
  };
  /** Returns the guided iterations of a training that is stopped at once. */
  const guidedIfResumed = async (run: string) => {
    const { body } = await launch({ ...SMALL, resume_run: run });
    const iterations = guided(body.job!);
    await call(studio.address, `/api/jobs/${body.job!}/stop`, {});
    await untilJob(studio.address, body.job!, ended, 60_000);
    return iterations;
  };
  expect(third.started_from).toBe(first.run.path);
  const fourth = await trained({ resume_run: third.path });
  expect(guided(fourth.job.name)).toBe(0);
  // A run that is resumed again still names the run from which its networks came.
  expect(fourth.run.started_from).toBe(first.run.path);
  expect(await guidedIfResumed(fourth.run.path)).toBe(0);
  expect(await guidedIfResumed(first.run.path)).toBe(40);
}, 240_000);

test('a start from a given run is dry-run with a check that names it', async () => {
  const { body } = await launch({ ...SMALL, start_from: first.run.path, dry_run: true });
  expect(body).toMatchObject({ dry_run: true, started_from: first.run.path, note: null });
  expect(body.checks!.find(({ name }) => name === 'start')).toMatchObject({
    ok: true,
    text: expect.stringContaining(first.run.path),
  });
});

test('the default start is "fresh", with new networks', async () => {
  for (const start of [{}, { start_from: 'fresh' }, { start_from: '' }, { start_from: null }]) {
    const { body } = await launch({ ...SMALL, ...start, dry_run: true });
    expect(body, JSON.stringify(start)).toMatchObject({ started_from: null, note: null });
  }
});

describe('an impossible start is refused', () => {
  const cases: [what: string, body: () => object, detail: RegExp][] = [
    ['an unknown run', () => ({ start_from: 'wbc_humanoid/nowhere' }), /^start_from: unknown run/],
    ['a path outside', () => ({ start_from: '../../etc' }), /^start_from: unknown run/],
    [
      'networks of other widths',
      () => ({ start_from: second.run.path }),
      /^start_from: the critic of model_\d+\.pt in .* has layer widths/,
    ],
    [
      'a start with a run to resume',
      () => ({ start_from: 'best', resume_run: first.run.path }),
      /^start_from: cannot be combined with resume_run/,
    ],
    ['an external trainer', () => ({ trainer: 'small', start_from: 'best' }), /^start_from: the trainer "small"/],
  ];
  test.each(cases)('an impossible start is refused: %s', async (_, body, detail) => {
    const reply = await launch({ ...SMALL, ...body() });
    expect([reply.status, reply.body.detail]).toEqual([400, expect.stringMatching(detail)]);
  });
});

test('only the built-in trainer states that it supports a start', async () => {
  const { trainers } = (await request(studio.address, 'GET /api/tasks')).body;
  expect(trainers.map(({ takes }) => takes.includes('start_from'))).toEqual([true, false, false]);
});

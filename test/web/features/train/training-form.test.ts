import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TrainingForm } from '../../../../web/src/features/train/training-form.ts';
import { TrainingLaunch } from '../../../../web/src/features/train/training-launch.ts';
import { Loadable } from '../../../../web/src/ui/loadable.ts';
import { answering } from '../../answers.ts';
import { deferred } from '../../deferred.ts';

async function formOf(launch: (body: Record<string, unknown>) => unknown, stored = new Map<string, string | null>()) {
  const { call, calls } = answering({
    'GET /api/tasks': () => ({
      tasks: [{ name: 'Wbc-G1' }, { name: 'Wbc-G1--rough' }],
      trainers: [{ name: 'builtin', takes: ['num_envs', 'seed'] }],
      launchers: [],
    }),
    'POST /api/train/launch': ({ body }) => launch(body ?? {}),
  });
  const sets = [
    { name: 'raw', converted: 0, extra: 0 },
    { name: 'ready', converted: 4, extra: 0 },
  ];
  const datasets = new Loadable(async () => ({ robot: 'g1', datasets: sets }) as never);
  const launches = new TrainingLaunch({ call, ownJob: () => {} });
  await Promise.all([datasets.refresh(), launches.choices.refresh()]);
  const [jobs, failures]: string[][] = [[], []];
  const taskToTrain = signal<string | null>(null);
  const datasetToTrain = signal<string | null>(null);
  const preferredDataset = signal<string | null>(null);
  const form = new TrainingForm({
    launches,
    datasets,
    chooseJob: (name) => jobs!.push(name),
    failed: (what) => failures!.push(what),
    converting: () => false,
    taskToTrain,
    datasetToTrain,
    preferredDataset,
    remembered: (key) => stored.get(key) ?? null,
    remember: (key, value) => stored.set(key, value),
  });
  return { form, taskToTrain, datasetToTrain, preferredDataset, calls, jobs, failures };
}

const PASSED = { dry_run: true, checks: [{ name: 'task', ok: true, text: '' }] };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the form starts with the first task and the first dataset that has converted clips', async () => {
  const { form } = await formOf(() => PASSED);
  expect(form.form.value).toMatchObject({ task: 'Wbc-G1', dataset: 'ready', trainer: 'builtin' });
});

test('the form keeps its task and dataset when the page is reloaded', async () => {
  const stored = new Map<string, string | null>();
  const before = await formOf(() => PASSED, stored);
  before.taskToTrain.value = 'Wbc-G1--rough';
  before.form.change({ dataset: 'raw', seed: '7' });
  const { form } = await formOf(() => PASSED, stored);
  expect(form.form.value).toMatchObject({ task: 'Wbc-G1--rough', dataset: 'raw', seed: '' });
});

test('a task sent from Tasks to Train is used once', async () => {
  const { form, taskToTrain } = await formOf(() => PASSED);
  taskToTrain.value = 'Wbc-G1--rough';
  expect([form.form.value.task, taskToTrain.value]).toEqual(['Wbc-G1--rough', null]);
});

test('a dataset sent from Data to Train is selected, also for dry runs', async () => {
  const { form, datasetToTrain, preferredDataset } = await formOf(() => PASSED);
  datasetToTrain.value = 'raw';
  expect([form.form.value.dataset, datasetToTrain.value, preferredDataset.value]).toEqual(['raw', null, 'raw']);
});

test('a training can start once every check of the current form has passed', async () => {
  const { form } = await formOf(() => PASSED);
  const stop = form.startChecking();
  expect(form.isReady.value).toBe(false);
  await vi.advanceTimersByTimeAsync(400);
  expect(form.isReady.value).toBe(true);
  form.change({ numEnvs: 'many' });
  expect(form.isReady.value).toBe(false);
  stop();
});

test('the results of checks of an older form are dropped', async () => {
  const old = deferred<unknown>();
  const replies: unknown[] = [old.promise, PASSED];
  const { form } = await formOf(() => replies.shift());
  const stop = form.startChecking();
  await vi.advanceTimersByTimeAsync(400);
  form.change({ seed: '7' });
  await vi.advanceTimersByTimeAsync(400);
  old.reject(new Error('too late'));
  await vi.advanceTimersByTimeAsync(0);
  expect(form.checked.value).toMatchObject({ error: null, loading: false, reply: PASSED });
  stop();
});

test('a refused form shows the reason, and the next change is checked again', async () => {
  let broken = true;
  const { form } = await formOf(() => {
    if (broken) throw new Error('no converted clips');
    return PASSED;
  });
  const stop = form.startChecking();
  await vi.advanceTimersByTimeAsync(400);
  expect([form.checked.value.error, form.isReady.value]).toEqual(['no converted clips', false]);
  broken = false;
  form.change({ seed: '7' });
  await vi.advanceTimersByTimeAsync(400);
  expect([form.checked.value.error, form.isReady.value]).toEqual([null, true]);
  stop();
});

test('a started training is shown; a training that cannot start is reported and can be tried again', async () => {
  let broken = true;
  const { form, jobs, failures } = await formOf(() => {
    if (broken) throw new Error('the disk is full');
    return { job: 'train-1' };
  });
  await form.startTraining();
  expect([failures, form.starting.value]).toEqual([['The training could not be started'], false]);
  broken = false;
  await form.startTraining();
  expect(jobs).toEqual(['train-1']);
});

test('dry runs use the selected dataset', async () => {
  const { form, preferredDataset } = await formOf(() => PASSED);
  form.change({ dataset: 'raw' });
  expect(preferredDataset.value).toBe('raw');
});

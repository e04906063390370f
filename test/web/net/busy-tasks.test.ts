import { expect, test } from 'vitest';
import type { Busy } from '../../../src/protocol/schemas/busy.ts';
import { BusyTasks } from '../../../web/src/net/busy-tasks.ts';
import { ToastQueue } from '../../../web/src/ui/toast-queue.ts';
import { answering } from '../answers.ts';

const task = (name: string, state: Busy['state'], error: string | null = null): Busy => ({
  task: name,
  label: name,
  state,
  progress: null,
  message: '',
  error,
  by: null,
  started: '2026-01-01T00:00:00Z',
  ended: null,
  result: null,
});

function tasks() {
  const toasts = new ToastQueue();
  const { call } = answering({
    'GET /api/busy': () => ({ active: [task('select-1', 'running')], recent: [task('scan-1', 'done')] }),
  });
  return { busy: new BusyTasks({ call, failed: toasts.failed, toast: toasts.toast }), toasts };
}

test('a slow action ends with its task, whether the end arrives before or after the reply', async () => {
  const { busy } = tasks();
  const later = busy.runSlow('It failed', async () => ({ task: 'load-1' }));
  await Promise.resolve();
  busy.takeBusy(task('load-1', 'running'));
  busy.takeBusy(task('load-1', 'done'));
  expect(await later).toBe(true);

  busy.takeBusy(task('load-2', 'done'));
  expect(await busy.runSlow('It failed', async () => ({ task: 'load-2' }))).toBe(true);
});

test('a failed task and a refused start are reported, a superseded task is not', async () => {
  const { busy, toasts } = tasks();
  busy.takeBusy(task('load-1', 'failed', 'the file is gone'));
  busy.takeBusy(task('load-2', 'superseded'));
  expect(await busy.runSlow('walk could not be loaded', async () => ({ task: 'load-1' }))).toBe(false);
  expect(await busy.runSlow('walk could not be loaded', async () => ({ task: 'load-2' }))).toBe(false);
  expect(await busy.runSlow('No start', () => Promise.reject(new Error('unknown clip')))).toBe(false);
  expect(toasts.toasts.value.map(({ detail }) => detail)).toEqual(['the file is gone', 'unknown clip']);
});

test('running and ended tasks are separate lists, newest first', async () => {
  const { busy } = tasks();
  await busy.refreshBusy();
  busy.takeBusy(task('load-1', 'running'));
  expect(busy.activeTasks.value.map((one) => one.task)).toEqual(['load-1', 'select-1']);
  expect(busy.endedTasks.value.map((one) => one.task)).toEqual(['scan-1']);
});

test.each([
  ['names the task as running', [task('load-1', 'running')]],
  ['was written before the task began', []],
])('a task that ends while the list is read stays ended, although the reply %s', async (_, active) => {
  const toasts = new ToastQueue();
  let answer: (reply: object) => void = () => {};
  const reply = new Promise<object>((resolve) => {
    answer = resolve;
  });
  const { call } = answering({ 'GET /api/busy': () => reply });
  const busy = new BusyTasks({ call, failed: toasts.failed, toast: toasts.toast });
  const read = busy.refreshBusy();
  busy.takeBusy(task('load-1', 'running'));
  busy.takeBusy(task('load-1', 'done'));
  answer({ active, recent: [task('scan-1', 'done')] });
  await read;
  expect(busy.tasks.value.map((one) => [one.task, one.state])).toEqual([
    ['load-1', 'done'],
    ['scan-1', 'done'],
  ]);
  expect(await busy.runSlow('It failed', async () => ({ task: 'load-1' }))).toBe(true);
});

test('a list that is read after a restart of the service replaces ended tasks of the same names', async () => {
  const { busy } = tasks();
  busy.takeBusy(task('select-1', 'done'));
  await busy.refreshBusy();
  expect(busy.activeTasks.value.map((one) => one.task)).toEqual(['select-1']);
});

/** Starts two slow actions, of which only `load-1` was reported, and reads the list of a service. */
async function reconnected(list: { active: Busy[]; recent: Busy[] }) {
  const toasts = new ToastQueue();
  const { call } = answering({ 'GET /api/busy': () => list });
  const busy = new BusyTasks({ call, failed: toasts.failed, toast: toasts.toast });
  const reported = busy.runSlow('walk could not be loaded', async () => ({ task: 'load-1' }));
  const silent = busy.runSlow('No session', async () => ({ task: 'configure-1' }));
  await Promise.resolve();
  busy.takeBusy(task('load-1', 'running'));
  await busy.refreshBusy();
  return { busy, toasts, reported, silent };
}

test('an action that a restarted service does not know ends as failed', async () => {
  const { toasts, reported, silent } = await reconnected({ active: [], recent: [task('scan-1', 'done')] });
  expect(await Promise.all([reported, silent])).toEqual([false, false]);
  expect(toasts.toasts.value.map(({ title }) => title)).toEqual(['walk could not be loaded', 'No session']);
  expect(toasts.toasts.value[0]?.detail).toContain('the service has no record of this action');
});

test('a task of the same name that a restarted service began later does not end the earlier action', async () => {
  const another = { ...task('load-1', 'running'), started: '2026-01-01T00:05:00Z' };
  const { busy, reported } = await reconnected({ active: [another, task('configure-1', 'running')], recent: [] });
  busy.takeBusy({ ...another, state: 'done' });
  expect(await reported).toBe(false);
});

test('an action that still runs after a reconnect is waited for; one that began meanwhile, too', async () => {
  const list = { active: [task('load-1', 'running'), task('configure-1', 'running')], recent: [] };
  const { busy, toasts, reported, silent } = await reconnected(list);
  const read = busy.refreshBusy();
  const later = busy.runSlow('It failed', async () => ({ task: 'scan-9' }));
  await read;
  for (const name of ['load-1', 'configure-1', 'scan-9']) busy.takeBusy(task(name, 'done'));
  expect(await Promise.all([reported, silent, later])).toEqual([true, true, true]);
  expect(toasts.toasts.value).toEqual([]);
});

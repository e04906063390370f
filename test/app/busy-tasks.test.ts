import { beforeEach, describe, expect, test } from 'vitest';
import { BusyTasks, type Progress, type TaskEnd } from '../../src/app/busy-tasks.ts';
import { EventHub } from '../../src/app/event-hub.ts';
import { badInput } from '../../src/core/errors.ts';
import type { Busy } from '../../src/protocol/schemas/busy.ts';

let told: Busy[];
let ends: TaskEnd[];
let busy: BusyTasks;

beforeEach(() => {
  told = [];
  ends = [];
  const hub = new EventHub();
  hub.subscribe((event) => {
    if (event.topic === 'busy') told.push(event.payload);
  });
  busy = new BusyTasks(hub, (end) => ends.push(end));
});

/** Returns work that ends on request and gives access to its progress. */
function held() {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  let progress!: Progress;
  const work = (given: Progress) => {
    progress = given;
    return promise;
  };
  return { work, resolve, reject, progress: () => progress };
}

describe('the life of a task', () => {
  test('the result of a busy task is named when it is done, never for a failed task', async () => {
    const job = held();
    const task = busy.start('import', 'import walks', 'import walks', job.work);
    job.progress().made({ dataset: 'walks' });
    expect(busy.list().active[0]?.result).toBeNull();
    job.resolve();
    expect(await busy.wait(task, 5)).toMatchObject({ state: 'done', result: { dataset: 'walks' } });
    const failing = held();
    const other = busy.start('import', 'import runs', 'import runs', failing.work);
    failing.progress().made({ dataset: 'runs' });
    failing.reject(badInput('source: is gone'));
    expect(await busy.wait(other, 5)).toMatchObject({ state: 'failed', result: null });
  });

  test('start, progress and end are published, and the task moves from active to recent', async () => {
    const job = held();
    const task = busy.start('select', 'select g1', 'robot', job.work);
    expect(task).toBe('select-1');
    job.progress().report('compiling', 0.5);
    job.progress().report('meshes');
    expect(busy.list().active).toHaveLength(1);
    job.resolve();
    const ended = await busy.wait(task, 5);
    expect(ended).toMatchObject({ state: 'done', progress: 1, message: '', error: null });
    expect(Date.parse(ended!.ended!)).toBeGreaterThanOrEqual(Date.parse(ended!.started));
    expect(told.map(({ state, progress }) => [state, progress])).toEqual([
      ['running', null],
      ['running', 0.5],
      ['running', 0.5],
      ['done', 1],
    ]);
    expect(busy.list()).toEqual({ active: [], recent: [ended] });
  });

  test('names of results are published only with the end of a successful task', async () => {
    const made = busy.start('import', 'import', 'a', async (progress) => progress.made({ dataset: 'walks' }));
    expect(await busy.wait(made, 5)).toMatchObject({ state: 'done', result: { dataset: 'walks' } });
    const failing = busy.start('import', 'import', 'b', async (progress) => {
      progress.made({ dataset: 'runs' });
      throw new Error('disk');
    });
    expect(await busy.wait(failing, 5)).toMatchObject({ state: 'failed', result: null });
  });

  test('each start gets a unique task name', () => {
    const names = [1, 2].map(() => busy.start('load', 'load', 'preview', held().work));
    expect(names).toEqual(['load-1', 'load-2']);
    expect(busy.start('select', 'select', 'robot', held().work)).toBe('select-1');
  });

  test('the text of a StudioError is published, a bug only reaches the log', async () => {
    const expected = busy.start('load', 'load a', 'a', () => Promise.reject(badInput('clip: no such clip')));
    const bug = busy.start('load', 'load b', 'b', () => Promise.reject(new TypeError('x is undefined')));
    expect((await busy.wait(expected, 5))?.error).toBe('clip: no such clip');
    expect((await busy.wait(bug, 5))?.error).toBe('internal error: see the service log');
    expect(ends.map(({ label, state }) => [label, state])).toEqual([
      ['load a', 'failed'],
      ['load b', 'failed'],
    ]);
  });

  test('the last 50 ended tasks are kept, newest first', async () => {
    for (let i = 0; i < 60; i++)
      await busy.wait(
        busy.start('scan', 'scan', `${i}`, () => Promise.resolve()),
        5,
      );
    const { recent } = busy.list();
    expect(recent).toHaveLength(50);
    expect(recent[0]?.task).toBe('scan-60');
    expect(recent[49]?.task).toBe('scan-11');
  });
});

describe('a second task on the same subject', () => {
  test('a second task on the same subject aborts the signal of the first, whose progress and end are no longer published', async () => {
    const first = held();
    const one = busy.start('load', 'load a', 'preview', first.work);
    const waiting = busy.wait(one, 5);
    busy.start('load', 'load b', 'preview', held().work);
    expect(first.progress().signal.aborted).toBe(true);
    expect((await waiting)?.state).toBe('superseded');
    const before = told.length;
    first.progress().report('late');
    first.reject(new Error('aborted'));
    await Promise.resolve();
    expect(told).toHaveLength(before);
    expect(ends.map(({ label, state }) => [label, state])).toEqual([['load a', 'superseded']]);
  });

  test('a new task does not affect tasks on other subjects', () => {
    const robot = held();
    busy.start('select', 'select', 'robot', robot.work);
    busy.start('load', 'load', 'preview', held().work);
    expect(robot.progress().signal.aborted).toBe(false);
    expect(busy.list().active).toHaveLength(2);
  });
});

describe('waiting', () => {
  test('waiting for a task returns its current state when the time is over', async () => {
    const task = busy.start('load', 'load', 'preview', held().work);
    expect((await busy.wait(task, 0))?.state).toBe('running');
  });
  test('waiting returns at once for an ended task, and null for an unknown one', async () => {
    const task = busy.start('load', 'load', 'preview', () => Promise.resolve());
    await busy.wait(task, 5);
    expect((await busy.wait(task, 5))?.state).toBe('done');
    expect(await busy.wait('load-99', 5)).toBeNull();
  });
});

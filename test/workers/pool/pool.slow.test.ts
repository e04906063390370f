import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PoolOptions, WorkPool } from '../../../src/workers/pool/pool.ts';

let folder: string;
let pool: WorkPool;
let died: Error[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pool-'));
  died = [];
  pool = open({});
});
afterEach(async () => {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (changed: Partial<PoolOptions>) =>
  new WorkPool({ threads: 2, onError: (error) => died.push(error), ...changed });

function clip(name: string, rows: number): string {
  const file = path.join(folder, name);
  writeFileSync(file, '0,0,0.62,0,0,0,1,0.1,0.2,-0.1,0.3\n'.repeat(rows));
  return file;
}
const order = { columns: 11, jointNames: ['a', 'b', 'c', 'd'], fps: 30 };

test('tasks beyond the number of threads wait; ended tasks are counted, including failed ones', async () => {
  const file = clip('long.csv', 20_000);
  const work = [0, 1, 2, 3, 4].map(() => pool.run('loadClip', file, 'csv', order));
  expect(pool.figures).toMatchObject({ limit: 2, completed: 0 });
  expect(pool.figures.running + pool.figures.queued).toBe(5);
  expect(pool.figures.queued).toBeGreaterThanOrEqual(3);
  const missing = pool.run('loadClip', path.join(folder, 'none.csv'), 'csv', order);
  await expect(missing).rejects.toThrow();
  await Promise.all(work);
  expect(pool.figures).toEqual({
    threads: 2,
    limit: 2,
    running: 0,
    queued: 0,
    completed: 6,
    timeouts: 0,
    outOfMemory: 0,
  });
  expect(died).toEqual([]);
});

test('tasks that run while the pool closes fail because the service shuts down, not because a thread failed', async () => {
  const file = clip('long.csv', 200_000);
  const work = Promise.allSettled([0, 1, 2].map(() => pool.run('loadClip', file, 'csv', order)));
  await expect.poll(() => pool.figures.running).toBe(2);
  await pool.close();
  for (const end of await work)
    expect(end).toMatchObject({
      status: 'rejected',
      reason: { code: 'unavailable', message: 'the service is shutting down' },
    });
  expect(died).toEqual([]);
});

test('a task beyond its wall limit fails alone: its thread is terminated, and waiting tasks run in a new one', async () => {
  // A million rows, counted a hundred thousand times: this takes hours.
  const long = clip('long.csv', 1_000_000);
  const endless = Array.from({ length: 100_000 }, () => ({ path: long, format: 'csv' }));
  const short = clip('short.csv', 3);
  const one = open({ threads: 1, limitS: 12 });
  try {
    const late = one.run('readManyFacts', endless);
    const next = Promise.all([0, 1, 2].map(() => one.run('loadClip', short, 'csv', order)));
    await expect(late).rejects.toMatchObject({
      code: 'unavailable',
      message: 'reading clips timed out after 12 s',
    });
    expect((await next).map(({ frames }) => frames)).toEqual([3, 3, 3]);
    expect(one.figures).toMatchObject({ threads: 1, running: 0, queued: 0, completed: 4, timeouts: 1 });
    expect(died).toEqual([]);
  } finally {
    await one.close();
  }
}, 60_000);

test('a task beyond the memory limit of its thread fails alone, with the limit in the message', async () => {
  // Nested empty dicts, fewer than the pickle reader allows.
  const file = path.join(folder, 'dicts.pkl');
  writeFileSync(file, '}'.repeat(900_000));
  const one = open({ threads: 1, heapMib: 96 });
  try {
    await expect(one.run('loadClip', file, 'pkl', order)).rejects.toMatchObject({
      code: 'bad_input',
      message: 'loading the clip needs more than 96 MiB of memory, which is the limit. Use a smaller file.',
    });
    expect(await one.run('loadClip', clip('short.csv', 3), 'csv', order)).toMatchObject({ frames: 3 });
    expect(one.figures).toMatchObject({ outOfMemory: 1, completed: 2 });
    expect(died).toEqual([]);
  } finally {
    await one.close();
  }
});

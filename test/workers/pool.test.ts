import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WorkPool } from '../../src/workers/pool.ts';

let folder: string;
let pool: WorkPool;
let died: Error[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pool-'));
  died = [];
  pool = new WorkPool(2, (error) => died.push(error));
});
afterEach(async () => {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
});

function clip(name: string, rows: number): string {
  const file = path.join(folder, name);
  writeFileSync(file, '0,0,0.62,0,0,0,1,0.1,0.2,-0.1,0.3\n'.repeat(rows));
  return file;
}
const order = { columns: 11, jointNames: ['a', 'b', 'c', 'd'], fps: 30 };

test('work beyond the threads waits; what has ended is counted, well or not', async () => {
  const file = clip('long.csv', 20_000);
  const work = [0, 1, 2, 3, 4].map(() => pool.run('loadClip', file, 'csv', order));
  expect(pool.figures).toMatchObject({ limit: 2, completed: 0 });
  expect(pool.figures.running + pool.figures.queued).toBe(5);
  expect(pool.figures.queued).toBeGreaterThanOrEqual(3);
  const missing = pool.run('loadClip', path.join(folder, 'none.csv'), 'csv', order);
  await expect(missing).rejects.toThrow();
  await Promise.all(work);
  expect(pool.figures).toEqual({ threads: 2, limit: 2, running: 0, queued: 0, completed: 6 });
  expect(died).toEqual([]);
});

test('what is under way when the pool closes is told that the service ends, not that a thread failed', async () => {
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

import os from 'node:os';
import { workerData } from 'node:worker_threads';
import { StudioError } from '../core/errors.ts';
import type { PoolAnswer, PoolOrder, PoolThread } from './pool.ts';
import { POOL_TASKS } from './pool-tasks.ts';

// On Linux the priority is this thread's own: whoever watches the robot comes before conversions.
if ((workerData as PoolThread).priority === 'low') os.setPriority(0, 10);

export default async function run({ task, args }: PoolOrder): Promise<PoolAnswer> {
  try {
    const perform = (await POOL_TASKS[task]()) as (...args: unknown[]) => unknown;
    return { ok: true, result: await perform(...args) };
  } catch (error) {
    if (error instanceof StudioError) return { ok: false, code: error.code, detail: error.message };
    throw error;
  }
}

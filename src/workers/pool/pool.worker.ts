import os from 'node:os';
import path from 'node:path';
import { workerData } from 'node:worker_threads';
import { StudioError } from '../../core/errors.ts';
import { isRemoved } from '../../core/files/removed.ts';
import type { PoolAnswer, PoolOrder, PoolThread } from './messages.ts';
import { POOL_TASKS } from './pool-tasks.ts';

// On Linux this sets the priority of this thread only: the simulation runs before conversions.
if ((workerData as PoolThread).priority === 'low') os.setPriority(0, 10);

export default async function run({ task, args }: PoolOrder): Promise<PoolAnswer> {
  try {
    const perform = (await load(task)) as (...args: unknown[]) => unknown;
    return { ok: true, result: await perform(...args) };
  } catch (error) {
    if (error instanceof StudioError) return { ok: false, code: error.code, detail: error.message };
    // The file was deleted after the task was queued.
    if (!isRemoved(error)) throw error;
    const file = path.basename((error as NodeJS.ErrnoException).path ?? 'the file');
    return { ok: false, code: 'bad_input', detail: `${file} was deleted before it could be read` };
  }
}

/** Loads the code of a task. @throws unavailable if the installation was replaced since the start, or is damaged */
async function load(task: PoolOrder['task']) {
  try {
    return await POOL_TASKS[task]();
  } catch (error) {
    if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND')
      throw error;
    throw new StudioError(
      'unavailable',
      'the program was replaced while the service was running, or is damaged. Restart the service, or install it again.',
      { cause: error },
    );
  }
}

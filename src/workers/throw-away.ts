import { Worker } from 'node:worker_threads';
import { StudioError } from '../core/errors.ts';
import type { ThreadEntry } from './thread-entry.ts';
import { HEAP_MIB, heapLimits, isOutOfMemory } from './thread-memory.ts';

export interface ThrowAwayOptions {
  /** wall limit, s */
  readonly limitS: number;
  /** what the thread does, for messages: `compiling the model` */
  readonly doing: string;
  readonly signal?: AbortSignal;
}

/** Runs a worker thread for one answer, its first message, and ends it: whatever it did to its heap goes with it.
 *  @throws StudioError unavailable when the limit is over, the signal aborts or the thread dies; bad_input when it runs out
 *  of memory */
export async function runThrowAway<Order, Answer>(
  entry: ThreadEntry,
  order: Order,
  options: ThrowAwayOptions,
): Promise<Answer> {
  const { limitS, doing, signal } = options;
  const { url, execArgv } = entry;
  const worker = new Worker(url, { execArgv, workerData: order, resourceLimits: heapLimits() });
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const fail = (detail: string, cause?: unknown) => reject(new StudioError('unavailable', detail, { cause }));
      onAbort = () => fail(`${doing} was given up`);
      if (signal?.aborted) onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      timer = setTimeout(() => fail(`${doing} took more than ${limitS} s and was given up`), limitS * 1e3);
      worker.once('message', resolve);
      worker.once('error', (error) =>
        isOutOfMemory(error)
          ? reject(
              new StudioError(
                'bad_input',
                `${doing} needs more than ${HEAP_MIB} MiB of memory: the model is too large`,
                {
                  cause: error,
                },
              ),
            )
          : fail(`${doing} ended unexpectedly`, error),
      );
      worker.once('exit', (code) => fail(`${doing} ended unexpectedly (exit ${code})`));
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

import { Worker } from 'node:worker_threads';
import { StudioError } from '../core/errors.ts';
import type { ThreadEntry } from './thread-entry.ts';
import { HEAP_MIB, heapLimits, isOutOfMemory } from './thread-memory.ts';

export interface ThrowAwayOptions {
  /** wall time limit, s */
  readonly limitS: number;
  /** description of the thread's work for messages, such as `compiling the model` */
  readonly doing: string;
  readonly signal?: AbortSignal;
}

/** Runs a worker thread until its first message, which is the answer, and terminates it to free its memory.
 *  @throws StudioError unavailable on a timeout, an abort or a crash; bad_input if it runs out of memory */
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
      onAbort = () => fail(`${doing} was cancelled`);
      if (signal?.aborted) onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      timer = setTimeout(() => fail(`${doing} timed out after ${limitS} s`), limitS * 1e3);
      worker.once('message', resolve);
      worker.once('error', (error) =>
        isOutOfMemory(error)
          ? reject(
              new StudioError(
                'bad_input',
                `${doing} needs more than ${HEAP_MIB} MiB of memory, which is the limit. Use a smaller model.`,
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

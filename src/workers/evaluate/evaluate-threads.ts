import { Worker } from 'node:worker_threads';
import { messageOf } from '../../core/errors.ts';
import type { UnitResult } from '../../evaluate/episode-result.ts';
import { threadEntry } from '../thread-entry.ts';
import { HEAP_MIB, heapLimits, isOutOfMemory } from '../thread-memory.ts';
import type { ToEvaluateThread, UnitAnswer, UnitContent, UnitTask } from './messages.ts';

/** The threads that play units (groups of episodes). They load MuJoCo while the caller reads the clips. */
export class EvaluateThreads {
  readonly #workers: readonly Worker[];
  readonly #signal: AbortSignal;
  /** Fulfilled when all threads have ended. */
  readonly #ended: Promise<unknown>;

  /** @param count number of threads  @param signal aborted: all threads end at once */
  constructor(count: number, signal: AbortSignal) {
    const { url, execArgv } = threadEntry('evaluate', import.meta.url);
    this.#workers = Array.from({ length: count }, () => new Worker(url, { execArgv, resourceLimits: heapLimits() }));
    this.#signal = signal;
    this.#ended = Promise.all(
      this.#workers.map(
        (worker) =>
          new Promise<void>((resolve, reject) => {
            worker.once('error', reject);
            worker.once('exit', (code) =>
              code === 0 || signal.aborted ? resolve() : reject(new Error(`a thread ended with ${code}`)),
            );
          }),
      ),
    );
    this.#ended.catch(() => {}); // the error is thrown by `play`
    signal.addEventListener('abort', this.#stop, { once: true });
  }

  /** Plays units in the order of the list until all are done, then ends the threads.
   *  @throws what `onResult` throws; Error if a thread crashes */
  async play(
    content: UnitContent,
    tasks: readonly UnitTask[],
    onResult: (unit: number, result: UnitResult) => void,
  ): Promise<void> {
    const waiting = [...tasks];
    let missing = tasks.length;
    const done = new Promise<void>((resolve, reject) => {
      if (missing === 0) resolve();
      for (const worker of this.#workers) {
        const next = () => worker.postMessage({ task: waiting.shift() ?? null } satisfies ToEvaluateThread);
        worker.on('message', ({ unit, result }: UnitAnswer) => {
          next(); // The thread plays on while this one writes the result.
          try {
            onResult(unit, result);
          } catch (error) {
            reject(error);
            return;
          }
          missing -= 1;
          if (missing === 0) resolve();
        });
        worker.postMessage({ content } satisfies ToEvaluateThread);
        next();
      }
    });
    try {
      await Promise.race([this.#ended, done]);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      throw new Error(`a thread needs more than ${HEAP_MIB} MiB of memory: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Ends the threads. */
  async end(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop);
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  readonly #stop = () => {
    for (const worker of this.#workers) void worker.terminate();
  };
}

import os from 'node:os';
import { Piscina } from 'piscina';
import { StudioError } from '../core/errors.ts';
import type { ErrorCode } from '../protocol/errors.ts';
import type { PoolTasks } from './pool-tasks.ts';
import { threadEntry } from './thread-entry.ts';

export interface PoolOrder {
  readonly task: keyof PoolTasks;
  readonly args: readonly unknown[];
}

export type PoolAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: ErrorCode; readonly detail: string };

/** `workerData` of a thread of the pool. */
export interface PoolThread {
  /** `low`: whoever watches the robot comes before it */
  readonly priority: 'low' | 'normal';
}

/** Threads for work on files: as many as cores, started when there is work, at a lower priority. */
export class WorkPool {
  readonly #piscina: Piscina;
  #given = 0;
  #ended = 0;
  #closing = false;

  /** @param threads 0: as many as the machine has cores @param onError hears of threads that died
   *  @param priority `normal` for little work that somebody waits for */
  constructor(threads: number, onError: (error: Error) => void, priority: PoolThread['priority'] = 'low') {
    const { url, execArgv } = threadEntry('pool', import.meta.url);
    this.#piscina = new Piscina({
      filename: url.href,
      execArgv,
      workerData: { priority } satisfies PoolThread,
      minThreads: 0,
      maxThreads: threads === 0 ? os.availableParallelism() : threads,
      idleTimeout: 30_000,
    });
    // A thread that dies fails the task it had, which is told to its caller; without a listener it would end the service.
    this.#piscina.on('error', onError);
  }

  /** Most threads at work at a time. */
  get threads(): number {
    return this.#piscina.options.maxThreads;
  }

  /** Tasks waiting for a thread. */
  get queued(): number {
    return this.#piscina.queueSize;
  }

  /** @returns `threads`: alive now; `completed`: since the start, well or not */
  get figures() {
    const queued = this.#piscina.queueSize;
    return {
      threads: this.#piscina.threads.length,
      limit: this.#piscina.options.maxThreads,
      running: this.#given - this.#ended - queued,
      queued,
      completed: this.#ended,
    };
  }

  /** Runs a task in a thread of the pool. Results cross as structured clones; shared memory is not copied.
   *  @throws StudioError as the task throws it; unavailable where the pool is closed meanwhile */
  async run<T extends keyof PoolTasks>(
    task: T,
    ...args: Parameters<PoolTasks[T]>
  ): Promise<Awaited<ReturnType<PoolTasks[T]>>> {
    this.#given += 1;
    let answer: PoolAnswer;
    try {
      answer = (await this.#piscina.run({ task, args } satisfies PoolOrder)) as PoolAnswer;
    } catch (error) {
      if (!this.#closing) throw error;
      throw new StudioError('unavailable', 'the service is shutting down', { cause: error });
    } finally {
      this.#ended += 1;
    }
    if (!answer.ok) throw new StudioError(answer.code, answer.detail);
    return answer.result as Awaited<ReturnType<PoolTasks[T]>>;
  }

  /** Ends the threads with what they do: those who wait for it are told that the service is shutting down. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#piscina.destroy();
  }
}

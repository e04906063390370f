import { setMaxListeners } from 'node:events';
import os from 'node:os';
import { Piscina } from 'piscina';
import { StudioError } from '../../core/errors.ts';
import { Slots } from '../../core/slots.ts';
import { threadEntry } from '../thread-entry.ts';
import { HEAP_MIB, heapLimits, isOutOfMemory } from '../thread-memory.ts';
import type { PoolAnswer, PoolOrder, PoolThread } from './messages.ts';
import { TASK_LIMITS, type TaskLimit } from './pool-limits.ts';
import type { PoolTasks } from './pool-tasks.ts';

export interface PoolOptions {
  /** 0: one per core */
  readonly threads: number;
  /** number of threads that start at once and stay; default 0: all start on demand */
  readonly least?: number;
  /** called for a thread that crashed */
  readonly onError: (error: Error) => void;
  /** priority of the threads; `normal` for short tasks that a request waits for */
  readonly priority?: PoolThread['priority'];
  /** one wall time limit for all tasks instead of `TASK_LIMITS`, s */
  readonly limitS?: number;
  /** maximum JS heap of a thread, MiB */
  readonly heapMib?: number;
}

/** A task exceeded its time or memory limit and was terminated with its thread. */
export class TaskLimitError extends StudioError {}

/** Threads for work on files, by default started on demand and at low priority. A task that exceeds its time or memory
 *  limit fails and its thread is terminated; waiting tasks continue in a new thread. */
export class WorkPool {
  readonly #piscina: Piscina;
  readonly #options: PoolOptions;
  /** Limits the tasks given to Piscina to the number of threads, because tasks in Piscina's own queue are lost if a
   *  thread ends. */
  readonly #slots: Slots;
  readonly #closing = new AbortController();
  #given = 0;
  #running = 0;
  #ended = 0;
  #timeouts = 0;
  #outOfMemory = 0;

  constructor(options: PoolOptions) {
    const { url, execArgv } = threadEntry('pool', import.meta.url);
    const maxThreads = options.threads === 0 ? os.availableParallelism() : options.threads;
    this.#options = options;
    this.#slots = new Slots(maxThreads);
    // Every waiting task adds a listener, so thousands of listeners are not a leak.
    setMaxListeners(0, this.#closing.signal);
    this.#piscina = new Piscina({
      filename: url.href,
      execArgv,
      workerData: { priority: options.priority ?? 'low' } satisfies PoolThread,
      resourceLimits: heapLimits(options.heapMib),
      minThreads: options.least ?? 0,
      maxThreads,
      idleTimeout: 30_000,
    });
    // A crashed thread rejects its task. Without this listener the event would also end the service.
    this.#piscina.on('error', options.onError);
  }

  /** Largest number of threads. */
  get threads(): number {
    return this.#piscina.options.maxThreads;
  }

  /** Number of tasks that wait for a thread. */
  get queued(): number {
    return this.#given - this.#ended - this.#running;
  }

  /** Current counts: `threads`, `limit`, `running`, `queued`. Counts since the start: `completed` includes failed
   *  tasks; `timeouts` and `outOfMemory` are the tasks terminated at a limit. */
  get figures() {
    return {
      threads: this.#piscina.threads.length,
      limit: this.#piscina.options.maxThreads,
      running: this.#running,
      queued: this.queued,
      completed: this.#ended,
      timeouts: this.#timeouts,
      outOfMemory: this.#outOfMemory,
    };
  }

  /** Runs a task in a pool thread. Arguments and results are structured clones; shared memory is not copied.
   *  @throws StudioError of the task; unavailable if the pool closes; TaskLimitError if the task exceeds its time or
   *  memory limit */
  async run<T extends keyof PoolTasks>(
    task: T,
    ...args: Parameters<PoolTasks[T]>
  ): Promise<Awaited<ReturnType<PoolTasks[T]>>> {
    const { signal } = this.#closing;
    this.#given += 1;
    let answer: PoolAnswer;
    try {
      answer = await this.#slots.use(() => this.#runNow(task, args), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new StudioError('unavailable', 'the service is shutting down', { cause: error });
    } finally {
      this.#ended += 1;
    }
    if (!answer.ok) throw new StudioError(answer.code, answer.detail);
    return answer.result as Awaited<ReturnType<PoolTasks[T]>>;
  }

  /** Terminates the threads. Running and waiting tasks fail with `unavailable`. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#piscina.destroy();
  }

  async #runNow<T extends keyof PoolTasks>(task: T, args: Parameters<PoolTasks[T]>): Promise<PoolAnswer> {
    const { doing, seconds }: TaskLimit<T> = TASK_LIMITS[task];
    const limitS = this.#options.limitS ?? seconds(...args);
    const expiry = new AbortController();
    const timer = setTimeout(() => expiry.abort(), limitS * 1e3);
    this.#running += 1;
    try {
      return (await this.#piscina.run({ task, args } satisfies PoolOrder, { signal: expiry.signal })) as PoolAnswer;
    } catch (error) {
      if (expiry.signal.aborted) {
        this.#timeouts += 1;
        throw new TaskLimitError('unavailable', `${doing} timed out after ${limitS} s`, {
          cause: error,
        });
      }
      if (!isOutOfMemory(error)) throw error;
      this.#outOfMemory += 1;
      const heap = this.#options.heapMib ?? HEAP_MIB;
      throw new TaskLimitError(
        'bad_input',
        `${doing} needs more than ${heap} MiB of memory, which is the limit. Use a smaller file.`,
        {
          cause: error,
        },
      );
    } finally {
      clearTimeout(timer);
      this.#running -= 1;
    }
  }
}

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
  /** 0: as many as the machine has cores */
  readonly threads: number;
  /** hears of threads that died */
  readonly onError: (error: Error) => void;
  /** `normal` for little work that a request waits for */
  readonly priority?: PoolThread['priority'];
  /** wall limit of every task instead of its own, s */
  readonly limitS?: number;
  /** JS heap of a thread, MiB */
  readonly heapMib?: number;
}

/** A task took more than it may: its thread ended with it. */
export class TaskLimitError extends StudioError {}

/** Threads for work on files: as many as cores, started when there is work, at a lower priority. A task that takes too long
 *  or too much memory ends its thread and fails alone; those that wait go on in a new one. */
export class WorkPool {
  readonly #piscina: Piscina;
  readonly #options: PoolOptions;
  /** Piscina is given no more than its threads can take: what waits in its own queue is lost with a thread that ends. */
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
    // Every task that waits listens to it: thousands are no leak.
    setMaxListeners(0, this.#closing.signal);
    this.#piscina = new Piscina({
      filename: url.href,
      execArgv,
      workerData: { priority: options.priority ?? 'low' } satisfies PoolThread,
      resourceLimits: heapLimits(options.heapMib),
      minThreads: 0,
      maxThreads,
      idleTimeout: 30_000,
    });
    // A thread that dies fails the task it had, which its caller hears of; without a listener it would end the service.
    this.#piscina.on('error', options.onError);
  }

  /** Most threads at work at a time. */
  get threads(): number {
    return this.#piscina.options.maxThreads;
  }

  /** Tasks waiting for a thread. */
  get queued(): number {
    return this.#given - this.#ended - this.#running;
  }

  /** @returns `threads`: alive now; the others since the start: `completed`, well or not, `timeouts` and `outOfMemory` of
   *  them by what ended them */
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

  /** Runs a task in a thread of the pool. Results cross as structured clones; shared memory is not copied.
   *  @throws StudioError as the task throws it; unavailable where the pool is closed meanwhile; TaskLimitError where it
   *  took more time or memory than a task of its kind may */
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

  /** Ends the threads with what they do: their callers hear that the service is shutting down. */
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
        throw new TaskLimitError('unavailable', `${doing} took more than ${limitS} s and was given up`, {
          cause: error,
        });
      }
      if (!isOutOfMemory(error)) throw error;
      this.#outOfMemory += 1;
      const heap = this.#options.heapMib ?? HEAP_MIB;
      throw new TaskLimitError('bad_input', `${doing} needs more than ${heap} MiB of memory: the file is too large`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
      this.#running -= 1;
    }
  }
}

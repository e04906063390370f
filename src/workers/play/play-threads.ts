import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { StudioError } from '../../core/errors.ts';
import type { PlayCommand, PlayEvent, PlayPlan, PlayShape } from '../../play/plan.ts';
import { createPlayMemory, type PlayMemory, playSizes } from '../../play/play-memory.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import { threadEntry } from '../thread-entry.ts';
import { heapLimits, isOutOfMemory } from '../thread-memory.ts';
import type { FromShard, ShardOrder, ToShard } from './messages.ts';

export interface PlayThreadsListener {
  /** Events of recorded environments. */
  events(events: readonly PlayEvent[]): void;
  warning(message: string): void;
  /** A thread crashed or failed: the session has ended. */
  failed(error: Error): void;
}

/** The threads of one play session. They start and end with it, so all their memory is freed at its end. */
export class PlayThreads {
  readonly memory: PlayMemory;
  readonly #shapes: readonly PlayShape[];
  readonly #workers: readonly Worker[];

  private constructor(workers: readonly Worker[], memory: PlayMemory, shapes: readonly PlayShape[]) {
    this.#workers = workers;
    this.memory = memory;
    this.#shapes = shapes;
  }

  /** shape of the first environment; also that of all others, unless policies are compared */
  get shape(): PlayShape {
    return this.#shapes[0]!;
  }

  shapeOf(env: number): PlayShape {
    return this.#shapes[env] ?? this.shape;
  }

  /** Builds the environments of a session in `count` threads.
   *  @throws StudioError bad_input for an inconsistent plan, unavailable if a thread crashes or the signal aborts; all
   *  threads are then terminated */
  static async start(
    plan: PlayPlan,
    count: number,
    listener: PlayThreadsListener,
    signal: AbortSignal,
  ): Promise<PlayThreads> {
    const memory = createPlayMemory(playSizes(plan));
    const { url, execArgv } = threadEntry('play-shard', import.meta.url);
    const workers = Array.from({ length: count }, (_, index) => {
      const order: ShardOrder = { plan, part: { index, count }, buffer: memory.buffer };
      return new Worker(url, { execArgv, workerData: order, resourceLimits: heapLimits() });
    });
    let onAbort = () => {};
    const gone = new Promise<never>((_, reject) => {
      onAbort = () => reject(new StudioError('unavailable', 'building the session was cancelled'));
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
    });
    const state = { isReady: false, isOver: false };
    try {
      const shapes = await Promise.race([
        Promise.all(workers.map((worker) => readyShapes(worker, listener, state))),
        gone,
      ]);
      state.isReady = true;
      return new PlayThreads(workers, memory, shapes[0]!);
    } catch (error) {
      state.isOver = true;
      await Promise.all(workers.map((worker) => worker.terminate()));
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  get count(): number {
    return this.#workers.length;
  }

  /** Creates a port to each thread. The receiver of the ports then controls the speed of the session. */
  connect(): MessagePort[] {
    return this.#workers.map((worker) => {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ type: 'attach', port: port2 } satisfies ToShard, [port2]);
      return port1;
    });
  }

  /** Applies a change in all threads, without waiting for it. */
  apply(command: PlayCommand): void {
    for (const worker of this.#workers) worker.postMessage({ type: 'apply', command } satisfies ToShard);
  }

  async terminate(): Promise<void> {
    for (const worker of this.#workers) worker.removeAllListeners();
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** Waits until a thread has built its environments. Its later messages go to the listener. */
function readyShapes(
  worker: Worker,
  listener: PlayThreadsListener,
  state: { readonly isReady: boolean; isOver: boolean },
): Promise<readonly PlayShape[]> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error);
      if (!state.isReady || state.isOver) return;
      state.isOver = true;
      listener.failed(error);
    };
    worker.on('message', (message: FromShard) => {
      switch (message.type) {
        case 'ready':
          resolve(message.shapes);
          break;
        case 'events':
          listener.events(message.events);
          break;
        case 'warning':
          listener.warning(message.message);
          break;
        case 'failed':
          fail(errorOf(message.code, message.detail));
          break;
      }
    });
    worker.on('error', (error) => fail(died(error)));
    worker.on('exit', (code) => fail(died(new Error(`exit ${code}`))));
  });
}

function died(cause: unknown): StudioError {
  if (isOutOfMemory(cause))
    return new StudioError('unavailable', 'the session ran out of memory. Use fewer environments.', { cause });
  return new StudioError('unavailable', 'a thread of the session crashed', { cause });
}

function errorOf(code: ErrorCode, detail: string): Error {
  return code === 'internal' ? new Error(detail) : new StudioError(code, detail);
}

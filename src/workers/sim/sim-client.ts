import { type MessagePort, Worker } from 'node:worker_threads';
import { StudioError, unreachable } from '../../core/errors.ts';
import {
  acknowledgeWake,
  type FrameFeed,
  type FrameRing,
  type FrameVisitor,
  nextSeq,
  openFrameRing,
  readLatest,
} from '../../core/frame-ring.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { Transport } from '../../scene/playback.ts';
import { threadEntry } from '../thread-entry.ts';
import { heapLimits } from '../thread-memory.ts';
import type { FromSim, SimCommand, SimSettings, ToSim } from './messages.ts';

/** Events of the sim worker that do not answer a command. */
export interface SimListener {
  /** A preview without loop has reached its end. */
  playedOut(transport: Transport): void;
  warning(message: string): void;
  /** The worker crashed and every pending call failed. A new worker is starting with an empty scene. */
  crashed(error: Error): void;
}

interface Pending {
  resolve(transport: Transport | null): void;
  reject(error: Error): void;
}

/** Client of the sim worker in the main thread: typed commands in, frames out. Replaces a crashed worker. */
export class SimClient implements FrameFeed {
  readonly #fps: number;
  readonly #listener: SimListener;
  readonly #frameListeners = new Set<() => void>();
  readonly #ringListeners = new Set<(ring: FrameRing) => void>();
  readonly #pending = new Map<number, Pending>();
  #worker: Worker;
  #ring: FrameRing | null = null;
  #lastFrame = 0;
  #seq = 0;
  #restarts = 0;
  #closing = false;
  #wasReady = false;
  #ready: Promise<void>;

  constructor(fps: number, listener: SimListener) {
    this.#fps = fps;
    this.#listener = listener;
    [this.#worker, this.#ready] = this.#start();
  }

  /** Resolves when the worker has loaded MuJoCo. Rejects if the first worker cannot load it; this worker is not
   *  replaced. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  onFrame(listener: () => void): () => void {
    this.#frameListeners.add(listener);
    return () => this.#frameListeners.delete(listener);
  }

  /** The ring buffer of the frames, for another thread that reads them; null while no worker has one. */
  get ring(): FrameRing | null {
    return this.#ring;
  }

  /** Calls `listener` when the ring buffer is replaced. @returns a function that removes the listener */
  onRing(listener: (ring: FrameRing) => void): () => void {
    this.#ringListeners.add(listener);
    return () => this.#ringListeners.delete(listener);
  }

  readLatest(after: number, visit: FrameVisitor): number {
    return this.#ring ? readLatest(this.#ring, after, visit) : after;
  }

  /** Sends a command and waits until it is applied.
   *  @param transfer ports in the command, which move to the worker
   *  @returns state of the preview after the command; null for commands without a preview
   *  @throws StudioError of the worker; `unavailable` if it crashes */
  call(command: SimCommand, transfer: readonly MessagePort[] = []): Promise<Transport | null> {
    const seq = ++this.#seq;
    return new Promise((resolve, reject) => {
      if (this.#closing) {
        reject(new StudioError('unavailable', 'the service is shutting down'));
        return;
      }
      this.#pending.set(seq, { resolve, reject });
      this.#worker.postMessage({ ...command, seq } satisfies ToSim, transfer);
    });
  }

  /** Number of published frames and of replaced workers since the start. */
  get figures(): { readonly frames: number; readonly restarts: number } {
    return { frames: this.#ring ? nextSeq(this.#ring) - 1 : this.#lastFrame, restarts: this.#restarts };
  }

  /** Terminates the worker, with the same effect as a crash: a new one replaces it. */
  async terminateWorker(): Promise<void> {
    await this.#worker.terminate();
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#failPending(new StudioError('unavailable', 'the service is shutting down'));
    await this.#worker.terminate();
  }

  #start(): [Worker, Promise<void>] {
    const { url, execArgv } = threadEntry('sim', import.meta.url);
    const worker = new Worker(url, {
      execArgv,
      resourceLimits: heapLimits(),
      workerData: { fps: this.#fps, seq: this.#lastFrame } satisfies SimSettings,
    });
    let cause = new Error('the simulation thread ended');
    worker.on('error', (error) => {
      cause = error instanceof Error ? error : new Error(String(error));
    });
    const ready = new Promise<void>((resolve, reject) => {
      worker.once('exit', () => reject(startError(cause)));
      worker.on('message', (message: FromSim) => {
        if (message.type === 'ready') {
          this.#wasReady = true;
          resolve();
        } else this.#receive(message);
      });
    });
    ready.catch(() => {}); // The error is reported to callers that await `ready`. Without such a caller, it must not end the process.
    worker.on('exit', () => this.#exited(cause));
    return [worker, ready];
  }

  #exited(cause: Error): void {
    if (this.#closing) return;
    if (!this.#wasReady) {
      this.#failPending(startError(cause));
      return;
    }
    this.#failPending(new StudioError('unavailable', 'the simulation thread ended and is being restarted', { cause }));
    this.#lastFrame = this.#ring ? readLatest(this.#ring, this.#lastFrame, () => {}) : this.#lastFrame;
    this.#ring = null;
    this.#restarts += 1;
    [this.#worker, this.#ready] = this.#start();
    this.#listener.crashed(cause);
  }

  #failPending(error: Error): void {
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }

  #receive(message: Exclude<FromSim, { type: 'ready' }>): void {
    switch (message.type) {
      case 'wake':
        if (this.#ring) acknowledgeWake(this.#ring);
        for (const listener of this.#frameListeners) listener();
        break;
      case 'ring':
        this.#ring = openFrameRing(message.buffer);
        for (const listener of this.#ringListeners) listener(this.#ring);
        break;
      case 'done':
        this.#pending.get(message.seq)?.resolve(message.transport);
        this.#pending.delete(message.seq);
        break;
      case 'failed':
        this.#pending.get(message.seq)?.reject(errorOf(message.code, message.detail));
        this.#pending.delete(message.seq);
        break;
      case 'played-out':
        this.#listener.playedOut(message.transport);
        break;
      case 'warning':
        this.#listener.warning(message.message);
        break;
      default:
        unreachable(message);
    }
  }
}

/** Describes why MuJoCo did not load, with the remedy. */
function startError(cause: Error): StudioError {
  const text = cause.message
    .split('\n')[0]!
    .replace(/^Aborted\((?:Error: )?(.*)\)$/, '$1')
    .replace(/^ENOENT: no such file or directory, open '(.*)'$/, '$1 is missing');
  const { code } = cause as NodeJS.ErrnoException;
  const remedy =
    code === 'ERR_WORKER_OUT_OF_MEMORY' || /memory/i.test(cause.message)
      ? 'Give the process more memory: raise the limit of its container, ulimit -v or --max-old-space-size.'
      : 'Install motion-studio again; in a clone, delete the folder node_modules and run npm start.';
  return new StudioError('unavailable', `the simulation cannot start: ${text}. ${remedy}`, { cause });
}

/** Creates the error for a failed command. An `internal` error is a bug: as a plain Error its text goes to the log, not
 *  to a client. */
function errorOf(code: ErrorCode, detail: string): Error {
  return code === 'internal' ? new Error(detail) : new StudioError(code, detail);
}

import { Worker } from 'node:worker_threads';
import { StudioError } from '../../core/errors.ts';
import { type FrameRing, wakeRecording } from '../../core/frame-ring.ts';
import type { RecordingEnd } from '../../recording/recorded.ts';
import type { SimClient } from '../sim/sim-client.ts';
import { threadEntry } from '../thread-entry.ts';
import { heapLimits } from '../thread-memory.ts';
import type { FromRecording, RecordingThreadOrder, ToRecording } from './messages.ts';

export interface RecordingListener {
  /** Called about once a second. */
  progress(bytes: number): void;
  /** The recording has ended and its file is complete. */
  ended(end: RecordingEnd, bytes: number): void;
  /** The thread crashed. Its file is readable up to the last complete chunk. */
  crashed(error: Error): void;
}

/** The thread of one recording, seen from the main thread. */
export class RecordingThread {
  readonly #worker: Worker;
  readonly #endRings: () => void;
  #ring: FrameRing;

  private constructor(worker: Worker, sim: SimClient, ring: FrameRing) {
    this.#worker = worker;
    this.#ring = ring;
    this.#endRings = sim.onRing((next) => {
      const former = this.#ring;
      this.#ring = next;
      worker.postMessage({ type: 'ring', buffer: next.buffer } satisfies ToRecording);
      wakeRecording(former);
    });
  }

  /** Starts a recording. @throws bad_input for a taken name, disk_full, unavailable without a scene */
  static start(
    sim: SimClient,
    order: Omit<RecordingThreadOrder, 'ring'>,
    listener: RecordingListener,
  ): Promise<RecordingThread> {
    const { ring } = sim;
    if (!ring) throw new StudioError('unavailable', 'the simulation thread is being restarted. Try again.');
    const { url, execArgv } = threadEntry('recording', import.meta.url);
    const worker = new Worker(url, {
      execArgv,
      resourceLimits: heapLimits(),
      workerData: { ...order, ring: ring.buffer } satisfies RecordingThreadOrder,
    });
    const thread = new RecordingThread(worker, sim, ring);
    let isOver = false;
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        thread.#endRings();
        reject(error);
        if (!isOver) listener.crashed(error);
        isOver = true;
      };
      worker.on('message', (message: FromRecording) => {
        if (message.type === 'started') resolve(thread);
        else if (message.type === 'progress') listener.progress(message.bytes);
        else if (message.type === 'failed') {
          fail(message.code === 'internal' ? new Error(message.detail) : new StudioError(message.code, message.detail));
        } else {
          isOver = true;
          thread.#endRings();
          listener.ended(message.end, message.bytes);
        }
      });
      worker.on('error', fail);
      worker.on('exit', () => {
        if (!isOver) fail(new Error('the recording thread ended'));
      });
    });
  }

  send(message: ToRecording): void {
    this.#worker.postMessage(message);
    if (message.type === 'stop') wakeRecording(this.#ring);
  }

  async terminate(): Promise<void> {
    this.#worker.removeAllListeners();
    this.#endRings();
    await this.#worker.terminate();
  }
}

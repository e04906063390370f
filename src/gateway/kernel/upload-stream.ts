import { badInput, StudioError } from '../../core/errors.ts';
import type { TransportResponse } from '../transport/transport.ts';

/** Bytes that may wait for the reader before the socket is told to stop. */
const HIGH_BYTES = 1 << 20;
const LOW_BYTES = 1 << 18;
/** What a chunk takes beside its bytes; a client may send chunks of one byte. */
const CHUNK_BYTES = 256;

const FINISHED = badInput('the upload was answered before its end');

/** The body of an upload, chunk by chunk, in order; the socket waits while the reader is behind.
 *  Reading throws `too_large` beyond the limit and `bad_input` when the client goes before the end. */
export class UploadStream implements AsyncIterable<Uint8Array> {
  readonly #response: TransportResponse;
  readonly #limitBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #waitingBytes = 0;
  #paused = false;
  #done = false;
  #error: Error | null = null;
  #wake: (() => void) | null = null;
  /** bytes received so far */
  received = 0;

  /** Listens at once; within the handler's synchronous part.
   *  @param onEnd told when nothing more will come */
  constructor(response: TransportResponse, limitBytes: number, onEnd: () => void) {
    this.#response = response;
    this.#limitBytes = limitBytes;
    response.onData((chunk, isLast) => {
      // What was on its way when the stream was cut is of no use.
      if (this.#error !== null) return;
      this.#take(chunk);
      if (!isLast || this.#error !== null) return;
      this.#done = true;
      this.#notify();
      onEnd();
    });
  }

  /** Ends the stream before its end; the reader sees `error`. */
  cut(error: Error): void {
    if (this.#done || this.#error !== null) return;
    this.#error = error;
    this.#chunks.length = 0;
    this.#notify();
  }

  /** The client has gone: the socket is not to be touched any more. */
  abandon(): void {
    this.#paused = false;
    this.cut(badInput('the upload was cut off before its end'));
  }

  /** The answer is about to be written: what still comes is thrown away. A response that ends while its socket is
   *  paused would block the connection for good. */
  finish(): void {
    this.#release();
    this.cut(FINISHED);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      if (this.#error !== null) throw this.#error;
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.#waitingBytes -= chunk.byteLength + CHUNK_BYTES;
        if (this.#waitingBytes <= LOW_BYTES) this.#release();
        yield chunk;
      } else if (this.#done) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #release(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#response.resume();
  }

  #take(chunk: Uint8Array): void {
    this.received += chunk.byteLength;
    if (this.received > this.#limitBytes) {
      this.cut(tooLarge(this.#limitBytes));
      return;
    }
    if (chunk.byteLength === 0) return;
    // Copied: the chunk is valid during this call only.
    this.#chunks.push(new Uint8Array(chunk));
    this.#waitingBytes += chunk.byteLength + CHUNK_BYTES;
    if (this.#waitingBytes > HIGH_BYTES && !this.#paused) {
      this.#paused = true;
      this.#response.pause();
    }
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}

export function tooLarge(limitBytes: number): StudioError {
  return new StudioError('too_large', `the body is larger than the ${sizeText(limitBytes)} that are allowed`);
}

function sizeText(bytes: number): string {
  for (const [unit, size] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytes >= size) return `${Number((bytes / size).toFixed(2))} ${unit}`;
  }
  return `${bytes} bytes`;
}

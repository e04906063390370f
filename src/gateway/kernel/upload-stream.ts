import { badInput, StudioError } from '../../core/errors.ts';
import type { TransportResponse } from '../transport/transport.ts';

/** Unread bytes at which the socket is paused, and at which it is resumed. */
const HIGH_BYTES = 1 << 20;
const LOW_BYTES = 1 << 18;
/** Memory of a chunk in addition to its bytes. It is included in the limits, because a client may send chunks of one
 *  byte. */
const CHUNK_BYTES = 256;

const FINISHED = badInput('the request was answered before the upload was complete');

/** The body of an upload as chunks in order. Pauses the socket while the reader is slower than the client. Reading
 *  throws `too_large` if the body exceeds the limit, and `bad_input` if the client disconnects before the end. */
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

  /** Starts receiving. Call it before the handler's first `await`.
   *  @param onEnd called after the last byte */
  constructor(response: TransportResponse, limitBytes: number, onEnd: () => void) {
    this.#response = response;
    this.#limitBytes = limitBytes;
    response.onData((chunk, isLast) => {
      // Ignore chunks that arrive after the stream has failed.
      if (this.#error !== null) return;
      this.#take(chunk);
      if (!isLast || this.#error !== null) return;
      this.#done = true;
      this.#notify();
      onEnd();
    });
  }

  /** Fails the stream: the reader gets `error`. */
  cut(error: Error): void {
    if (this.#done || this.#error !== null) return;
    this.#error = error;
    this.#chunks.length = 0;
    this.#notify();
  }

  /** Fails the stream after a disconnect. The socket must not be used any more. */
  abandon(): void {
    this.#paused = false;
    this.cut(badInput('the connection closed before the upload was complete'));
  }

  /** Discards the rest of the body; call it before the answer is written. A response that ends while its socket is
   *  paused would block the connection forever. */
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
    // Copy the chunk: it is valid only during this call.
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

/** @param remedy what to send instead */
export function tooLarge(limitBytes: number, remedy = ''): StudioError {
  const text = `the body has more than ${sizeText(limitBytes)}, which is the limit`;
  return new StudioError('too_large', remedy === '' ? text : `${text}: ${remedy}`);
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

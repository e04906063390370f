import { randomBytes } from 'node:crypto';
import type { Head, Headers, TransportRequest, TransportResponse } from '../transport/transport.ts';

/** Bytes that a streamed answer reads at once. */
const PART_BYTES = 256 * 1024;
/** Statuses whose answer has no body at all. */
const BODILESS = new Set([204, 304]);

export type { Headers } from '../transport/transport.ts';

/** What is told of an answer that has been given. `status` 0: the client had gone before. */
export interface Answered {
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
}

/** Reads a part of a streamed answer. */
export type ReadPart = (position: number, length: number) => Promise<Uint8Array>;

const NO_BYTES = new Uint8Array(0);

export type OnAnswered = (answered: Answered, exchange: Exchange) => void;

/** Tells the requests of this process from those of another. */
const PROCESS = randomBytes(4).toString('hex');
let requests = 0;

/** The client's own id where it is a plain word, else a new one. */
function requestId(sent: string): string {
  if (sent !== '' && /^[\w-]{1,64}$/.test(sent)) return sent;
  requests += 1;
  return `${PROCESS}-${requests.toString(36)}`;
}

/** One request on its way to its answer, which is given at most once: later ones do nothing.
 *  Only this class writes to a response. */
export class Exchange {
  readonly id: string;
  readonly response: TransportResponse;
  /** Whether the method is HEAD: the same answer without its body. */
  readonly head: boolean;
  readonly #startMs = performance.now();
  readonly #onAnswered: OnAnswered;
  #goneListeners: (() => void)[] | null = null;
  #beforeAnswer: (() => void) | null = null;
  #open = true;
  #gone = false;

  constructor(response: TransportResponse, request: TransportRequest, onAnswered: OnAnswered) {
    response.onGone(() => this.#leave());
    this.response = response;
    this.id = requestId(request.header('x-request-id'));
    this.head = request.method === 'HEAD';
    this.#onAnswered = onAnswered;
  }

  /** Whether it can still be answered. */
  get open(): boolean {
    return this.#open;
  }

  /** Whether the client has gone. */
  get gone(): boolean {
    return this.#gone;
  }

  /** Calls `listener` when the client goes before the answer is complete. */
  onGone(listener: () => void): void {
    this.#goneListeners ??= [];
    this.#goneListeners.push(listener);
  }

  /** Calls `prepare` right before the answer is written, whichever it is. */
  beforeAnswer(prepare: () => void): void {
    this.#beforeAnswer = prepare;
  }

  /** @param headers lower-case names without content-length; values without line breaks */
  answer(status: number, headers: Headers, body: string | Uint8Array): void {
    if (!this.#open) return;
    this.#open = false;
    this.#beforeAnswer?.();
    const bytes = BODILESS.has(status) ? 0 : sizeOf(body);
    if (BODILESS.has(status)) this.response.answer(this.#headOf(status, headers), null);
    else if (this.head) this.response.answer(this.#headOf(status, withLength(headers, bytes)), null);
    else this.response.answer(this.#headOf(status, headers), body);
    this.#onAnswered({ status, bytes: this.head ? 0 : bytes, ms: performance.now() - this.#startMs }, this);
  }

  /** Answers 200 with `size` bytes that are read part by part, as the socket takes them. Settles when all are written or
   *  the client has gone. Bytes that cannot be read after the first part cut the connection.
   *  @param read at least one byte from `position`, at most `length`; none where the content has become shorter
   *  @throws what reading the first part throws */
  async stream(headers: Headers, size: number, read: ReadPart): Promise<void> {
    const first = size > 0 && !this.head ? await read(0, Math.min(PART_BYTES, size)) : NO_BYTES;
    if (size > 0 && !this.head && first.byteLength === 0) throw new Error('there is nothing to read');
    if (!this.#open) return;
    this.#open = false;
    this.#beforeAnswer?.();
    if (size === 0 || this.head) this.response.answer(this.#headOf(200, withLength(headers, size)), null);
    else await this.#writeStream(headers, first, size, read);
    const bytes = this.head ? 0 : size;
    this.#onAnswered({ status: this.#gone ? 0 : 200, bytes, ms: performance.now() - this.#startMs }, this);
  }

  async #writeStream(headers: Headers, first: Uint8Array, size: number, read: ReadPart): Promise<void> {
    const writer = this.response.begin(this.#headOf(200, headers), size);
    let part = first;
    for (let at = 0; ; ) {
      await writer.write(part);
      at += part.byteLength;
      if (this.#gone || at >= size) return;
      try {
        part = await read(at, Math.min(PART_BYTES, size - at));
      } catch (error) {
        this.response.cut();
        throw error;
      }
      if (this.#gone) return;
      if (part.byteLength === 0) {
        this.response.cut();
        return;
      }
    }
  }

  #headOf(status: number, headers: Headers): Head {
    return { status, requestId: this.id, headers };
  }

  #leave(): void {
    this.#gone = true;
    if (this.#open) {
      this.#open = false;
      this.#onAnswered({ status: 0, bytes: 0, ms: performance.now() - this.#startMs }, this);
    }
    for (const listener of this.#goneListeners ?? []) listener();
  }
}

function withLength(headers: Headers, bytes: number): Headers {
  return { ...headers, 'content-length': String(bytes) };
}

function sizeOf(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}

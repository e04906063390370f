import { randomBytes } from 'node:crypto';
import type { Head, Headers, TransportRequest, TransportResponse } from '../transport/transport.ts';

/** Statuses of answers without a body. */
const BODILESS = new Set([204, 304]);

export type { Headers } from '../transport/transport.ts';

/** Summary of an answer. `status` 0: the client disconnected before the answer. */
export interface Answered {
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
}

export type OnAnswered = (answered: Answered, exchange: Exchange) => void;

/** Random prefix that makes request ids of this process different from those of other processes. */
const PROCESS = randomBytes(4).toString('hex');
let requests = 0;

/** Returns the `x-request-id` of the client if it is a plain word, otherwise a new id. */
function requestId(sent: string): string {
  if (sent !== '' && /^[\w-]{1,64}$/.test(sent)) return sent;
  requests += 1;
  return `${PROCESS}-${requests.toString(36)}`;
}

/** One request and its answer. Only the first answer is sent; further ones do nothing. Only this class writes to a
 *  response. */
export class Exchange {
  readonly id: string;
  readonly response: TransportResponse;
  /** Whether the method is HEAD: the answer has no body. */
  readonly head: boolean;
  /** method as received, for the log */
  readonly method: string;
  readonly path: string;
  /** Reason of the refusal, for the log; null if the request is not refused. */
  failure: { readonly detail: string; readonly peer: Uint8Array } | null = null;
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
    this.method = request.method;
    this.path = request.path;
    this.head = this.method === 'HEAD';
    this.#onAnswered = onAnswered;
  }

  /** Whether the request can still be answered. */
  get open(): boolean {
    return this.#open;
  }

  /** Whether the client has disconnected. */
  get gone(): boolean {
    return this.#gone;
  }

  /** Calls `listener` if the client disconnects before the answer is complete. */
  onGone(listener: () => void): void {
    this.#goneListeners ??= [];
    this.#goneListeners.push(listener);
  }

  /** Calls `prepare` immediately before any answer is written. */
  beforeAnswer(prepare: () => void): void {
    this.#beforeAnswer = prepare;
  }

  /** Sends the answer. @param headers names in lower case, without content-length; values without line breaks */
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

  /** Answers with a body in parts, at the pace of the socket. Settles when all parts are written or the client has
   *  disconnected. Closes the connection if a part after the first fails or the body does not have `size` bytes.
   *  @param size bytes of the body; null: unknown before the end
   *  @param parts not read for HEAD or an empty body
   *  @throws errors of `parts` */
  async stream(
    status: 200 | 206,
    headers: Headers,
    size: number | null,
    parts: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const reader = parts[Symbol.asyncIterator]();
    const bodiless = this.head || size === 0;
    const answered = (bytes: number) =>
      this.#onAnswered({ status: this.#gone ? 0 : status, bytes, ms: performance.now() - this.#startMs }, this);
    let begun = false;
    let bytes = 0;
    try {
      const first = bodiless ? null : await reader.next();
      if (!this.#open) return;
      this.#open = false;
      begun = true;
      this.#beforeAnswer?.();
      if (first === null)
        this.response.answer(this.#headOf(status, size === null ? headers : withLength(headers, size)), null);
      else {
        const writer = this.response.begin(this.#headOf(status, headers), size);
        for (let part = first; part.done !== true && !this.#gone; part = await reader.next()) {
          if (part.value.byteLength > 0) await writer.write(part.value);
          bytes += part.value.byteLength;
        }
        if (size === null || bytes === size) writer.end();
        else this.#cut();
      }
      answered(bytes);
    } catch (error) {
      if (begun) {
        this.#cut();
        answered(bytes);
      }
      throw error;
    } finally {
      await reader.return?.();
    }
  }

  #cut(): void {
    this.#gone = true;
    this.response.cut();
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

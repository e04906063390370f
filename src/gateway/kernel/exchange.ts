import { randomBytes } from 'node:crypto';
import type { UwsRequest, UwsResponse } from '../uws.ts';

/** Larger bodies are written in parts, as the socket takes them. */
const PART_BYTES = 256 * 1024;

const REASON: Readonly<Record<number, string>> = {
  200: '200 OK',
  204: '204 No Content',
  206: '206 Partial Content',
  302: '302 Found',
  304: '304 Not Modified',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  409: '409 Conflict',
  413: '413 Content Too Large',
  415: '415 Unsupported Media Type',
  416: '416 Range Not Satisfiable',
  426: '426 Upgrade Required',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
  507: '507 Insufficient Storage',
};

/** Statuses whose answer has no body at all. */
const BODILESS = new Set([204, 304]);

/** Headers of every answer, after another. */
const ALWAYS = '\r\nx-content-type-options: nosniff\r\ncross-origin-resource-policy: same-origin';

export type Headers = Readonly<Record<string, string>>;

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

/** One request on its way to its answer, which is given once at most: whoever comes second is not heard.
 *  Only this class writes to a response. */
export class Exchange {
  readonly id: string;
  readonly response: UwsResponse;
  /** Whether it was asked by HEAD: the same answer without its body. */
  readonly head: boolean;
  readonly #startMs = performance.now();
  readonly #onAnswered: OnAnswered;
  #goneListeners: (() => void)[] | null = null;
  #beforeAnswer: (() => void) | null = null;
  #inHandler = true;
  #open = true;
  #gone = false;

  /** Must be the first thing that happens in a handler. */
  constructor(response: UwsResponse, request: UwsRequest, onAnswered: OnAnswered) {
    response.onAborted(() => this.#aborted());
    this.response = response;
    this.id = requestId(request.getHeader('x-request-id'));
    this.head = request.getMethod() === 'head';
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

  /** The synchronous part of the handler is over: from here on writing is corked. */
  leaveHandler(): void {
    this.#inHandler = false;
  }

  /** What the client still sends of its request is read and thrown away: a connection that is closed meanwhile is reset,
   *  and the client may never see the answer.
   *  @param headers lower-case names without content-length; values without line breaks */
  answer(status: number, headers: Headers, body: string | Uint8Array): void {
    if (!this.#open) return;
    this.#open = false;
    this.#beforeAnswer?.();
    const bytes = BODILESS.has(status) ? 0 : sizeOf(body);
    const write = () => this.#write(status, headers, body, bytes);
    if (this.#inHandler) write();
    else this.response.cork(write);
    this.#onAnswered({ status, bytes: this.head ? 0 : bytes, ms: performance.now() - this.#startMs }, this);
  }

  /** Answers 200 with `size` bytes that are read part by part, as the socket takes them. Settles when all are written or
   *  the client has gone; what cannot be read after the first part cuts the connection.
   *  @param read at least one byte from `position`, at most `length`; none where the content has become shorter
   *  @throws what reading the first part throws */
  async stream(headers: Headers, size: number, read: ReadPart): Promise<void> {
    const first = size > 0 && !this.head ? await read(0, Math.min(PART_BYTES, size)) : NO_BYTES;
    if (size > 0 && !this.head && first.byteLength === 0) throw new Error('there is nothing to read');
    if (!this.#open) return;
    this.#open = false;
    this.#beforeAnswer?.();
    const { response } = this;
    if (size === 0 || this.head) {
      response.cork(() => {
        this.#writeHead(200, headers);
        response.writeHeader('content-length', String(size));
        response.endWithoutBody();
      });
    } else {
      response.cork(() => this.#writeHead(200, headers));
      await this.#writeStream(first, size, read);
    }
    const bytes = this.head ? 0 : size;
    this.#onAnswered({ status: this.#gone ? 0 : 200, bytes, ms: performance.now() - this.#startMs }, this);
  }

  async #writeStream(first: Uint8Array, size: number, read: ReadPart): Promise<void> {
    const { response } = this;
    let part = first;
    let at = 0;
    let wake: () => void = () => {};
    this.onGone(() => wake());
    const offer = (from: number): boolean => {
      let taken = false;
      response.cork(() => {
        const [ok, done] = response.tryEnd(part.subarray(from - at), size);
        taken = ok || done;
      });
      if (taken) wake();
      return taken;
    };
    response.onWritable((offset) => this.#gone || offer(offset));
    while (!this.#gone) {
      const written = new Promise<void>((resolve) => {
        wake = resolve;
      });
      offer(at);
      await written;
      at += part.byteLength;
      if (this.#gone || at >= size) return;
      try {
        part = await read(at, Math.min(PART_BYTES, size - at));
      } catch (error) {
        if (!this.#gone) response.close();
        throw error;
      }
      if (part.byteLength === 0 && !this.#gone) response.close();
    }
  }

  #writeHead(status: number, headers: Headers): void {
    this.response.writeStatus(REASON[status] ?? String(status));
    // All headers in one call: each call into uWebSockets.js costs a request a percent or two of its time.
    let lines = this.id + ALWAYS;
    for (const name in headers) lines += `\r\n${name}: ${headers[name]}`;
    this.response.writeHeader('x-request-id', lines);
  }

  #write(status: number, headers: Headers, body: string | Uint8Array, bytes: number): void {
    const { response } = this;
    this.#writeHead(status, headers);
    if (BODILESS.has(status)) response.endWithoutBody();
    else if (this.head) {
      response.writeHeader('content-length', String(bytes));
      response.endWithoutBody();
    } else if (bytes > PART_BYTES && typeof body !== 'string') this.#writeParts(body);
    else response.end(body);
  }

  /** Writes as much as the socket takes, the rest when it has room: a slow reader costs no copy of the body. */
  #writeParts(body: Uint8Array): void {
    const { response } = this;
    const total = body.byteLength;
    /** @returns whether the socket took all that it was offered */
    const writeFrom = (offset: number): boolean => {
      for (let at = offset; at < total; ) {
        const part = body.subarray(at, Math.min(total, at + PART_BYTES));
        const [ok, done] = response.tryEnd(part, total);
        if (done) return true;
        if (!ok) return false;
        at += part.byteLength;
      }
      return true;
    };
    response.onWritable((offset) => this.#gone || writeFrom(offset));
    writeFrom(0);
  }

  #aborted(): void {
    this.#gone = true;
    if (this.#open) {
      this.#open = false;
      this.#onAnswered({ status: 0, bytes: 0, ms: performance.now() - this.#startMs }, this);
    }
    for (const listener of this.#goneListeners ?? []) listener();
  }
}

function sizeOf(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}

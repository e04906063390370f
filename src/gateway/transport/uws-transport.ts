import type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_socket,
  us_socket_context_t,
  WebSocket,
} from 'uWebSockets.js';
import { createServer } from 'node:net';
import process from 'node:process';
import { messageOf } from '../../core/errors.ts';
import { framingProblem, reasonOf, refusal, TOO_MANY_CONNECTIONS } from './framing.ts';
import { listenError } from './listen-error.ts';
import {
  type BodyWriter,
  type DataListener,
  type Head,
  type RequestHandler,
  SECURITY_HEADERS,
  type SocketBehavior,
  type SocketMessage,
  type Transport,
  type TransportOptions,
  type TransportRequest,
  type TransportResponse,
  type TransportSocket,
} from './transport.ts';

/** The only file that uses uWebSockets.js. It follows the rules of that package:
 *  - `onAborted` is the first statement of every handler: a handler that returns or throws without it aborts the
 *    process.
 *  - a request must not be used after its handler has returned, nor a response after it has ended or aborted.
 *  - outside of the handler's synchronous part all writing is in one `cork`; status before headers before body.
 *  - the package does not check header values for CR and LF. */
export type UwsModule = typeof import('uWebSockets.js');

/** Part size for bodies, bytes. Larger bodies are written in parts, as fast as the socket accepts them. */
const PART_BYTES = 256 * 1024;
/** `send` returns this for a dropped message. */
const DROPPED = 2;

const SECURITY_LINES = Object.entries(SECURITY_HEADERS)
  .map(([name, value]) => `\r\n${name}: ${value}`)
  .join('');

class UwsRequest implements TransportRequest {
  readonly #request: HttpRequest;
  readonly method: string;
  readonly path: string;

  constructor(request: HttpRequest) {
    this.#request = request;
    this.method = request.getCaseSensitiveMethod();
    this.path = request.getUrl();
  }

  get query(): string {
    return this.#request.getQuery() ?? '';
  }

  header(name: string): string {
    return this.#request.getHeader(name);
  }

  eachHeader(visit: (name: string, value: string) => void): void {
    this.#request.forEach(visit);
  }
}

class UwsResponse implements TransportResponse {
  readonly #response: HttpResponse;
  /** the `transfer-encoding` header */
  readonly encoding: string;
  #onGone: (() => void) | null = null;
  #paused = false;
  /** True during the handler's synchronous part, in which uWebSockets.js has corked the socket itself. */
  inHandler = true;
  /** True once the response must not be used any more. */
  #dead = false;
  #bodyEnded = false;

  /** Must be the first call in a handler. */
  constructor(response: HttpResponse, request: HttpRequest) {
    response.onAborted(() => {
      this.#dead = true;
      this.#onGone?.();
    });
    this.#response = response;
    this.encoding = request.getHeader('transfer-encoding');
  }

  get #chunked(): boolean {
    return this.encoding !== '';
  }

  get peer(): Uint8Array {
    return this.#dead ? new Uint8Array(0) : new Uint8Array(this.#response.getRemoteAddress());
  }

  onGone(listener: () => void): void {
    this.#onGone = listener;
  }

  onData(listener: DataListener): void {
    if (this.#dead) return;
    this.#response.onData((chunk, isLast) => {
      if (!isLast || !this.#chunked) {
        if (isLast) this.#bodyEnded = true;
        listener(new Uint8Array(chunk), isLast);
        return;
      }
      // uWebSockets.js parses fields after a chunked body as the next request, and closes the connection because of its
      // error. Wait for this, so that such a request has no effect and does not get a second answer.
      listener(new Uint8Array(chunk), false);
      setImmediate(() => {
        if (this.#dead) return;
        this.#bodyEnded = true;
        listener(NO_BYTES, true);
      });
    });
  }

  pause(): void {
    if (this.#dead || this.#paused) return;
    this.#paused = true;
    this.#response.pause();
  }

  /** Resumes reading. Also call it before an answer: a response that ends while its socket is paused blocks the
   *  connection forever. */
  resume(): void {
    if (this.#dead || !this.#paused) return;
    this.#paused = false;
    this.#response.resume();
  }

  /** Reads and discards the rest of a request's body. If the connection were closed earlier, the client might never see
   *  the answer. */
  answer(head: Head, body: string | Uint8Array | null): void {
    if (this.#dead) return;
    this.resume();
    // A second request must not follow a chunked body: see onData.
    const close = this.#chunked && this.#bodyEnded;
    if (this.inHandler) this.#write(head, body, close);
    else this.#response.cork(() => this.#write(head, body, close));
  }

  /** Answers and closes the connection. */
  refuse(status: number, detail: string): void {
    if (this.#dead) return;
    const { head, body } = refusal(status, detail);
    this.#write(head, body, true);
  }

  /** Disconnects once earlier answers have been sent. */
  cutSoon(): void {
    setImmediate(() => this.cut());
  }

  begin(head: Head, size: number | null): BodyWriter {
    if (!this.#dead) this.#response.cork(() => this.#writeHead(head));
    return size === null ? this.#unsized() : this.#sized(size);
  }

  cut(): void {
    if (!this.#dead) this.#response.close();
  }

  #writeHead({ status, requestId, headers }: Head): void {
    this.#response.writeStatus(`${status} ${reasonOf(status)}`);
    // Write all headers in one call: each call into uWebSockets.js takes one or two percent of the time of a request.
    let lines = requestId + SECURITY_LINES;
    for (const name in headers) lines += `\r\n${name}: ${headers[name]}`;
    this.#response.writeHeader('x-request-id', lines);
  }

  #write(head: Head, body: string | Uint8Array | null, close: boolean): void {
    const response = this.#response;
    this.#writeHead(head);
    if (body !== null && typeof body !== 'string' && body.byteLength > PART_BYTES) {
      this.#writeParts(body);
      return;
    }
    this.#dead = true;
    if (body !== null) response.end(body, close);
    else if (close) response.endWithoutBody(0, true);
    else response.endWithoutBody();
  }

  /** Writes as much as the socket accepts, and the rest when it has room, so that a slow reader needs no copy of the
   *  body. */
  #writeParts(body: Uint8Array): void {
    const response = this.#response;
    const total = body.byteLength;
    /** @returns true if the socket accepted everything */
    const writeFrom = (offset: number): boolean => {
      for (let at = offset; at < total; ) {
        const part = body.subarray(at, Math.min(total, at + PART_BYTES));
        const [ok, done] = response.tryEnd(part, total);
        if (done) {
          this.#dead = true;
          return true;
        }
        if (!ok) return false;
        at += part.byteLength;
      }
      return true;
    };
    response.onWritable((offset) => this.#dead || writeFrom(offset));
    writeFrom(0);
  }

  #sized(size: number): BodyWriter {
    const response = this.#response;
    let part: Uint8Array = NO_BYTES;
    let at = 0;
    let taken: () => void = () => {};
    const onGone = this.#onGone;
    this.#onGone = () => {
      onGone?.();
      taken();
    };
    const offer = (from: number): boolean => {
      let ok = false;
      response.cork(() => {
        const [sent, done] = response.tryEnd(part.subarray(from - at), size);
        if (done) this.#dead = true;
        ok = sent || done;
      });
      if (ok) taken();
      return ok;
    };
    if (!this.#dead) response.onWritable((offset) => this.#dead || offer(offset));
    return {
      write: async (next) => {
        if (this.#dead) return;
        at += part.byteLength;
        part = next;
        const written = new Promise<void>((resolve) => {
          taken = resolve;
        });
        offer(at);
        await written;
      },
      end: () => {},
    };
  }

  #unsized(): BodyWriter {
    const response = this.#response;
    let taken: () => void = () => {};
    const onGone = this.#onGone;
    this.#onGone = () => {
      onGone?.();
      taken();
    };
    if (!this.#dead) {
      response.onWritable(() => {
        taken();
        return true;
      });
    }
    return {
      write: async (part) => {
        if (this.#dead) return;
        const written = new Promise<void>((resolve) => {
          taken = resolve;
        });
        response.cork(() => {
          if (response.write(part)) taken();
        });
        await written;
      },
      end: () => {
        if (this.#dead) return;
        this.#dead = true;
        response.cork(() => response.end());
      },
    };
  }
}

const NO_BYTES = new Uint8Array(0);

interface UwsMessage extends SocketMessage {
  readonly bytes: Uint8Array;
  readonly isBinary: boolean;
}

interface UserData<Data> {
  readonly data: Data;
  socket: UwsSocket<Data> | null;
}

class UwsSocket<Data> implements TransportSocket<Data> {
  readonly data: Data;
  readonly #socket: WebSocket<UserData<Data>>;

  constructor(socket: WebSocket<UserData<Data>>, data: Data) {
    this.#socket = socket;
    this.data = data;
  }

  get bufferedBytes(): number {
    return this.#socket.getBufferedAmount();
  }

  send(message: SocketMessage): 'sent' | 'dropped' {
    const { bytes, isBinary } = message as UwsMessage;
    return this.#socket.send(bytes, isBinary) === DROPPED ? 'dropped' : 'sent';
  }

  ping(payload: Uint8Array): void {
    this.#socket.ping(payload);
  }

  cork(writes: () => void): void {
    this.#socket.cork(writes);
  }

  end(code: number, reason: string): void {
    this.#socket.end(code, reason);
  }
}

type Token = object;
interface NativeApp {
  listen(host: string, port: number, options: number, done: (token: Token | false) => void): void;
}

/** The transport of uWebSockets.js. */
export class UwsTransport implements Transport {
  readonly name = 'uws';
  readonly #uws: UwsModule;
  readonly #app: TemplatedApp;
  readonly #onRefused: NonNullable<TransportOptions['onRefused']>;
  #connections = 0;
  /** Client addresses whose further requests in this turn of the event loop are cut unread: see `#distrust`. */
  readonly #refused = new Set<string>();

  constructor(uws: UwsModule, { maxConnections, onRefused = () => {} }: TransportOptions) {
    this.#onRefused = onRefused;
    this.#uws = uws;
    this.#app = uws.App();
    // uWebSockets.js calls this filter for every connection that opens, and for those that close before they become a
    // websocket.
    const watch: Parameters<TemplatedApp['filter']>[0] = (response, change) => {
      this.#connections += Math.sign(Number(change));
      if (Number(change) < 0 || this.#connections <= maxConnections) return;
      const peer = new Uint8Array(response.getRemoteAddress());
      onRefused({ method: '', path: '', status: 503, detail: TOO_MANY_CONNECTIONS, peer });
      const { head, body } = refusal(503, TOO_MANY_CONNECTIONS);
      response.writeStatus(`503 ${reasonOf(503)}`);
      for (const [name, value] of Object.entries(head.headers)) response.writeHeader(name, value);
      response.end(body, true);
    };
    this.#app.filter(watch);
  }

  onRequest(handler: RequestHandler): void {
    this.#app.any('/*', (nativeResponse, nativeRequest) => {
      const response = new UwsResponse(nativeResponse, nativeRequest);
      if (this.#refused.size > 0 && this.#refused.has(keyOf(response.peer))) {
        response.cutSoon();
        return;
      }
      const request = new UwsRequest(nativeRequest);
      const problem = framingProblem(request, response.encoding);
      if (problem === null) handler(request, response);
      else {
        const { peer } = response;
        this.#distrust(peer);
        response.refuse(400, problem);
        this.#onRefused({ method: request.method, path: request.path, status: 400, detail: problem, peer });
      }
      response.inHandler = false;
    });
  }

  onSocket<Data>(path: string, behavior: SocketBehavior<Data>): void {
    const socketOf = (native: WebSocket<UserData<Data>>): UwsSocket<Data> => {
      const user = native.getUserData();
      user.socket ??= new UwsSocket(native, user.data);
      return user.socket;
    };
    this.#app.ws<UserData<Data>>(path, {
      idleTimeout: behavior.idleTimeoutS,
      maxPayloadLength: behavior.maxMessageBytes,
      maxBackpressure: behavior.maxBufferedBytes,
      compression: this.#uws.DISABLED,
      upgrade(nativeResponse: HttpResponse, nativeRequest: HttpRequest, context: us_socket_context_t) {
        const response = new UwsResponse(nativeResponse, nativeRequest);
        const data = behavior.upgrade(new UwsRequest(nativeRequest), response);
        response.inHandler = false;
        if (data === null) return;
        const user: UserData<Data> = { data, socket: null };
        // Choose neither a protocol nor an extension: compressing frames costs more than it saves.
        nativeResponse.upgrade(user, nativeRequest.getHeader('sec-websocket-key'), '', '', context);
      },
      open: (native) => behavior.open(socketOf(native)),
      message: (native, message, isBinary) => behavior.message(socketOf(native), new Uint8Array(message), isBinary),
      pong: (native, payload) => behavior.pong(socketOf(native), new Uint8Array(payload)),
      close: (native) => {
        this.#connections -= 1;
        behavior.close(socketOf(native));
      },
    });
  }

  /** uWebSockets.js parses what follows a refused request in the same segment before the connection closes. Therefore
   *  all further requests from this address in the same turn of the event loop are cut unread. */
  #distrust(peer: Uint8Array): void {
    const key = keyOf(peer);
    this.#refused.add(key);
    setImmediate(() => this.#refused.delete(key));
  }

  frame(bytes: Uint8Array): SocketMessage {
    const message: UwsMessage = { byteLength: bytes.byteLength, bytes, isBinary: true };
    return message;
  }

  text(text: string): SocketMessage {
    const bytes = Buffer.from(text);
    const message: UwsMessage = { byteLength: bytes.byteLength, bytes, isBinary: false };
    return message;
  }

  async listen(host: string, port: number) {
    // This constant is missing in the package's types. Without it a second listener could share the port.
    const { LIBUS_LISTEN_EXCLUSIVE_PORT } = this.#uws as unknown as { LIBUS_LISTEN_EXCLUSIVE_PORT: number };
    const token = await new Promise<Token | false>((resolve) => {
      (this.#app as unknown as NativeApp).listen(host, port, LIBUS_LISTEN_EXCLUSIVE_PORT, resolve);
    });
    if (token === false) throw listenError(await whyNot(host, port), host, port);
    return {
      port: this.#uws.us_socket_local_port(token as us_socket),
      stop: () => this.#uws.us_listen_socket_close(token),
    };
  }

  close(): void {
    this.#app.close();
  }
}

/** @returns the package, or the reason why it does not load here: it has binaries for some platforms only */
export async function loadUws(): Promise<UwsModule | string> {
  try {
    return (await import('uWebSockets.js')).default as unknown as UwsModule;
  } catch (error) {
    return whyNotLoaded(messageOf(error));
  }
}

function whyNotLoaded(message: string): string {
  const here = `Node ${process.versions.node} on ${process.platform}-${process.arch}`;
  const glibc = /GLIBC_([\d.]+)' not found/.exec(message)?.[1];
  if (glibc !== undefined) return `its binary for Node ${process.versions.node} needs glibc ${glibc} or newer`;
  if (/Cannot find (package|module) 'uWebSockets\.js'/.test(message)) return 'it is not installed';
  if (/Cannot find module|no such file/i.test(message)) return `it has no binary for ${here}`;
  return `its binary does not run on ${here}`;
}

function keyOf(peer: Uint8Array): string {
  return peer.join('.');
}

/** Finds the reason with node:net, because uWebSockets.js does not report why listening failed. */
function whyNot(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}

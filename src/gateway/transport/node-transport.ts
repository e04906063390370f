import { createServer, type IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressBytes } from '../access/peer.ts';
import { framingProblem, reasonOf, refusal, TOO_MANY_CONNECTIONS, TRAILERS } from './framing.ts';
import { listenError } from './listen-error.ts';
import { NodeSockets } from './node-socket.ts';
import {
  type BodyWriter,
  type DataListener,
  type Head,
  type Listener,
  type RequestHandler,
  SECURITY_HEADERS,
  type SocketBehavior,
  type SocketMessage,
  type Transport,
  type TransportOptions,
  type TransportRefusal,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';

/** Time for a client to send the head of a request, ms. */
const HEADERS_MS = 10_000;
/** Interval at which HEADERS_MS is checked, ms. */
const CHECK_MS = 2_000;
/** Longest pause within a request's body, ms. */
const BODY_IDLE_MS = 10_000;
/** Longest time that a client may leave a large answer unread, ms. */
const ANSWER_IDLE_MS = 30_000;
/** Time that an idle connection is kept open, ms. */
const KEEP_ALIVE_MS = 30_000;
/** Size limit of the head of a request, bytes. */
const MAX_HEAD_BYTES = 16 << 10;
/** Number of connections that may wait to be accepted. */
const BACKLOG = 4096;
/** Size of an answer above which ANSWER_IDLE_MS applies, bytes. */
const LARGE_BYTES = 256 << 10;

const SECURITY = Object.entries(SECURITY_HEADERS).flat();
const SECURITY_LINES = Object.entries(SECURITY_HEADERS)
  .map(([name, value]) => `\r\n${name}: ${value}`)
  .join('');
const KEEP_ALIVE_LINES = `\r\nconnection: keep-alive\r\nkeep-alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`;
const NO_BYTES = new Uint8Array(0);

class NodeRequest implements TransportRequest {
  readonly #request: IncomingMessage;
  readonly method: string;
  readonly path: string;
  readonly query: string;

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.method = request.method ?? '';
    const url = request.url ?? '';
    const at = url.indexOf('?');
    this.path = at < 0 ? url : url.slice(0, at);
    this.query = at < 0 ? '' : url.slice(at + 1);
  }

  header(name: string): string {
    const value = this.#request.headers[name];
    return typeof value === 'string' ? value : (value?.join(', ') ?? '');
  }

  eachHeader(visit: (name: string, value: string) => void): void {
    const { rawHeaders } = this.#request;
    for (let k = 0; k + 1 < rawHeaders.length; k += 2) visit(rawHeaders[k]!.toLowerCase(), rawHeaders[k + 1]!);
  }
}

/** A response whose head is set as text. node:http would check and join each header again, which takes a tenth of the
 *  time of a request. The gateway has already checked its headers. The fields of node:http used here are undocumented.
 *  The tests of gateway and API cover them; the portability tests do so on every supported version of Node. */
interface Prepared {
  _header: string;
  _headerSent: boolean;
}

/** Answers up to this size are sent together with their head in one write, without a copy on the heap, bytes. */
const SMALL_BYTES = 12 << 10;

/** Writes head and body of an answer and ends it. `response.end(body)` would combine the parts in one more call, which
 *  takes a tenth of the time of a request. */
function endPrepared(response: ServerResponse, head: string, body: string | Uint8Array, length: number): void {
  const prepared = response as unknown as Prepared;
  prepared._header = head;
  const { socket } = response;
  // With pipelined requests, an answer gets its socket only after the earlier answers are sent. An answer to HEAD has a
  // length, but no body.
  if (socket === null || response.req.method === 'HEAD' || length > SMALL_BYTES || socket.writableLength > 0) {
    response.end(body);
    return;
  }
  prepared._headerSent = true;
  if (typeof body === 'string') socket.write(head + body);
  // latin1 maps each byte to one character and back, so the bytes do not change.
  else socket.write(head + Buffer.from(body.buffer, body.byteOffset, length).toString('latin1'), 'latin1');
  response.end();
}

/** Returns the head of an answer on a connection that stays open. */
function preparedHead({ status, requestId, headers }: Head, length: number): string {
  let text = `HTTP/1.1 ${status} ${reasonOf(status)}\r\nx-request-id: ${requestId}${SECURITY_LINES}`;
  for (const name in headers) text += `\r\n${name}: ${headers[name]}`;
  return `${text}\r\ncontent-length: ${length}\r\ndate: ${dateText()}${KEEP_ALIVE_LINES}`;
}

let dateSecond = 0;
let dateLine = '';

/** Returns the `date` header (RFC 9110, 6.6.1), updated once a second. */
function dateText(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateLine = new Date(second * 1000).toUTCString();
  }
  return dateLine;
}

/** Option of Node 24.9 and later, which is not in the types of Node 20. Earlier versions report every request with an
 *  `Upgrade` header as an upgrade. */
interface Upgrades {
  readonly shouldUpgradeCallback: (request: IncomingMessage) => boolean;
}

/** A connection with the answer that is being sent on it. The field is undocumented. */
type Answering = Duplex & { readonly _httpMessage?: ServerResponse | null };

type OnRefused = (refused: TransportRefusal) => void;

class NodeResponse implements TransportResponse {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #chunked: boolean;
  readonly peer: Uint8Array;
  readonly #onRefused: OnRefused;
  #onGone: (() => void) | null = null;
  #answered = false;
  #gone = false;
  #bodyEnded = false;
  #paused = false;

  constructor(request: IncomingMessage, response: ServerResponse, peer: Uint8Array, onRefused: OnRefused) {
    this.#request = request;
    this.#response = response;
    this.#chunked = request.headers['transfer-encoding'] !== undefined;
    this.peer = peer;
    this.#onRefused = onRefused;
  }

  /** Marks the end of the handler's synchronous part. Most requests are already answered by then, so they need no
   *  listeners. */
  leaveHandler(): void {
    if (this.#response.writableFinished) return;
    this.#response.on('close', () => {
      if (this.#response.writableFinished) return;
      this.#gone = true;
      this.#onGone?.();
    });
  }

  onGone(listener: () => void): void {
    this.#onGone = listener;
  }

  onData(listener: DataListener): void {
    const request = this.#request;
    this.#watchIdle(BODY_IDLE_MS);
    request.on('data', (chunk: Buffer) => {
      if (!this.#answered) listener(chunk, false);
    });
    request.on('end', () => {
      if (!this.#answered) this.#watchIdle(0);
      this.#bodyEnded = true;
      if (this.#answered || this.#gone) return;
      if (request.rawTrailers.length > 0) this.#giveUp(400, TRAILERS);
      else listener(NO_BYTES, true);
    });
    request.on('timeout', () => {
      if (this.#answered) this.cut();
      else this.#giveUp(408, `body: no data arrived for ${BODY_IDLE_MS / 1000} s. Send the request again.`);
    });
    // Ignore errors here: the `close` event of the response reports the end.
    request.on('error', () => {});
  }

  pause(): void {
    if (this.#answered || this.#gone) return;
    this.#paused = true;
    this.#watchIdle(0);
    this.#request.pause();
  }

  resume(): void {
    if (!this.#paused || this.#gone) return;
    this.#paused = false;
    this.#watchIdle(BODY_IDLE_MS);
    this.#request.resume();
  }

  answer(head: Head, body: string | Uint8Array | null): void {
    if (this.#answered || this.#gone) return;
    this.resume();
    this.#answered = true;
    const length = body === null ? null : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    if (length !== null && length > LARGE_BYTES) this.#watchIdle(ANSWER_IDLE_MS);
    // Close the connection after a chunked body, so that no second request follows it. uws does the same.
    const close = this.#chunked && this.#bodyEnded;
    if (body !== null && length !== null && !close && this.#response.shouldKeepAlive) {
      endPrepared(this.#response, preparedHead(head, length), body, length);
      return;
    }
    this.#writeHead(head, length, close);
    if (body === null) this.#response.end();
    else this.#response.end(body);
  }

  /** Answers and closes the connection without reading the rest of the request. */
  refuse(status: number, detail: string): void {
    if (this.#answered || this.#gone) return;
    this.resume();
    this.#answered = true;
    const { head, body } = refusal(status, detail);
    this.#writeHead(head, Buffer.byteLength(body), true);
    this.#response.end(body);
    const { method, path } = new NodeRequest(this.#request);
    this.#onRefused({ method, path, status, detail, peer: this.peer });
  }

  /** Refuses a request while its handler still reads the body. For the handler the client has disconnected. */
  #giveUp(status: number, detail: string): void {
    this.refuse(status, detail);
    this.#gone = true;
    this.#onGone?.();
  }

  begin(head: Head, size: number | null): BodyWriter {
    const response = this.#response;
    let left = size;
    let taken: () => void = () => {};
    if (!this.#answered && !this.#gone) {
      this.resume();
      this.#answered = true;
      this.#watchIdle(ANSWER_IDLE_MS);
      this.#writeHead(head, size, false);
      // If the response has already ended, it emits `finish` instead of `drain`.
      for (const event of ['drain', 'finish', 'close']) response.on(event, () => taken());
    }
    return {
      write: async (part) => {
        if (this.#gone) return;
        const room = response.write(part);
        if (left !== null) {
          left -= part.byteLength;
          if (left <= 0) response.end();
        }
        if (room) return;
        await new Promise<void>((resolve) => {
          taken = resolve;
        });
      },
      end: () => {
        if (!this.#gone && size === null) response.end();
      },
    };
  }

  cut(): void {
    this.#request.socket.destroy();
  }

  #writeHead({ status, requestId, headers }: Head, length: number | null, close: boolean): void {
    const list = requestId === '' ? [...SECURITY] : ['x-request-id', requestId, ...SECURITY];
    for (const name in headers) list.push(name, headers[name]!);
    if (length !== null) list.push('content-length', String(length));
    if (close) list.push('connection', 'close');
    this.#response.writeHead(status, reasonOf(status), list);
  }

  /** Cuts the connection after `ms` without progress; 0 disables this. */
  #watchIdle(ms: number): void {
    this.#request.socket.setTimeout(ms);
  }
}

/** The transport on node:http and the `ws` package. It runs on every platform that Node supports. */
export class NodeTransport implements Transport {
  readonly name = 'node';
  readonly #server: Server;
  readonly #maxConnections: number;
  readonly #onRefused: OnRefused;
  /** client address of every accepted connection */
  readonly #connections = new Map<Duplex, Uint8Array>();
  readonly #sockets = new NodeSockets();
  #socketPath: string | null = null;
  #handler: RequestHandler = (_, response) => response.cut();

  constructor({ maxConnections, onRefused = () => {} }: TransportOptions) {
    this.#maxConnections = maxConnections;
    this.#onRefused = onRefused;
    const options: ServerOptions & Upgrades = {
      // Keep node:http from refusing a request without `Host`: its answer would have no JSON body with `detail`.
      requireHostHeader: false,
      insecureHTTPParser: false,
      headersTimeout: HEADERS_MS,
      // Set no limit for the whole request, because uploads may take long.
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
      maxHeaderSize: MAX_HEAD_BYTES,
      noDelay: true,
      shouldUpgradeCallback: (request) => isHandshake(request, this.#socketPath) && !hasBody(request),
    };
    this.#server = createServer(options);
    this.#server.on('connection', (socket: Socket) => this.#welcome(socket));
    this.#server.on('request', (request, response) => this.#serve(request, response));
    // Serve the request even if its `Expect` header is unknown.
    this.#server.on('checkExpectation', (request, response) => this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => {});
      this.#afterAnswers(socket, () => this.#upgrade(request, socket, head));
    });
    this.#server.on('connect', (_, socket) => this.#refuseRaw(socket, 400, 'CONNECT is not supported'));
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#misread(error, socket));
  }

  onRequest(handler: RequestHandler): void {
    this.#handler = handler;
  }

  onSocket<Data>(path: string, behavior: SocketBehavior<Data>): void {
    this.#socketPath = path;
    this.#sockets.serve(behavior);
  }

  frame(bytes: Uint8Array, seq: number): SocketMessage {
    return this.#sockets.frame(bytes, seq);
  }

  text(text: string): SocketMessage {
    return this.#sockets.text(text);
  }

  async listen(host: string, port: number): Promise<Listener> {
    const server = this.#server;
    const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      server.once('error', resolve);
      server.listen({ host, port, backlog: BACKLOG, exclusive: true }, () => {
        server.off('error', resolve);
        resolve(null);
      });
    });
    if (error !== null) throw listenError(error, host, port);
    return { port: (server.address() as AddressInfo).port, stop: () => void server.close() };
  }

  close(): void {
    this.#server.close();
    this.#sockets.close();
    this.#server.closeAllConnections();
  }

  #welcome(socket: Socket): void {
    if (this.#connections.has(socket)) return; // a connection that is read again
    if (this.#connections.size >= this.#maxConnections) {
      this.#refuseRaw(socket, 503, TOO_MANY_CONNECTIONS);
      return;
    }
    this.#connections.set(socket, addressBytes(socket.remoteAddress ?? ''));
    socket.once('close', () => this.#connections.delete(socket));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const peer = this.#connections.get(request.socket);
    // A connection without an entry has already been refused.
    if (peer) this.#handle(request, new NodeResponse(request, response, peer, this.#onRefused));
  }

  #handle(raw: IncomingMessage, response: NodeResponse): void {
    const request = new NodeRequest(raw);
    if (raw.httpVersionMajor !== 1 || raw.httpVersionMinor !== 1) {
      response.refuse(505, `HTTP/${raw.httpVersion} is not supported. Use HTTP/1.1.`);
      return;
    }
    const problem = problemOf(raw, request);
    if (problem !== null) {
      response.refuse(400, problem);
      return;
    }
    this.#handler(request, response);
    response.leaveHandler();
  }

  /** Calls `next` once the answers to earlier requests of a connection are sent: node:http does not wait for them
   *  before it reports a request to upgrade. */
  #afterAnswers(socket: Duplex, next: () => void): void {
    const { _httpMessage: current } = socket as Answering;
    if (!current) {
      if (socket.writable) next();
      return;
    }
    // For such a connection, node:http no longer forwards `drain`, nor ends it at a timeout.
    const onDrain = () => current.emit('drain');
    const onTimeout = () => socket.destroy();
    socket.on('drain', onDrain).on('timeout', onTimeout);
    current.once('close', () => {
      socket.off('drain', onDrain).off('timeout', onTimeout);
      this.#afterAnswers(socket, next);
    });
  }

  /** Handles a request to upgrade; before Node 24.9, every request with an `Upgrade` header. A request that does not
   *  ask for the websocket is handled as if it had no such header (RFC 9110, 7.8). */
  #upgrade(raw: IncomingMessage, socket: Duplex, head: Buffer): void {
    const peer = this.#connections.get(socket);
    if (!peer) return;
    if (!isHandshake(raw, this.#socketPath)) {
      // On an upgrade, Node detaches the parser from the connection, so its bytes are given to a new one.
      (socket as Socket).setTimeout(0);
      socket.unshift(Buffer.concat([headWithoutUpgrade(raw), head]));
      this.#server.emit('connection', socket);
      return;
    }
    if (hasBody(raw)) {
      this.#refuseRaw(socket, 400, 'upgrade: a request for the websocket must not have a body');
      return;
    }
    const native = new ServerResponse(raw);
    native.shouldKeepAlive = false;
    native.assignSocket(socket as Socket);
    native.on('finish', () => (socket as Socket).destroySoon());
    const response = new NodeResponse(raw, native, peer, this.#onRefused);
    const problem = problemOf(raw, new NodeRequest(raw));
    if (problem !== null) response.refuse(400, problem);
    else if (this.#sockets.accepts(new NodeRequest(raw), response)) {
      native.detachSocket(socket as Socket);
      this.#sockets.open(raw, socket as Socket, head);
    } else response.leaveHandler();
  }

  /** Answers a request that the parser could not read, and ends the connection. */
  #misread(error: NodeJS.ErrnoException, socket: Duplex): void {
    // Use the answer that is being sent on this connection. Answers to later requests wait behind it.
    const { _httpMessage: current } = socket as Answering;
    if (!socket.writable || error.code === 'ECONNRESET' || current?.headersSent) {
      socket.destroy();
      return;
    }
    const [status, detail] = misreadAs(error);
    this.#refuseRaw(socket, status, detail);
  }

  #refuseRaw(socket: Duplex, status: number, detail: string): void {
    const peer = this.#connections.get(socket) ?? addressBytes((socket as Socket).remoteAddress ?? '');
    // Browsers open connections in advance and may never use them, so do not report an unused connection.
    if (status !== 408 || (socket as Socket).bytesRead > 0)
      this.#onRefused({ method: '', path: '', status, detail, peer });
    const { head, body } = refusal(status, detail);
    const headers = { ...head.headers, ...SECURITY_HEADERS, 'content-length': String(Buffer.byteLength(body)) };
    const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.on('error', () => {});
    socket.write(`HTTP/1.1 ${status} ${reasonOf(status)}\r\n${lines.join('')}\r\n${body}`);
    (socket as Socket).destroySoon();
  }
}

function problemOf({ headers }: IncomingMessage, request: NodeRequest): string | null {
  if (headers.host === undefined) return 'host: the header is missing. HTTP/1.1 requires it.';
  return framingProblem(request, headers['transfer-encoding'] ?? '');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** Returns the head of a request without its offer to upgrade. The connection ends after the answer: clients repeat the
 *  offer with each request, and each adds listeners to the connection. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let k = 0; k + 1 < rawHeaders.length; k += 2)
    if (!['connection', 'upgrade', 'http2-settings'].includes(rawHeaders[k]!.toLowerCase()))
      text += `${rawHeaders[k]}: ${rawHeaders[k + 1]}\r\n`;
  return Buffer.from(`${text}connection: close\r\n\r\n`, 'latin1');
}

function isHandshake({ method, url, httpVersion, headers }: IncomingMessage, path: string | null): boolean {
  // HTTP/1.0 has no upgrades (RFC 9110, 7.8).
  if (httpVersion !== '1.1' || method !== 'GET' || headers['sec-websocket-key'] === undefined) return false;
  return url === path || url?.startsWith(`${path}?`) === true;
}

function misreadAs(error: NodeJS.ErrnoException): [number, string] {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return [431, `the request's headers are larger than ${MAX_HEAD_BYTES / 1024} KiB`];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, `the request's headers took longer than ${HEADERS_MS / 1000} s`];
    case 'HPE_INVALID_VERSION':
    case 'HPE_PAUSED_H2_UPGRADE':
      return [505, 'this version of HTTP is not supported. Use HTTP/1.1.'];
    default:
      return [400, `this is not valid HTTP/1.1: ${error.message}`];
  }
}

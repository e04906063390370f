import type { HttpRequest, HttpResponse, us_socket, us_socket_context_t } from 'uWebSockets.js';
import uWS from 'uWebSockets.js';
import { createServer } from 'node:net';
import { StudioError } from '../core/errors.ts';

/** The one file that imports uWebSockets.js: what its type file leaves out or gets wrong ends here.
 *
 *  Rules of the package that every user of this file keeps:
 *  - `onAborted` is the first statement of every handler: one that returns or throws without it aborts the process.
 *  - `request` is dead once the handler returns; `response` once it has ended or aborted.
 *  - outside the handler's synchronous part all writing is in one `cork`; status before headers before body.
 *  - header values are not checked for CR and LF. */
export type { HttpRequest as UwsRequest, HttpResponse as UwsResponse, us_socket_context_t as UwsContext };

export type UwsHandler = (response: HttpResponse, request: HttpRequest) => void;
export type UwsMethod = 'get' | 'post' | 'put' | 'del' | 'head' | 'any';

/** What `send` and `ping` return: 1 sent, 0 taken and waiting for the socket, 2 dropped. */
export const DROPPED = 2;

export interface UwsSocket<Data> {
  getUserData(): Data;
  send(message: string | Uint8Array, isBinary?: boolean): number;
  ping(payload: Uint8Array): number;
  /** Bytes that the kernel has not taken yet; it takes megabytes before there are any. */
  getBufferedAmount(): number;
  /** Writes what `send`s of `writes` give in one go. */
  cork(writes: () => void): unknown;
  /** Says goodbye and closes; calls `close` at once. */
  end(code: number, reason: string): void;
  /** Cuts the connection; calls `close` at once. */
  close(): void;
}

/** ArrayBuffers given to these handlers are gone when the handler returns. */
export interface UwsSocketBehavior<Data> {
  readonly idleTimeout: number;
  readonly maxPayloadLength: number;
  readonly maxBackpressure: number;
  upgrade(response: HttpResponse, request: HttpRequest, context: us_socket_context_t): void;
  open(socket: UwsSocket<Data>): void;
  message(socket: UwsSocket<Data>, message: ArrayBuffer, isBinary: boolean): void;
  pong(socket: UwsSocket<Data>, payload: ArrayBuffer): void;
  dropped(socket: UwsSocket<Data>, message: ArrayBuffer, isBinary: boolean): void;
  close(socket: UwsSocket<Data>, code: number): void;
}

export interface UwsApp {
  route(method: UwsMethod, pattern: string, handler: UwsHandler): void;
  socket<Data>(pattern: string, behavior: UwsSocketBehavior<Data>): void;
  listen(host: string, port: number): Promise<UwsListener>;
  /** Cuts every connection and stops listening. */
  close(): void;
}

export interface UwsListener {
  readonly port: number;
  /** No new connections; those that are there go on. */
  stop(): void;
}

type Token = object;
interface Native {
  listen(host: string, port: number, options: number, done: (token: Token | false) => void): void;
}
/** In the package at run time, not in its types. Without it a second listener might share the port. */
const EXCLUSIVE_PORT = (uWS as unknown as { LIBUS_LISTEN_EXCLUSIVE_PORT: number }).LIBUS_LISTEN_EXCLUSIVE_PORT;

export function createUwsApp(): UwsApp {
  const app = uWS.App();
  return {
    route: (method, pattern, handler) => void app[method](pattern, handler),
    socket: (pattern, behavior) => void app.ws(pattern, { ...behavior, compression: uWS.DISABLED } as never),
    close: () => void app.close(),
    async listen(host, port) {
      const token = await new Promise<Token | false>((resolve) => {
        (app as unknown as Native).listen(host, port, EXCLUSIVE_PORT, resolve);
      });
      if (token === false) throw await whyNot(host, port);
      return { port: uWS.us_socket_local_port(token as us_socket), stop: () => uWS.us_listen_socket_close(token) };
    },
  };
}

/** uWS says only that listening failed: node:net tries the same and knows why. */
async function whyNot(host: string, port: number): Promise<StudioError> {
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
  const where = `${host}:${port}`;
  switch (error?.code) {
    case 'EADDRINUSE':
      return new StudioError('unavailable', `${where} is taken by another program: choose another with --port`);
    case 'EACCES':
      return new StudioError('unavailable', `listening on ${where} is not permitted: choose a --port above 1023`);
    case 'EADDRNOTAVAIL':
      return new StudioError('unavailable', `this machine has no address ${host}: choose another with --host`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StudioError('unavailable', `the name ${host} is not known: choose another with --host`);
    default:
      return new StudioError('unavailable', `cannot listen on ${where}${error ? `: ${error.message}` : ''}`);
  }
}

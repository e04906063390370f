import type { ClientMessage, StudioEvent } from '../../../src/protocol/events.ts';
import { backoffMs } from './backoff.ts';

export interface SocketHandlers {
  readonly opened: () => void;
  /** @param nextTryMs ms until the next attempt */
  readonly lost: (nextTryMs: number) => void;
  /** @returns the frame's `seq`, acknowledged at once: a page that draws slowly still receives every frame, so the
   *  stream keeps its rate and the newest frame is drawn */
  readonly frame: (bytes: ArrayBuffer) => number;
  readonly event: (event: StudioEvent) => void;
}

/** The service sends at least one frame a second; a longer silence means that the connection is dead. */
const SILENCE_MS = 12_000;
/** Frame rate requested while the page is hidden. It is low, but keeps the page's state up to date. */
const HIDDEN_FPS = 2;
const FULL_FPS = 240;

/** The websocket `/ws`. Reconnects as long as the page is open. */
export class StudioSocket {
  readonly #url: string;
  readonly #handlers: SocketHandlers;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #retry = 0;
  #heard = 0;

  constructor(url: string, handlers: SocketHandlers) {
    this.#url = url;
    this.#handlers = handlers;
  }

  start(): void {
    this.#open();
    window.setInterval(() => this.#watch(), 2000);
    document.addEventListener('visibilitychange', () => {
      this.#pace();
      if (!document.hidden && this.#socket === null) this.retryNow();
    });
    window.addEventListener('online', () => this.retryNow());
  }

  /** Reconnects at once instead of waiting for the next attempt. */
  retryNow(): void {
    if (this.#socket !== null) return;
    window.clearTimeout(this.#retry);
    this.#open();
  }

  #open(): void {
    const socket = new WebSocket(this.#url);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#heard = performance.now();
    socket.onopen = () => {
      this.#attempt = 0;
      this.#heard = performance.now();
      this.#handlers.opened();
      this.#pace();
    };
    socket.onmessage = (message: MessageEvent<ArrayBuffer | string>) => {
      this.#heard = performance.now();
      if (typeof message.data === 'string') this.#handlers.event(JSON.parse(message.data) as StudioEvent);
      else this.#send({ type: 'ack', seq: this.#handlers.frame(message.data) });
    };
    socket.onclose = () => this.#lost(socket);
    // The browser always sends `close` after an error, and `close` is handled below.
  }

  #lost(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    const wait = backoffMs(this.#attempt, Math.random());
    this.#attempt += 1;
    this.#retry = window.setTimeout(() => this.#open(), wait);
    this.#handlers.lost(wait);
  }

  #watch(): void {
    const socket = this.#socket;
    if (socket === null || document.hidden || performance.now() - this.#heard < SILENCE_MS) return;
    socket.onclose = null;
    socket.close();
    this.#lost(socket);
  }

  #pace(): void {
    this.#send({ type: 'rate', fps: document.hidden ? HIDDEN_FPS : FULL_FPS });
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

/** Returns the URL of `/ws`, relative to the page. */
export function socketUrl(page: string): string {
  const url = new URL('ws', page);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = '';
  url.hash = '';
  return url.href;
}

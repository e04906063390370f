import { StudioError } from '../core/errors.ts';
import { bytesText } from '../core/log/format-numbers.ts';
import type { Logger } from '../core/logger.ts';
import type { StudioEvent } from '../protocol/events.ts';
import type { Access } from './access/access.ts';
import { readClientMessage } from './client-message.ts';
import type { FrameClient, FrameFanout } from './frame-fanout.ts';
import { Exchange } from './kernel/exchange.ts';
import { failureOf } from './kernel/failure.ts';
import type { Refused } from './refusal-log.ts';
import type { Transport, TransportRequest, TransportSocket } from './transport/transport.ts';

/** Where events come from. */
export interface EventSource {
  /** The events that a new client gets before any frame. */
  snapshot(): Promise<readonly StudioEvent[]>;
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StudioEvent) => void): () => void;
}

export interface LiveOptions {
  readonly access: Access;
  readonly events: EventSource;
  readonly fanout: FrameFanout;
  readonly logger: Logger;
  /** Told of every handshake that was refused. */
  readonly onRefused?: (refused: Refused) => void;
}

/** Nobody may stay silent for longer, s. Clients answer the pings that come by themselves well before. */
const IDLE_S = 20;
/** What may wait in memory for a client: the largest frame and this much. One that lets more wait does not take its
 *  events, and is closed. */
const MAX_WAITING = 8 << 20;
/** Above what credit and MAX_WAITING allow, so that nothing is ever dropped, the goodbye included. */
const MAX_BACKPRESSURE = 64 << 20;
/** A longer message ends the connection; shorter ones that say nothing known are ignored. */
const MAX_MESSAGE = 64 << 10;

const CLOSE = { goingAway: 1001, internal: 1011, tryLater: 1013 } as const;

interface Client {
  /** null until the snapshot has been sent */
  frames: FrameClient | null;
  /** frames a second that it asked for */
  fps: number | null;
  /** events that came while the snapshot was made */
  pending: string[] | null;
  open: boolean;
}

/** The websocket: the state as events, then events as they happen and frames as fast as the client takes them. */
export class LiveSocket {
  readonly #options: LiveOptions;
  readonly #transport: Transport;
  readonly #clients = new Set<TransportSocket<Client>>();
  readonly #unsubscribe: () => void;

  constructor(transport: Transport, path: string, options: LiveOptions) {
    this.#options = options;
    this.#transport = transport;
    this.#unsubscribe = options.events.subscribe((event) => this.#publish(event));
    const { access, fanout } = options;
    transport.onSocket<Client>(path, {
      idleTimeoutS: IDLE_S,
      maxMessageBytes: MAX_MESSAGE,
      maxBufferedBytes: MAX_BACKPRESSURE,
      upgrade(request, response) {
        const exchange = new Exchange(response, request, () => {});
        const refusal = access.refusal(response, request, 'websocket') ?? handshakeProblem(request);
        if (refusal) {
          access.whenDue(refusal, exchange, () => {
            const { status, body, headers } = failureOf(refusal, exchange.id);
            const { method, path: sent } = exchange;
            const { peer } = response;
            options.onRefused?.({ method, path: sent, route: path, status, detail: body.detail, peer });
            exchange.answer(status, { ...headers, 'content-type': 'application/json' }, JSON.stringify(body));
          });
          return null;
        }
        return { frames: null, fps: null, pending: [], open: true };
      },
      open: (socket) => {
        this.#clients.add(socket);
        options.logger.debug(`A websocket client joined: ${this.#clients.size} connected`);
        void this.#welcome(socket);
      },
      message(socket, bytes, isBinary) {
        const client = socket.data;
        const message = readClientMessage(bytes, isBinary);
        if (message?.type === 'ack') {
          if (client.frames) fanout.ack(client.frames, message.seq);
        } else if (message?.type === 'rate') {
          client.fps = message.fps;
          if (client.frames) fanout.limitRate(client.frames, message.fps);
        }
      },
      pong(socket, payload) {
        const { frames } = socket.data;
        if (frames) fanout.pong(frames, payload);
      },
      close: (socket) => {
        const client = socket.data;
        client.open = false;
        client.pending = null;
        this.#clients.delete(socket);
        options.logger.debug(`A websocket client left: ${this.#clients.size} connected`);
        if (client.frames) fanout.leave(client.frames);
      },
    });
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Says goodbye to everyone. */
  close(): void {
    this.#unsubscribe();
    for (const socket of this.#clients) socket.end(CLOSE.goingAway, 'the service is shutting down');
  }

  async #welcome(socket: TransportSocket<Client>): Promise<void> {
    const client = socket.data;
    try {
      const snapshot = await this.#options.events.snapshot();
      if (!client.open) return;
      // What happened meanwhile comes after it: events tell whole states, so the last one is right.
      const texts = [...snapshot.map((event) => JSON.stringify(event)), ...(client.pending ?? [])];
      client.pending = null;
      socket.cork(() => {
        for (const text of texts) socket.send(this.#transport.text(text));
      });
      if (!client.open) return;
      client.frames = this.#options.fanout.join(socket);
      if (client.fps !== null) this.#options.fanout.limitRate(client.frames, client.fps);
    } catch (error) {
      this.#options.logger.error({ err: error }, 'a websocket client could not be told the state');
      if (client.open) socket.end(CLOSE.internal, 'internal error');
    }
  }

  #publish(event: StudioEvent): void {
    if (this.#clients.size === 0) return;
    const text = JSON.stringify(event);
    const message = this.#transport.text(text);
    const most = MAX_WAITING + this.#options.fanout.frameBytes;
    // Not by a topic: to sockets that subscribe to one, uWebSockets.js sends every frame through a copy of its own,
    // which costs a fifth of all CPU time.
    for (const socket of this.#clients) {
      const { pending } = socket.data;
      if (pending) pending.push(text);
      else if (socket.bufferedBytes <= most) socket.send(message);
      else if (socket.data.open) this.#drop(socket);
    }
  }

  /** Closes a client that does not take its events. */
  #drop(socket: TransportSocket<Client>): void {
    // First: the log line is an event, too.
    socket.data.open = false;
    const waiting = bytesText(socket.bufferedBytes);
    this.#options.logger.warn(`A slow websocket client was closed: ${waiting} of frames and events waited for it`);
    socket.end(CLOSE.tryLater, 'events come faster than they are taken');
  }
}

/** uWebSockets takes any request with a key for one that wants a websocket. */
function handshakeProblem(request: TransportRequest): StudioError | null {
  const wants = request.header('upgrade').toLowerCase() === 'websocket';
  if (wants && request.header('sec-websocket-version') === '13') return null;
  return new StudioError('upgrade_required', 'this is the websocket: connect to it as one, version 13');
}

import { StudioError } from '../core/errors.ts';
import { bytesText } from '../core/log/format-numbers.ts';
import type { Logger } from '../core/logger.ts';
import type { StudioEvent } from '../protocol/events.ts';
import type { Access } from './access/access.ts';
import type { ClientList, ListedClient } from './client-list.ts';
import { readClientMessage } from './client-message.ts';
import type { FrameClient, FrameFanout } from './frame-fanout.ts';
import { Exchange } from './kernel/exchange.ts';
import { failureOf } from './kernel/failure.ts';
import type { Refused } from './refusal-log.ts';
import type { Transport, TransportRequest, TransportSocket } from './transport/transport.ts';

/** Source of events. */
interface EventSource {
  /** Returns the events that a new client gets before any frame. */
  snapshot(): Promise<readonly StudioEvent[]>;
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: StudioEvent) => void): () => void;
}

export interface LiveOptions {
  readonly access: Access;
  readonly events: EventSource;
  readonly fanout: FrameFanout;
  readonly clients: ClientList;
  /** token sent to clients with the role `control`; null if the service has no view token */
  readonly viewToken: string | null;
  readonly logger: Logger;
  /** Called for every refused handshake. */
  readonly onRefused?: (refused: Refused) => void;
}

/** A client that is silent for longer is disconnected, s. Automatic pings keep a living client below this. */
const IDLE_S = 20;
/** A client that does not read its events is disconnected when more than one frame plus this many bytes wait for it in
 *  memory. */
const MAX_WAITING = 8 << 20;
/** Limit of unsent bytes per socket, bytes. It is larger than the bytes that can wait for a client (its frame credit
 *  and MAX_WAITING), so that the socket never drops a message, including the close frame. */
const MAX_BACKPRESSURE = 64 << 20;
/** A longer message ends the connection. Shorter unknown messages are ignored. */
const MAX_MESSAGE = 64 << 10;

const CLOSE = { goingAway: 1001, internal: 1011, tryLater: 1013 } as const;

interface Client {
  readonly listed: ListedClient;
  /** null until the snapshot of the state has been sent */
  frames: FrameClient | null;
  /** requested frames a second */
  fps: number | null;
  /** events published while the snapshot was made */
  pending: string[] | null;
  open: boolean;
}

/** The websocket endpoint. A client first gets the state as events. Then it gets each event as it happens, and frames
 *  as fast as it reads them. */
export class LiveSocket {
  readonly #options: LiveOptions;
  readonly #transport: Transport;
  readonly #clients = new Set<TransportSocket<Client>>();
  readonly #unsubscribe: () => void;

  constructor(transport: Transport, path: string, options: LiveOptions) {
    this.#options = options;
    this.#transport = transport;
    this.#unsubscribe = options.events.subscribe((event) => this.#publish(event));
    const { access, fanout, clients } = options;
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
        const role = access.isViewer(request) ? 'view' : 'control';
        return { listed: clients.add(role), frames: null, fps: null, pending: [], open: true };
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
        clients.remove(client.listed);
        if (client.frames) fanout.leave(client.frames);
      },
    });
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Closes every client with code 1001. */
  close(): void {
    this.#unsubscribe();
    for (const socket of this.#clients) socket.end(CLOSE.goingAway, 'the service is shutting down');
  }

  async #welcome(socket: TransportSocket<Client>): Promise<void> {
    const client = socket.data;
    try {
      const snapshot = await this.#options.events.snapshot();
      if (!client.open) return;
      // Events that were published during the snapshot are sent after it. Each event contains a whole state, so the
      // last one is correct.
      const events = [this.#introduction(client), ...snapshot];
      const texts = [...events.map((event) => JSON.stringify(event)), ...(client.pending ?? [])];
      client.pending = null;
      socket.cork(() => {
        for (const text of texts) socket.send(this.#transport.text(text));
      });
      if (!client.open) return;
      client.frames = this.#options.fanout.join(socket);
      client.listed.frames = client.frames;
      if (client.fps !== null) this.#options.fanout.limitRate(client.frames, client.fps);
    } catch (error) {
      this.#options.logger.error({ err: error }, 'the state could not be sent to a websocket client');
      if (client.open) socket.end(CLOSE.internal, 'internal error');
    }
  }

  #introduction({ listed }: Client): StudioEvent {
    const { id, role } = listed;
    const viewToken = role === 'control' ? this.#options.viewToken : null;
    return { type: 'event', topic: 'client', payload: { id, role, view_token: viewToken } };
  }

  #publish(event: StudioEvent): void {
    if (this.#clients.size === 0) return;
    const text = JSON.stringify(event);
    const message = this.#transport.text(text);
    const most = MAX_WAITING + this.#options.fanout.frameBytes;
    // Does not use uWebSockets.js topics: for a socket that subscribes to one, it copies every frame, which takes a
    // fifth of all CPU time.
    for (const socket of this.#clients) {
      const { pending } = socket.data;
      if (pending) pending.push(text);
      else if (socket.bufferedBytes <= most) socket.send(message);
      else if (socket.data.open) this.#drop(socket);
    }
  }

  /** Disconnects a client that does not read its events. */
  #drop(socket: TransportSocket<Client>): void {
    // Mark the client first, because the log line is sent as an event too.
    socket.data.open = false;
    const waiting = bytesText(socket.bufferedBytes);
    this.#options.logger.warn(
      `A slow websocket client was disconnected: ${waiting} of frames and events were waiting for it`,
    );
    socket.end(CLOSE.tryLater, 'the client does not read its events fast enough');
  }
}

/** Returns the problem of an invalid websocket handshake. uWebSockets.js accepts any request that has a key. */
function handshakeProblem(request: TransportRequest): StudioError | null {
  const wants = request.header('upgrade').toLowerCase() === 'websocket';
  if (wants && request.header('sec-websocket-version') === '13') return null;
  return new StudioError('upgrade_required', 'this path is a websocket: open it with a websocket client, version 13');
}

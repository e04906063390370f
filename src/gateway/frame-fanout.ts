import { type FrameFeed, monotonicMs } from '../core/frame-ring.ts';
import { FrameCredit, keepPace, NO_PING, newPace } from './frame-credit.ts';
import type { SendResult, SocketMessage } from './transport/transport.ts';

/** The websocket of a client. `send` and `ping` do not use the bytes after they return. */
export interface FrameSocket {
  send(message: SocketMessage): SendResult;
  ping(payload: Uint8Array): void;
}

export interface FanoutOptions {
  /** maximum rate of frame bytes to one client, Mbit/s */
  readonly maxMbps: number;
  /** Creates the message of a frame, once for all clients. @param bytes valid until the sends of this round are done */
  readonly encode: (bytes: Uint8Array, seq: number) => SocketMessage;
  /** Called for every frame with the duration of the send loop and the time from publishing to its start, ms. */
  readonly observe?: (loopMs: number, delayMs: number, seq: number, publishedMs: number) => void;
}

/** Sums over all clients since the start. */
export interface FanoutTotals {
  frames: number;
  bytes: number;
  /** frames replaced by a newer one before a client was ready for them */
  superseded: number;
}

const PROBE_BYTES = 1;
const TAG_BYTES = 4;

/** One client of the stream. */
export class FrameClient {
  /** 1, 2, 3 in the order of joining */
  readonly id: number;
  readonly socket: FrameSocket;
  readonly credit: FrameCredit;
  /** Sequence number of the last frame sent, 0 before the first. */
  seq = 0;
  /** minimum interval between frames that the client requested, ms */
  intervalMs = 0;
  /** earliest time of the next frame, on the clock of performance.now() */
  dueMs = 0;
  /** Whether a newer frame exists that could not be sent yet. */
  waiting = false;
  frames = 0;
  bytes = 0;
  superseded = 0;

  constructor(id: number, socket: FrameSocket, credit: FrameCredit) {
    this.id = id;
    this.socket = socket;
    this.credit = credit;
  }
}

/** Sends the newest frame of a feed to every client, straight from shared memory. A client that is ready gets the
 *  latest frame, and never a backlog. */
export class FrameFanout {
  readonly totals: FanoutTotals = { frames: 0, bytes: 0, superseded: 0 };
  readonly #feed: FrameFeed;
  readonly #options: FanoutOptions;
  readonly #clients = new Set<FrameClient>();
  readonly #pace = newPace();
  readonly #endFeed: () => void;
  readonly #tag = new Uint8Array(TAG_BYTES);
  readonly #tagView = new DataView(this.#tag.buffer);
  readonly #probe = new Uint8Array(PROBE_BYTES);
  #joined = 0;
  #seq = 0;
  #timer: NodeJS.Timeout | null = null;
  #timerMs = Number.POSITIVE_INFINITY;
  /** the client that `#sendOne` sends to */
  #one: FrameClient | null = null;

  constructor(feed: FrameFeed, options: FanoutOptions) {
    this.#feed = feed;
    this.#options = options;
    this.#endFeed = feed.onFrame(() => this.#round());
  }

  get clients(): ReadonlySet<FrameClient> {
    return this.#clients;
  }

  /** Size of the latest frame. */
  get frameBytes(): number {
    return this.#pace.bytes;
  }

  /** Adds a client and sends it the newest frame. */
  join(socket: FrameSocket): FrameClient {
    this.#joined += 1;
    const client = new FrameClient(this.#joined, socket, new FrameCredit(this.#pace));
    this.#clients.add(client);
    this.#sendProbe(client, performance.now());
    this.#catchUp(client);
    return client;
  }

  /** Removes a client; its socket is not used again. */
  leave(client: FrameClient): void {
    this.#clients.delete(client);
  }

  /** Handles a pong of the client. Answers to the transport's own pings are empty and ignored. */
  pong(client: FrameClient, payload: Uint8Array): void {
    const now = performance.now();
    if (payload.byteLength === PROBE_BYTES) client.credit.probeReturned(now);
    else if (payload.byteLength === TAG_BYTES && client.credit.pong(readTag(payload), now)) {
      if (client.waiting) this.#catchUp(client);
    }
  }

  /** Handles the acknowledgement of frame `seq` by the client. */
  ack(client: FrameClient, seq: number): void {
    if (client.credit.ack(seq) && client.waiting) this.#catchUp(client);
  }

  /** Limits the client to `fps` frames a second. */
  limitRate(client: FrameClient, fps: number): void {
    client.intervalMs = 1000 / fps;
    client.dueMs = Math.min(client.dueMs, performance.now() + client.intervalMs);
    if (client.waiting) this.#catchUp(client);
  }

  close(): void {
    this.#endFeed();
    this.#clients.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #round(): void {
    this.#seq = this.#feed.readLatest(this.#seq, this.#sendAll);
  }

  readonly #sendAll = (bytes: Uint8Array, seq: number, publishedMs: number): void => {
    const startMs = performance.now();
    const delayMs = monotonicMs() - publishedMs;
    keepPace(this.#pace, startMs, bytes.byteLength, delayMs);
    // Accept frames that are half an interval early; otherwise 30 of 60 frames a second would become 20.
    const dueMs = startMs + this.#pace.intervalMs / 2;
    const message = this.#options.encode(bytes, seq);
    for (const client of this.#clients) {
      if (client.seq >= seq) continue;
      if (client.dueMs > dueMs) this.#postpone(client);
      else if (client.credit.open) this.#send(client, message, seq, startMs);
      else {
        client.waiting = true;
        this.#ping(client, client.credit.held());
      }
    }
    this.#pace.roundToMs = performance.now();
    this.#options.observe?.(this.#pace.roundToMs - startMs, delayMs, seq, publishedMs);
  };

  readonly #sendOne = (bytes: Uint8Array, seq: number): void => {
    if (this.#one !== null) this.#send(this.#one, this.#options.encode(bytes, seq), seq, performance.now());
  };

  /** Sends the newest frame to a client if the client has not received it and has credit. */
  #catchUp(client: FrameClient): void {
    const now = performance.now();
    if (!client.credit.open) {
      this.#ping(client, client.credit.held());
      return;
    }
    if (client.dueMs > now + 0.5) {
      this.#postpone(client);
      return;
    }
    client.waiting = false;
    this.#one = client;
    this.#feed.readLatest(client.seq, this.#sendOne);
    this.#one = null;
  }

  #send(client: FrameClient, message: SocketMessage, seq: number, nowMs: number): void {
    const { socket, credit } = client;
    if (credit.probeDue(nowMs)) this.#sendProbe(client, nowMs);
    if (socket.send(message) === 'dropped') {
      client.waiting = true;
      return;
    }
    const skipped = client.seq === 0 ? 0 : seq - client.seq - 1;
    client.seq = seq;
    client.waiting = false;
    client.frames += 1;
    client.bytes += message.byteLength;
    client.superseded += skipped;
    this.totals.frames += 1;
    this.totals.bytes += message.byteLength;
    this.totals.superseded += skipped;
    const bytesMs = (message.byteLength * 8) / (this.#options.maxMbps * 1e3);
    client.dueMs = Math.max(client.dueMs, nowMs - this.#pace.intervalMs) + Math.max(client.intervalMs, bytesMs);
    this.#ping(client, credit.frameSent(seq));
  }

  #ping({ socket, credit }: FrameClient, tag: number): void {
    if (tag === NO_PING) return;
    this.#tagView.setUint32(0, tag);
    credit.pingSent(tag, performance.now());
    socket.ping(this.#tag);
  }

  #sendProbe(client: FrameClient, nowMs: number): void {
    client.credit.probeSent(nowMs);
    client.socket.ping(this.#probe);
  }

  /** Schedules sending of the newest frame for the earliest time that the client's rate allows, even if no further
   *  frame is published. */
  #postpone(client: FrameClient): void {
    client.waiting = true;
    if (client.dueMs >= this.#timerMs) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timerMs = client.dueMs;
    this.#timer = setTimeout(this.#sendDue, Math.max(1, client.dueMs - performance.now()));
  }

  readonly #sendDue = (): void => {
    this.#timer = null;
    this.#timerMs = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const client of this.#clients) {
      if (!client.waiting) continue;
      if (client.dueMs <= now + 0.5) this.#catchUp(client);
      else this.#postpone(client);
    }
  };
}

function readTag(payload: Uint8Array): number {
  return new DataView(payload.buffer, payload.byteOffset).getUint32(0);
}

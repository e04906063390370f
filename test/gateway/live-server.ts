import { EventHub } from '../../src/app/event-hub.ts';
import {
  acknowledgeWake,
  claimSlot,
  createFrameRing,
  type FrameFeed,
  nextSeq,
  publishSlot,
  readLatest,
} from '../../src/core/frame-ring.ts';
import { Access } from '../../src/gateway/access/access.ts';
import { ClientList } from '../../src/gateway/client-list.ts';
import { FrameFanout } from '../../src/gateway/frame-fanout.ts';
import { LiveSocket } from '../../src/gateway/live-socket.ts';
import type { StudioEvent } from '../../src/protocol/events.ts';
import { testTransport } from '../support/transport.ts';
import { silentLogger } from './kernel-server.ts';

/** A feed of frames that the test publishes from this thread. */
class TestFeed implements FrameFeed {
  readonly #ring;
  readonly #listeners = new Set<() => void>();

  constructor(bytes: number) {
    this.#ring = createFrameRing(bytes);
  }

  get seq(): number {
    return nextSeq(this.#ring) - 1;
  }

  onFrame(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  readLatest: FrameFeed['readLatest'] = (after, visit) => readLatest(this.#ring, after, visit);

  /** Publishes a frame of `bytes` bytes: a header with its number, then padding. @returns the number */
  publish(bytes: number): number {
    const seq = nextSeq(this.#ring);
    const slot = claimSlot(this.#ring);
    const frame = this.#ring.slots[slot]!;
    const header = Buffer.from(JSON.stringify({ seq }));
    new DataView(frame.buffer, frame.byteOffset).setUint32(0, header.length, true);
    frame.set(header, 4);
    publishSlot(this.#ring, slot, bytes);
    acknowledgeWake(this.#ring);
    for (const listener of this.#listeners) listener();
    return seq;
  }
}

export interface LiveServer {
  readonly port: number;
  readonly address: string;
  readonly feed: TestFeed;
  readonly hub: EventHub;
  readonly fanout: FrameFanout;
  readonly live: LiveSocket;
  close(): void;
}

export interface LiveGiven {
  readonly snapshot?: () => Promise<readonly StudioEvent[]>;
  readonly frameBytes?: number;
  readonly maxMbps?: number;
  readonly token?: string;
  readonly viewToken?: string;
}

/** Serves the websocket with frames and events that a test publishes. */
export async function serveLive(given: LiveGiven = {}): Promise<LiveServer> {
  const transport = await testTransport();
  const feed = new TestFeed(given.frameBytes ?? 1024);
  const hub = new EventHub();
  const fanout = new FrameFanout(feed, {
    maxMbps: given.maxMbps ?? 400,
    encode: (bytes, seq) => transport.frame(bytes, seq),
  });
  const clients = new ClientList();
  const live = new LiveSocket(transport, '/ws', {
    access: new Access({ token: given.token ?? null, viewToken: given.viewToken ?? null, allowedHosts: [] }),
    events: {
      snapshot: given.snapshot ?? (async () => [{ type: 'event', topic: 'owner', payload: { owner: 'robots' } }]),
      subscribe: (listener) => hub.subscribe(listener),
    },
    fanout,
    clients,
    viewToken: given.viewToken ?? null,
    logger: silentLogger(),
  });
  const { port } = await transport.listen('127.0.0.1', 0);
  return { port, address: `http://127.0.0.1:${port}`, feed, hub, fanout, live, close: () => transport.close() };
}

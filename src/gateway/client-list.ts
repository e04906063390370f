import { randomBytes } from 'node:crypto';
import type { ClientRole } from '../protocol/events.ts';
import type { Client } from '../protocol/schemas/client.ts';
import type { FrameClient } from './frame-fanout.ts';

/** Interval between two readings of the frame counters, ms. */
const SAMPLE_MS = 1000;

/** One connected websocket. */
export class ListedClient {
  readonly id = randomBytes(6).toString('base64url');
  readonly role: ClientRole;
  readonly since = new Date().toISOString();
  /** null until the client gets frames */
  frames: FrameClient | null = null;
  /** frames sent in the last full interval, per second */
  rate = 0;
  #sent = 0;

  constructor(role: ClientRole) {
    this.role = role;
  }

  /** Computes the rate since the last call, which was `seconds` ago. */
  sample(seconds: number): void {
    const sent = this.frames?.frames ?? 0;
    this.rate = (sent - this.#sent) / seconds;
    this.#sent = sent;
  }
}

/** The connected websocket clients. Rates are measured once a second, so that sending a frame costs no extra time. */
export class ClientList {
  readonly #clients = new Map<string, ListedClient>();
  #timer: NodeJS.Timeout | null = null;
  #sampledMs = 0;

  add(role: ClientRole): ListedClient {
    const client = new ListedClient(role);
    this.#clients.set(client.id, client);
    this.#sampledMs = this.#timer === null ? performance.now() : this.#sampledMs;
    this.#timer ??= setInterval(() => this.#sample(), SAMPLE_MS).unref();
    return client;
  }

  remove(client: ListedClient): void {
    this.#clients.delete(client.id);
    if (this.#clients.size === 0) this.close();
  }

  /** Returns the id if a client with the role `control` is connected with it, else null. */
  known(id: string): string | null {
    return this.#clients.get(id)?.role === 'control' ? id : null;
  }

  /** Returns the connected clients, the oldest connection first. @param you id in the request; '' without one */
  list(you: string): Client[] {
    return [...this.#clients.values()].map(({ id, role, since, rate, frames }) => ({
      id,
      role,
      since,
      rate: Math.round(rate * 10) / 10,
      skipped: frames?.superseded ?? 0,
      you: id === you,
    }));
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #sample(): void {
    const now = performance.now();
    for (const client of this.#clients.values()) client.sample((now - this.#sampledMs) / 1e3);
    this.#sampledMs = now;
  }
}

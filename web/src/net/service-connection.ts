import { computed, signal } from '@preact/signals';
import { ReplyError } from '../../../src/protocol/http-client.ts';
import type { Client } from '../../../src/protocol/schemas/client.ts';

export interface Connection {
  readonly state: 'connecting' | 'open' | 'lost';
  /** time of the last change on the page's monotonic clock, ms */
  readonly since: number;
  /** wall time of the last frame before the connection was lost, ms; null if no frame had arrived */
  readonly lastFrame: number | null;
}

/** State of the connection to the service, with the measurements of its heartbeat. */
export class ServiceConnection {
  readonly connection = signal<Connection>({ state: 'connecting', since: 0, lastFrame: null });
  /** round trip to the service, ms */
  readonly latencyMs = signal<number | null>(null);
  /** pages and programs that receive the scene; null before they are first listed */
  readonly clients = signal<readonly Client[] | null>(null);
  /** True if the service refuses the token of this page. A browser does not tell a page why its websocket was refused,
   *  so only the heartbeat knows. */
  readonly refused = signal(false);
  /** what the page says while it is not connected */
  readonly lostText = computed(() => (this.refused.value ? 'Access refused' : 'Reconnecting'));
  readonly service = signal<{ readonly version: string; readonly uptimeS: number } | null>(null);

  /** @param now monotonic clock, ms */
  readonly opened = (now: number): void => {
    this.connection.value = { state: 'open', since: now, lastFrame: null };
    this.refused.value = false;
  };

  /** @param error why the request failed; null if the service answered */
  readonly heartbeat = (error: unknown): void => {
    this.refused.value = error instanceof ReplyError && error.status === 401;
    if (error !== null) this.latencyMs.value = null;
  };

  /** Records that the connection was lost. Further failed attempts to connect keep the time of the first. @param
   *  frameAge time since the last frame, ms; null if no frame had arrived */
  readonly lost = (now: number, wallTime: number, frameAge: number | null): void => {
    if (this.connection.peek().state === 'lost') return;
    this.connection.value = { state: 'lost', since: now, lastFrame: frameAge === null ? null : wallTime - frameAge };
  };
}

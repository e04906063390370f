import { signal } from '@preact/signals';

export interface Connection {
  readonly state: 'connecting' | 'open' | 'lost';
  /** time of the last change on the page's monotonic clock, ms */
  readonly since: number;
  /** wall time of the last frame before the loss, ms; null without one */
  readonly lastFrame: number | null;
}

/** The connection to the service and what its heartbeat measured. */
export class ServiceConnection {
  readonly connection = signal<Connection>({ state: 'connecting', since: 0, lastFrame: null });
  /** round trip to the service, ms */
  readonly latencyMs = signal<number | null>(null);
  /** pages and programs that receive the scene */
  readonly viewers = signal<number | null>(null);
  readonly service = signal<{ readonly version: string; readonly uptimeS: number } | null>(null);

  /** @param now monotonic clock, ms */
  readonly opened = (now: number): void => {
    this.connection.value = { state: 'open', since: now, lastFrame: null };
  };

  /** Marks the loss; further failed attempts keep the time of the first. @param frameAge ms since the last frame, null
   *  without one */
  readonly lost = (now: number, wallTime: number, frameAge: number | null): void => {
    if (this.connection.peek().state === 'lost') return;
    this.connection.value = { state: 'lost', since: now, lastFrame: frameAge === null ? null : wallTime - frameAge };
  };
}

import { signal } from '@preact/signals';

export interface Connection {
  readonly state: 'connecting' | 'open' | 'lost';
  /** performance.now() since when */
  readonly since: number;
  /** Date.now() of the last frame before the loss */
  readonly lastFrame: number | null;
}

export const connection = signal<Connection>({ state: 'connecting', since: 0, lastFrame: null });

/** Round trip to the service, ms. */
export const latencyMs = signal<number | null>(null);
/** Pages and programs that listen to the scene. */
export const viewers = signal<number | null>(null);
export const service = signal<{ readonly version: string; readonly uptimeS: number } | null>(null);

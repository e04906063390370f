import type { Exchange } from './exchange.ts';
import type { MountedRoute, RawCall } from './mounted-route.ts';
import type { Negotiation } from './negotiation.ts';

/** One request to a route, from its arrival to its answer. */
export interface RequestContext<C> {
  readonly route: MountedRoute<C>;
  readonly exchange: Exchange;
  readonly negotiation: Negotiation;
  readonly raw: RawCall;
  /** id of the client that sent the request; null if unknown, and for every GET */
  readonly actor: string | null;
}

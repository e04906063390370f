import { withoutAbsent } from '../../core/absent-fields.ts';
import { check } from '../../core/validation.ts';
import type { RouteSpec } from '../../protocol/route.ts';
import type { Intent } from '../access/access.ts';
import { readQuery } from '../address/query.ts';
import type { TransportRequest } from '../transport/transport.ts';
import type { OnAnswered } from './exchange.ts';
import type { Call, Handler } from './handler.ts';
import { partsOf, RoutePattern } from './route-pattern.ts';

/** Longest time for which `Prefer: wait` delays an answer, s. */
const LONGEST_WAIT_S = 60;

/** A contract with its handler, ready to serve requests. */
export interface MountedRoute<C> {
  readonly spec: RouteSpec;
  readonly pattern: RoutePattern;
  readonly handler: Handler<C>;
  readonly intent: Intent;
  readonly onAnswered: OnAnswered;
}

type Shape = Pick<MountedRoute<unknown>, 'spec' | 'pattern'>;

export function mountRoute<C>(spec: RouteSpec, handler: Handler<C>, onAnswered: OnAnswered): MountedRoute<C> {
  const intent = spec.method !== 'GET' ? 'act' : spec.sideEffects ? 'trigger' : 'read';
  return { spec, pattern: new RoutePattern(spec.path), handler, intent, onAnswered };
}

/** What a route needs from the request line and headers. Copied before the handler's first `await`, not yet decoded. */
export interface RawCall {
  readonly parts: readonly string[];
  readonly query: string;
  /** `Prefer: wait=<seconds>`; null without the header */
  readonly waitS: number | null;
  readonly fromThisMachine: boolean;
  readonly viewer: boolean;
  /** `X-Client-Id`; '' without the header */
  readonly client: string;
}

const EMPTY: RawCall = { parts: [], query: '', waitS: null, fromThisMachine: false, viewer: false, client: '' };

/** Answers questions about the sender of a request. `rawCall` uses it only for routes that depend on the sender. */
interface Sender {
  isThisMachine(): boolean;
  isViewer(): boolean;
}

export function rawCall({ spec, pattern }: Shape, request: TransportRequest, sender: Sender): RawCall {
  const query = spec.query || spec.path.startsWith('/api/') ? request.query : '';
  if (query === '' && !pattern.hasParams && !spec.slow && !spec.sideEffects && !spec.asksSender) return EMPTY;
  return {
    parts: pattern.hasParams ? partsOf(request.path) : EMPTY.parts,
    query,
    waitS: spec.slow ? preferredWait(request.header('prefer')) : null,
    fromThisMachine: spec.sideEffects === true && sender.isThisMachine(),
    viewer: spec.asksSender === true && sender.isViewer(),
    client: spec.asksSender === true ? request.header('x-client-id') : '',
  };
}

/** Reads `Prefer: wait`. Preferences that are not understood are ignored (RFC 7240). */
function preferredWait(prefer: string): number | null {
  const seconds = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=[,;]|$)/i.exec(prefer)?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds), LONGEST_WAIT_S);
}

/** The decoded and validated call that a handler receives.
 *  @throws bad_input naming the field that does not match the contract */
export class CheckedCall implements Call<RouteSpec> {
  readonly params: Record<never, string>;
  readonly query: Record<string, never>;
  readonly body: Record<string, never>;
  readonly fromThisMachine: boolean;
  readonly viewer: boolean;
  readonly client: string;
  #controller: AbortController | null = null;
  #aborted = false;

  /** @param body parsed JSON, not yet validated */
  constructor({ spec, pattern }: Shape, raw: RawCall, body: unknown) {
    this.fromThisMachine = raw.fromThisMachine;
    this.viewer = raw.viewer;
    this.client = raw.client;
    this.params = pattern.hasParams ? pattern.params(raw.parts) : {};
    this.query = readQuery(spec.path, spec.query, raw.query) as Record<string, never>;
    this.body = (spec.body ? check(spec.body, withoutAbsent(spec.body, body), 'body') : {}) as Record<string, never>;
  }

  /** Created on first use: most handlers do not need it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }
}

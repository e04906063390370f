import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { StudioError } from '../../core/errors.ts';
import type { ClientRole } from '../../protocol/events.ts';
import type { Exchange } from '../kernel/exchange.ts';
import type { TransportRequest, TransportResponse } from '../transport/transport.ts';
import { OwnAddresses } from './peer.ts';
import { Token, tokenCookie, tokensIn } from './token.ts';
import { WrongTokens } from './wrong-tokens.ts';

export interface AccessOptions {
  /** null: no token is required */
  readonly token: string | null;
  /** token of clients that may only read; null: there are none */
  readonly viewToken?: string | null;
  /** Whether clients on this machine must also send the token; default false. */
  readonly tokenForAll?: boolean;
  readonly allowedHosts: readonly string[];
  readonly ownAddresses?: OwnAddresses;
  /** Receives a log line about wrong tokens, at most once a minute. */
  readonly warn?: (text: string) => void;
}

/** Kind of a request, as far as access depends on it. */
export type Intent =
  /** GET and HEAD */
  | 'read'
  /** a read with a side effect; pages of other sites must not be able to trigger it */
  | 'trigger'
  /** everything else */
  | 'act'
  | 'websocket';

/** Headers that proxies and tunnels add, besides `x-forwarded*`. A request through a proxy on this machine seems to
 *  come from this machine; these headers show that it does not. */
const PROXY_HEADERS: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'true-client-ip',
  'cf-connecting-ip',
  'fly-client-ip',
  'cdn-loop',
  'tailscale-user-login',
]);
/** Number of accepted Host headers to remember. Few are needed, because a browser always sends the same one. */
const REMEMBERED_HOSTS = 64;

/** Decides whether a request is allowed. Checks the token, and protects against pages of other sites in a browser that
 *  can reach the service (cross-site requests and DNS rebinding). Requests of scripts have no Origin header and pass
 *  this protection. */
export class Access {
  readonly #token: Token | null;
  readonly #viewToken: Token | null;
  readonly #names: ReadonlySet<string>;
  readonly #own: OwnAddresses;
  readonly #tokenForAll: boolean;
  readonly #wrongTokens: WrongTokens;
  readonly #goodHosts = new Set<string>();

  constructor(options: AccessOptions) {
    this.#token = options.token === null ? null : new Token(options.token);
    this.#viewToken = options.viewToken == null ? null : new Token(options.viewToken);
    this.#names = new Set(['localhost', hostname(), ...options.allowedHosts].map((name) => name.toLowerCase()));
    this.#own = options.ownAddresses ?? new OwnAddresses();
    this.#tokenForAll = options.tokenForAll ?? false;
    this.#wrongTokens = new WrongTokens(options.warn ?? (() => {}));
  }

  /** Returns why the request is refused, or null. Call it before the handler's first `await`. */
  refusal(response: TransportResponse, request: TransportRequest, intent: Intent): StudioError | null {
    const sent = this.#token === null ? [] : sentTokens(request);
    const role = this.#roleOf(sent);
    const authentic = role !== null;
    if (this.#token !== null && !authentic && (this.#tokenForAll || !this.isThisMachine(response, request)))
      return sent.length === 0 ? UNAUTHORIZED : WRONG_TOKEN;
    const host = request.header('host');
    if (!authentic && !this.#isGoodHost(host)) {
      return new StudioError(
        'forbidden',
        `host ${JSON.stringify(host.slice(0, 100))} is not allowed. Use the IP address or localhost, or start the service with --allowed-host <name>.`,
      );
    }
    if (role === 'view' && !READING.has(request.method)) return VIEW_ONLY;
    if (intent === 'read' && request.method !== 'HEAD') return null;
    if (intent === 'trigger') {
      const site = request.header('sec-fetch-site');
      return site === '' || site === 'same-origin' || site === 'none' ? null : CROSS_SITE;
    }
    const origin = request.header('origin');
    return origin === '' || hostOf(origin) === host.toLowerCase() ? null : CROSS_SITE;
  }

  /** Whether the client may only read. Call it before the handler's first `await`. */
  isViewer(request: TransportRequest): boolean {
    return this.#viewToken !== null && this.#roleOf(sentTokens(request)) === 'view';
  }

  /** Calls `answer` for a refused request: after a delay for a wrong token, to slow down guessing, otherwise
   *  immediately. Call it before the handler's first `await`. */
  whenDue(refusal: StudioError, exchange: Exchange, answer: () => void): void {
    if (refusal === WRONG_TOKEN) exchange.onGone(this.#wrongTokens.delay(exchange.response.peer, answer));
    else answer();
  }

  /** Whether the client runs on this machine. Call it before the handler's first `await`. */
  isThisMachine(response: TransportResponse, request: TransportRequest): boolean {
    let forwarded = false;
    // Check the header names: `header` returns '' for a missing and for an empty header, but an empty proxy header also
    // shows a proxy.
    request.eachHeader((name) => {
      forwarded ||= name.startsWith('x-forwarded') || PROXY_HEADERS.has(name);
    });
    return !forwarded && this.#own.has(response.peer);
  }

  /** @returns the cookie to set for a right token in `/?token=`, '' if the service has no token, null for a wrong
   *  token */
  cookieFor(sent: string): string | null {
    if (this.#token === null) return '';
    return this.#roleOf([sent]) === null ? null : tokenCookie(sent);
  }

  /** Returns the highest role that one of the tokens gives; null if none is right. */
  #roleOf(sent: readonly string[]): ClientRole | null {
    if (sent.some((token) => this.#token?.equals(token))) return 'control';
    return sent.some((token) => this.#viewToken?.equals(token)) ? 'view' : null;
  }

  #isGoodHost(host: string): boolean {
    if (this.#goodHosts.has(host)) return true;
    const name = nameOf(host);
    const good = isIP(name) !== 0 || this.#names.has(name);
    if (good && this.#goodHosts.size < REMEMBERED_HOSTS) this.#goodHosts.add(host);
    return good;
  }
}

const HOW = 'open /?token=<token> once in the browser, or send the header "Authorization: Bearer <token>"';
const UNAUTHORIZED = new StudioError('unauthorized', `token required: ${HOW}`);
/** The log of refused requests omits this error, because `WrongTokens` logs it. */
export const WRONG_TOKEN = new StudioError('unauthorized', `wrong token: ${HOW}`);
const VIEW_ONLY = new StudioError(
  'forbidden',
  'the view token allows reading only. Use the token of the service to change something.',
);
/** Methods that do not change anything. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const CROSS_SITE = new StudioError('forbidden', 'requests from pages of other sites are refused');

/** Returns every token of a request: in cookies, as Bearer and in the query of the page. */
function sentTokens(request: TransportRequest): string[] {
  const sent = tokensIn(request.header('cookie'), request.header('authorization'));
  const inQuery = request.path === '/' ? new URLSearchParams(request.query).get('token') : null;
  return inQuery === null ? sent : [...sent, inQuery];
}

/** Returns the name in a Host header without port and brackets, in lower case. */
function nameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](:\d+)?$/.exec(host)?.[1];
  return (bracketed ?? host.replace(/:\d+$/, '')).toLowerCase();
}

/** Returns host and port of an Origin header; '' for the origin `null`. */
function hostOf(origin: string): string {
  try {
    return new URL(origin).host;
  } catch {
    return '';
  }
}

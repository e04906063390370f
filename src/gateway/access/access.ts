import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { StudioError } from '../../core/errors.ts';
import type { Exchange } from '../kernel/exchange.ts';
import type { TransportRequest, TransportResponse } from '../transport/transport.ts';
import { OwnAddresses } from './peer.ts';
import { Token, tokenCookie, tokensIn } from './token.ts';
import { WrongTokens } from './wrong-tokens.ts';

export interface AccessOptions {
  /** null: everyone may do everything */
  readonly token: string | null;
  /** Whether this machine's own clients must send the token, too; by default not. */
  readonly tokenForAll?: boolean;
  readonly allowedHosts: readonly string[];
  readonly ownAddresses?: OwnAddresses;
  /** Gets a line about wrong tokens, once a minute at most. */
  readonly warn?: (text: string) => void;
}

/** What a request wants, as far as access depends on it. */
export type Intent =
  /** GET and HEAD */
  | 'read'
  /** a read that a foreign page must not set off either */
  | 'trigger'
  /** everything else */
  | 'act'
  | 'websocket';

/** Headers that proxies and tunnels add, beside those that begin with `x-forwarded`. A proxy on this machine makes every
 *  client look as if it were here; these headers show that it is not. */
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
/** Host headers that were found good; a browser sends the same one always. */
const REMEMBERED_HOSTS = 64;

/** Who may do what: the token, and protection from foreign pages in a browser that can reach the service (cross-site
 *  requests, and names that were rebound to its address). Scripts send no Origin and pass. */
export class Access {
  readonly #token: Token | null;
  readonly #cookie: string | null;
  readonly #names: ReadonlySet<string>;
  readonly #own: OwnAddresses;
  readonly #tokenForAll: boolean;
  readonly #wrongTokens: WrongTokens;
  readonly #goodHosts = new Set<string>();

  constructor(options: AccessOptions) {
    this.#token = options.token === null ? null : new Token(options.token);
    this.#cookie = options.token === null ? null : tokenCookie(options.token);
    this.#names = new Set(['localhost', hostname(), ...options.allowedHosts].map((name) => name.toLowerCase()));
    this.#own = options.ownAddresses ?? new OwnAddresses();
    this.#tokenForAll = options.tokenForAll ?? false;
    this.#wrongTokens = new WrongTokens(options.warn ?? (() => {}));
  }

  /** Why the request is refused, null where it is not. Within the handler's synchronous part. */
  refusal(response: TransportResponse, request: TransportRequest, intent: Intent): StudioError | null {
    const sent = this.#token === null ? [] : sentTokens(request);
    const authentic = sent.some((token) => this.#token?.equals(token));
    if (this.#token !== null && !authentic && (this.#tokenForAll || !this.isThisMachine(response, request)))
      return sent.length === 0 ? UNAUTHORIZED : WRONG_TOKEN;
    const host = request.header('host');
    if (!authentic && !this.#isGoodHost(host)) {
      return new StudioError(
        'forbidden',
        `the service is not known as ${JSON.stringify(host.slice(0, 100))}: use its IP address, localhost, or start it with --allowed-host`,
      );
    }
    if (intent === 'read') return null;
    if (intent === 'trigger') {
      const site = request.header('sec-fetch-site');
      return site === '' || site === 'same-origin' || site === 'none' ? null : CROSS_SITE;
    }
    const origin = request.header('origin');
    return origin === '' || hostOf(origin) === host.toLowerCase() ? null : CROSS_SITE;
  }

  /** Calls `answer` for a request that was refused: at once, or after a delay for a wrong token, to slow down guessing.
   *  Within the handler's synchronous part. */
  whenDue(refusal: StudioError, exchange: Exchange, answer: () => void): void {
    if (refusal === WRONG_TOKEN) exchange.onGone(this.#wrongTokens.delay(exchange.response.peer, answer));
    else answer();
  }

  /** Whether the client is the machine itself. Within the handler's synchronous part. */
  isThisMachine(response: TransportResponse, request: TransportRequest): boolean {
    let forwarded = false;
    // An empty header counts, and `header` cannot tell it from a missing one.
    request.eachHeader((name) => {
      forwarded ||= name.startsWith('x-forwarded') || PROXY_HEADERS.has(name);
    });
    return !forwarded && this.#own.has(response.peer);
  }

  /** @returns the cookie to set where `/?token=` carries the right token, '' where there is none to set, null for a
   *  wrong token */
  cookieFor(sent: string): string | null {
    if (this.#token === null || this.#cookie === null) return '';
    return this.#token.equals(sent) ? this.#cookie : null;
  }

  #isGoodHost(host: string): boolean {
    if (this.#goodHosts.has(host)) return true;
    const name = nameOf(host);
    const good = isIP(name) !== 0 || this.#names.has(name);
    if (good && this.#goodHosts.size < REMEMBERED_HOSTS) this.#goodHosts.add(host);
    return good;
  }
}

const HOW = 'open /?token=<token> once in the browser, or send it as "Authorization: Bearer <token>"';
const UNAUTHORIZED = new StudioError('unauthorized', `token required: ${HOW}`);
/** Has a warning of its own in the log. */
export const WRONG_TOKEN = new StudioError('unauthorized', `wrong token: ${HOW}`);
const CROSS_SITE = new StudioError('forbidden', 'a page of another site must not do this');

/** Every token that a request carries, in cookies, as Bearer, and in the address of the page. */
function sentTokens(request: TransportRequest): string[] {
  const sent = tokensIn(request.header('cookie'), request.header('authorization'));
  const inQuery = request.path === '/' ? new URLSearchParams(request.query).get('token') : null;
  return inQuery === null ? sent : [...sent, inQuery];
}

/** The name in a Host header, without port and brackets. */
function nameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](:\d+)?$/.exec(host)?.[1];
  return (bracketed ?? host.replace(/:\d+$/, '')).toLowerCase();
}

/** Host and port of an Origin header, '' where it has none (`null`). */
function hostOf(origin: string): string {
  try {
    return new URL(origin).host;
  } catch {
    return '';
  }
}

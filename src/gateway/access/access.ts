import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { StudioError } from '../../core/errors.ts';
import type { TransportRequest, TransportResponse } from '../transport/transport.ts';
import { OwnAddresses } from './peer.ts';
import { Token, tokenCookie } from './token.ts';

export interface AccessOptions {
  /** null: everyone may do everything */
  readonly token: string | null;
  readonly allowedHosts: readonly string[];
  readonly ownAddresses?: OwnAddresses;
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

/** A proxy on this machine makes every client look as if it were here; these headers tell. */
const FORWARDED: ReadonlySet<string> = new Set(['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']);
/** Host headers that were found good; a browser sends the same one always. */
const REMEMBERED_HOSTS = 64;

/** Who may do what: the token, and protection from foreign pages in a browser that can reach the service (cross-site
 *  requests, and names that were rebound to its address). Scripts send no Origin and pass. */
export class Access {
  readonly #token: Token | null;
  readonly #cookie: string | null;
  readonly #names: ReadonlySet<string>;
  readonly #own: OwnAddresses;
  readonly #goodHosts = new Set<string>();

  constructor(options: AccessOptions) {
    this.#token = options.token === null ? null : new Token(options.token);
    this.#cookie = options.token === null ? null : tokenCookie(options.token);
    this.#names = new Set(['localhost', hostname(), ...options.allowedHosts].map((name) => name.toLowerCase()));
    this.#own = options.ownAddresses ?? new OwnAddresses();
  }

  /** Why the request is refused, null where it is not. Within the handler's synchronous part. */
  refusal(response: TransportResponse, request: TransportRequest, intent: Intent): StudioError | null {
    const authentic = this.#token !== null && this.#isAuthentic(this.#token, request);
    if (this.#token !== null && !authentic && !this.isThisMachine(response, request)) return UNAUTHORIZED;
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

  /** Whether the client is the machine itself. Within the handler's synchronous part. */
  isThisMachine(response: TransportResponse, request: TransportRequest): boolean {
    let forwarded = false;
    // An empty header counts, and `header` cannot tell it from a missing one.
    request.eachHeader((name) => {
      forwarded ||= FORWARDED.has(name);
    });
    return !forwarded && this.#own.has(response.peer);
  }

  /** @returns the cookie to set where `/?token=` carries the right token, '' where there is none to set, null for a
   *  wrong token */
  cookieFor(sent: string): string | null {
    if (this.#token === null || this.#cookie === null) return '';
    return this.#token.equals(sent) ? this.#cookie : null;
  }

  #isAuthentic(token: Token, request: TransportRequest): boolean {
    if (token.sentIn(request.header('cookie'), request.header('authorization'))) return true;
    const sent = request.path === '/' ? new URLSearchParams(request.query).get('token') : null;
    return sent !== null && token.equals(sent);
  }

  #isGoodHost(host: string): boolean {
    if (this.#goodHosts.has(host)) return true;
    const name = nameOf(host);
    const good = isIP(name) !== 0 || this.#names.has(name);
    if (good && this.#goodHosts.size < REMEMBERED_HOSTS) this.#goodHosts.add(host);
    return good;
  }
}

const UNAUTHORIZED = new StudioError(
  'unauthorized',
  'token required: open /?token=<token> once in the browser, or send it as "Authorization: Bearer <token>"',
);
const CROSS_SITE = new StudioError('forbidden', 'a page of another site must not do this');

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

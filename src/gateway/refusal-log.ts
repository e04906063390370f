import { quoteName } from '../core/files/names.ts';
import { countText } from '../core/log/format-numbers.ts';
import { LineLimit } from '../core/log/line-limit.ts';
import type { Logger } from '../core/logger.ts';
import { WRONG_TOKEN } from './access/access.ts';
import { addressText } from './access/peer.ts';

/** A refused request. */
export interface Refused {
  /** method of the request; '' if it could not be parsed, as is `path` */
  readonly method: string;
  /** path as received, without the query, because the query may contain a token */
  readonly path: string;
  /** path of the contract; '' if no route matched */
  readonly route: string;
  readonly status: number;
  /** as in the answer to the client */
  readonly detail: string;
  /** the client's address, 4 or 16 bytes */
  readonly peer: Uint8Array;
}

interface Kind {
  readonly level: 'info' | 'warn' | 'error';
  /** maximum number of lines per minute */
  readonly burst: number;
  /** Whether a line includes the address of the client. */
  readonly names?: boolean;
}

/** How refusals are logged, by status. Other statuses are not logged: 404 and 405 concern only the client, and 500 is
 *  logged in full where it happens. Requests without a token or from other sites get one line per minute. */
const KINDS: Readonly<Record<number, Kind>> = {
  400: { level: 'info', burst: 10 },
  401: { level: 'warn', burst: 1, names: true },
  403: { level: 'warn', burst: 1, names: true },
  409: { level: 'info', burst: 10 },
  408: { level: 'info', burst: 10 },
  413: { level: 'info', burst: 10 },
  415: { level: 'info', burst: 10 },
  431: { level: 'info', burst: 10 },
  503: { level: 'warn', burst: 10 },
  505: { level: 'info', burst: 10 },
  507: { level: 'error', burst: 10 },
};
const MINUTE_MS = 60_000;
/** Longest path and longest reason in a line, characters. */
const MOST_PATH = 120;
const MOST_DETAIL = 400;

/** Logs refused requests, one line each. When an HTTP status has reached its limit of lines per minute, the others of
 *  that minute become one summary line. */
export class RefusalLog {
  readonly #logger: Logger;
  readonly #statuses = new Map<number, { readonly limit: LineLimit; readonly held: Map<string, number> }>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  refused({ method, path, route, status, detail, peer }: Refused): void {
    const kind = KINDS[status];
    if (!kind || detail === WRONG_TOKEN.message) return;
    const { limit, held } = this.#statusOf(status, kind);
    const where = route === '' ? quoteName(shortened(path, MOST_PATH)) : shortened(path, MOST_PATH);
    const from = kind.names || method === '' ? ` from ${addressText(peer)}` : '';
    const what = method === '' ? 'a connection' : `${method} ${where}`;
    const text = `${what}${from} refused with ${status}: ${shortened(detail, MOST_DETAIL)}`;
    if (limit.admit(text)) {
      this.#logger[kind.level](text);
      return;
    }
    const group = method === '' ? 'connections' : route === '' ? 'unknown paths' : `${method} ${route}`;
    held.set(group, (held.get(group) ?? 0) + 1);
  }

  /** Logs the summaries of the refusals that were counted but not yet logged. */
  close(): void {
    for (const { limit } of this.#statuses.values()) limit.flush();
  }

  #statusOf(status: number, { level, burst }: Kind) {
    const known = this.#statuses.get(status);
    if (known) return known;
    const held = new Map<string, number>();
    const summarise = (count: number, seconds: number) => {
      const [what = '', most = 0] = [...held].sort((a, b) => b[1] - a[1])[0] ?? [];
      const which = most === count ? `: ${what}` : `, ${most} of them ${what}`;
      held.clear();
      this.#logger[level](
        `and ${countText(count, 'more request', 'more requests')} refused with ${status} in the last ${seconds} s${which}`,
      );
    };
    const made = { limit: new LineLimit({ burst, windowMs: MINUTE_MS, summarise }), held };
    this.#statuses.set(status, made);
    return made;
  }
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

import { quoteName } from '../core/files/names.ts';
import { countText } from '../core/log/format-numbers.ts';
import { LineLimit } from '../core/log/line-limit.ts';
import type { Logger } from '../core/logger.ts';
import { WRONG_TOKEN } from './access/access.ts';
import { addressText } from './access/peer.ts';

/** A request that was refused. */
export interface Refused {
  /** '' where the request could not be read, as is `path` */
  readonly method: string;
  /** as sent, without the query, which may hold a token */
  readonly path: string;
  /** path of its contract; '' where none matched */
  readonly route: string;
  readonly status: number;
  /** as the client got it */
  readonly detail: string;
  /** the client's address, 4 or 16 bytes */
  readonly peer: Uint8Array;
}

interface Kind {
  readonly level: 'info' | 'warn' | 'error';
  /** lines a minute */
  readonly burst: number;
  /** Whether a line names the client's address. */
  readonly names?: boolean;
}

/** What the log says of a status. Those that are missing are the client's own business (404, 405), or are logged whole
 *  where they happen (500). Strangers without a token, and pages of other sites, get one line a minute. */
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
/** Letters of a path and of a reason that a line shows. */
const MOST_PATH = 120;
const MOST_DETAIL = 400;

/** Writes a line for each refused request, and for a flood of them a few lines and a sum a minute for each status. */
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

  /** Sums up what was held back. */
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

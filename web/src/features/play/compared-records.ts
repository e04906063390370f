import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { decodePlayRecord } from '../../../../src/protocol/play-record.ts';
import type { callBytes } from '../../net/api.ts';
import type { LiveSession } from './live-session.ts';
import { RecordRing, type RecordView, snapshot } from './record-ring.ts';

export interface ComparedDeps {
  readonly callBytes: typeof callBytes;
  readonly sessions: Pick<LiveSession, 'session' | 'isLive'>;
  /** true while the record of the focused environment is frozen */
  readonly frozen: ReadonlySignal<boolean>;
  /** returns true while the page is hidden; a hidden page does not read records */
  readonly isHidden: () => boolean;
}

/** Time between two reads, ms. */
const EVERY_MS = 120;
/** Time until the next read after a failure, ms. The focused environment's record shows the error. */
const RETRY_MS = 1500;
/** Length of each kept record as a multiple of that of the focused environment. Records that were read later must also
 *  contain the first rows of the focused one. */
const LONGER = 1.1;

/** The last minute of the environments of a comparison, except for the focused environment. The records are read while
 *  plots show them. */
export class ComparedRecords {
  readonly #deps: ComparedDeps;
  readonly #rings = new Map<number, RecordRing>();
  /** id of the session to which the rings belong; −1: none */
  #session = -1;
  readonly #live = signal<ReadonlyMap<number, RecordView>>(new Map());
  readonly #held = signal<ReadonlyMap<number, RecordView> | null>(null);

  constructor(deps: ComparedDeps) {
    this.#deps = deps;
  }

  /** Returns the records by environment. They are frozen while the record of the focused environment is frozen. Calling
   *  this in an effect subscribes the effect to changes. */
  views(): ReadonlyMap<number, RecordView> {
    return this.#held.value ?? this.#live.value;
  }

  /** Keeps the records up to date while a view shows them. @returns a function that stops reading */
  readonly use = (): (() => void) => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async () => {
      const wait = await this.#read(abort.signal);
      if (!abort.signal.aborted) timer = setTimeout(() => void poll(), wait);
    };
    void poll();
    const end = effect(() => {
      const views = this.#live.peek();
      this.#held.value = this.#deps.frozen.value
        ? new Map([...views].map(([env, view]) => [env, snapshot(view)]))
        : null;
    });
    return () => {
      abort.abort();
      clearTimeout(timer);
      end();
      this.#rings.clear();
      this.#live.value = new Map();
    };
  };

  /** Reads new rows of all records. @returns time until the next read, ms */
  async #read(signal: AbortSignal): Promise<number> {
    const { callBytes, sessions, isHidden } = this.#deps;
    const now = sessions.session.peek();
    if (now?.id !== this.#session) this.#rings.clear();
    this.#session = now?.id ?? -1;
    const others = (now?.compare?.entries ?? []).filter(({ env }) => env !== now!.focus);
    for (const env of this.#rings.keys()) if (!others.some((one) => one.env === env)) this.#rings.delete(env);
    if (others.length === 0 || !sessions.isLive.peek() || isHidden()) {
      if (this.#live.peek().size > 0 && others.length === 0) this.#live.value = new Map();
      return EVERY_MS;
    }
    try {
      const replies = await Promise.all(
        others.map(async ({ env }) => {
          const query = { env, ...this.#rings.get(env)?.next };
          return [env, decodePlayRecord(await callBytes('GET /api/plots/play', { query, signal }))] as const;
        }),
      );
      for (const [env, reply] of replies) {
        const ring = this.#rings.get(env) ?? new RecordRing(LONGER);
        this.#rings.set(env, ring);
        ring.take(reply);
      }
      this.#live.value = new Map(
        [...this.#rings].flatMap(([env, ring]) => {
          const view = ring.view();
          return view === null ? [] : [[env, view] as const];
        }),
      );
      return EVERY_MS;
    } catch {
      // The session has ended or restarts, so the stored rows are out of date. The error is shown with the focused
      // environment.
      this.#rings.clear();
      return RETRY_MS;
    }
  }
}

import { computed, effect, signal } from '@preact/signals';
import { decodePlayRecord } from '../../../../src/protocol/play-record.ts';
import type { callBytes } from '../../net/api.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { LiveSession } from './live-session.ts';
import { nextEvent } from './record-metrics.ts';
import { RecordRing, type RecordView, snapshot } from './record-ring.ts';

export interface RecordDeps {
  readonly callBytes: typeof callBytes;
  readonly sessions: Pick<LiveSession, 'session' | 'isLive' | 'refreshPlay'>;
  /** returns true while the page is hidden; a hidden page does not read the record */
  readonly isHidden: () => boolean;
}

/** Time between two reads: the first while charts are shown, the second otherwise. */
const OFTEN_MS = 90;
const SELDOM_MS = 240;
/** Time until the next read after a failure, ms. */
const RETRY_MS = 1500;

/** The last minute of the focused environment. It is read while a view shows it, and can be frozen so that the user can
 *  look at earlier moments. */
export class SessionRecord {
  readonly #deps: RecordDeps;
  readonly #ring = new RecordRing();
  /** Incremented when a reply brings rows. */
  readonly #version = signal(0);
  /** The frozen view; null while the record is live. */
  readonly #held = signal<RecordView | null>(null);
  readonly #heldRow = signal(0);
  readonly recordError = signal<string | null>(null);
  /** Whether the record is frozen. */
  readonly frozen = computed(() => this.#held.value !== null);
  /** The kept rows, live or frozen; null before the first rows. */
  readonly record = computed<RecordView | null>(() => {
    void this.#version.value;
    return this.#held.value ?? this.#ring.view();
  });
  /** Index of the shown row of the record; that of the newest row while the record is live. */
  readonly recordRow = computed(() =>
    this.#held.value === null ? (this.record.value?.rows ?? 0) - 1 : this.#heldRow.value,
  );
  #users = 0;
  #often = 0;
  #stop: (() => void) | null = null;
  /** environment whose rows are in the ring; −1: none */
  #env = -1;
  readonly #rowWatchers = new Set<() => void>();

  constructor(deps: RecordDeps) {
    this.#deps = deps;
    effect(() => {
      void this.recordRow.value;
      void this.record.value;
      for (const watcher of this.#rowWatchers) watcher();
    });
  }

  /** Increments the version without subscribing the calling effect to the version. */
  #changed(): void {
    this.#version.value = this.#version.peek() + 1;
  }

  /** Keeps the record up to date while a view shows it. @returns a function that stops reading */
  readonly useRecord = (): (() => void) => {
    this.#users += 1;
    if (this.#users === 1) this.#stop = this.#startPolling();
    return () => {
      this.#users -= 1;
      if (this.#users > 0) return;
      this.#stop?.();
      this.#stop = null;
    };
  };

  /** Reads more often while charts scroll. @returns a function that ends the frequent reads */
  readonly useOften = (): (() => void) => {
    this.#often += 1;
    return () => {
      this.#often -= 1;
    };
  };

  #startPolling(): () => void {
    const { session, isLive } = this.#deps.sessions;
    let abort = new AbortController();
    let ended = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running = false;
    const poll = async () => {
      clearTimeout(timer);
      if (running || ended) return;
      running = true;
      const wait = await this.#fetchRows(abort.signal);
      running = false;
      if (!ended) timer = setTimeout(() => void poll(), wait);
    };
    const end = effect(() => {
      const now = session.value;
      if (now === null) {
        abort.abort(); // Do not read without a session, because the service would refuse it.
        abort = new AbortController();
        this.#forget();
        return;
      }
      void [now.id, now.focus, isLive.value]; // Read at once when the session or the focused environment changes.
      queueMicrotask(() => void poll());
    });
    return () => {
      ended = true;
      abort.abort();
      end();
      clearTimeout(timer);
    };
  }

  #forget(): void {
    this.#ring.clear();
    this.#held.value = null;
    this.recordError.value = null;
    this.#changed();
  }

  /** Reads new rows. @returns time until the next read, ms */
  async #fetchRows(signal: AbortSignal): Promise<number> {
    const { callBytes, sessions, isHidden } = this.#deps;
    const now = sessions.session.peek();
    if (now === null || !sessions.isLive.peek() || isHidden()) return SELDOM_MS;
    const env = now.focus;
    if (env !== this.#env) {
      this.#env = env;
      this.#ring.clear();
      this.#held.value = null;
      this.#changed();
    }
    try {
      const bytes = await callBytes('GET /api/plots/play', { query: { env, ...this.#ring.next }, signal });
      this.recordError.value = null;
      const isWanted = sessions.session.peek()?.focus === env;
      if (isWanted && this.#ring.take(decodePlayRecord(bytes)) && this.#held.peek() === null) this.#changed();
      return this.#often > 0 ? OFTEN_MS : SELDOM_MS;
    } catch (error) {
      if (signal.aborted) return RETRY_MS;
      this.recordError.value = messageOf(error);
      this.#ring.clear();
      // The session may have ended. Then the page shows that instead of the error.
      await sessions.refreshPlay().catch(() => {});
      return RETRY_MS;
    }
  }

  /** Freezes the record at a row. @param row index in the record as it is shown now; limited to its rows */
  readonly holdAt = (row: number): void => {
    const view = this.#held.peek() ?? this.#ring.view();
    if (view === null || view.rows === 0 || !Number.isFinite(row)) return;
    if (this.#held.peek() === null) this.#held.value = snapshot(view);
    this.#heldRow.value = Math.min(view.rows - 1, Math.max(0, Math.round(row)));
  };

  /** Freezes the record at the shown row. */
  readonly freeze = (): void => {
    this.holdAt(this.recordRow.peek());
  };

  readonly backToLive = (): void => {
    this.#held.value = null;
  };

  /** Moves the shown row by a number of rows. Moving past the newest row makes the record live again. */
  readonly moveBy = (rows: number): void => {
    const view = this.record.peek();
    if (view === null) return;
    const row = this.recordRow.peek() + rows;
    if (row >= view.rows - 1 && rows > 0) this.backToLive();
    else this.holdAt(row);
  };

  readonly moveSeconds = (seconds: number): void => {
    this.moveBy(Math.round(seconds * (this.record.peek()?.fps ?? 0)));
  };

  /** Moves to the next (+1) or previous (−1) event. After the last event, the record becomes live again. */
  readonly moveToEvent = (direction: 1 | -1): void => {
    const view = this.record.peek();
    if (view === null) return;
    const row = nextEvent(view, this.recordRow.peek(), direction);
    if (row !== null) this.holdAt(row);
    else if (direction > 0) this.backToLive();
  };

  /** Calls `watcher` now and whenever the shown row or the rows change. @returns a function that unsubscribes */
  readonly watchRow = (watcher: () => void): (() => void) => {
    this.#rowWatchers.add(watcher);
    watcher();
    return () => this.#rowWatchers.delete(watcher);
  };
}

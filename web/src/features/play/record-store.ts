import { computed, effect, signal } from '@preact/signals';
import { decodePlayRecord } from '../../../../src/protocol/play-record.ts';
import { callBytes } from '../../net/api.ts';
import { messageOf } from '../../ui/message-of.ts';
import { nextEvent } from './figures.ts';
import { RecordRing, type RecordView, snapshot } from './record-ring.ts';
import { isLive, refreshPlay, session } from './session-store.ts';

/** ms between two requests: with charts on screen, and without. */
const OFTEN_MS = 90;
const SELDOM_MS = 240;
const RETRY_MS = 1500;

const ring = new RecordRing();
/** Counts up with every reply that brought rows. */
const tick = signal(0);
/** Without reading it as a dependency: effects may tell it too. */
function changed(): void {
  tick.value = tick.peek() + 1;
}
/** Set while the record stands still for a look back. */
const held = signal<RecordView | null>(null);
/** Row of the held view that is looked at. */
const heldRow = signal(0);
export const recordError = signal<string | null>(null);

export const frozen = computed(() => held.value !== null);
/** The kept rows as of now, or as of when they were frozen; null before any came. */
export const record = computed<RecordView | null>(() => {
  void tick.value;
  return held.value ?? ring.view();
});
/** Row of the record that is looked at: the newest while it is live. */
export const recordRow = computed(() => (held.value === null ? (record.value?.rows ?? 0) - 1 : heldRow.value));

let users = 0;
let often = 0;
let stop: (() => void) | null = null;

/** Keeps the focused environment's record current as long as something shows it. @returns ends it */
export function useRecord(): () => void {
  users += 1;
  if (users === 1) stop = startPolling();
  return () => {
    users -= 1;
    if (users > 0) return;
    stop?.();
    stop = null;
  };
}

/** Asks more often as long as charts scroll. @returns ends it */
export function useOften(): () => void {
  often += 1;
  return () => {
    often -= 1;
  };
}

function startPolling(): () => void {
  let abort = new AbortController();
  let ended = false;
  let timer = 0;
  let running = false;
  const poll = async () => {
    window.clearTimeout(timer);
    if (running || ended) return;
    running = true;
    const wait = await fetchRows(abort.signal);
    running = false;
    if (!ended) timer = window.setTimeout(() => void poll(), wait);
  };
  const end = effect(() => {
    const now = session.value;
    if (now === null) {
      // what is under way would be refused
      abort.abort();
      abort = new AbortController();
      forget();
      return;
    }
    void [now.id, now.focus, isLive.value]; // another one is wanted at once
    queueMicrotask(() => void poll());
  });
  return () => {
    ended = true;
    abort.abort();
    end();
    window.clearTimeout(timer);
  };
}

function forget(): void {
  ring.clear();
  held.value = null;
  recordError.value = null;
  changed();
}

let envAsked = -1;

/** @returns ms until the next request */
async function fetchRows(signal: AbortSignal): Promise<number> {
  const now = session.peek();
  if (now === null || !isLive.peek() || document.hidden) return SELDOM_MS;
  const env = now.focus;
  if (env !== envAsked) {
    envAsked = env;
    ring.clear();
    held.value = null;
    changed();
  }
  try {
    const bytes = await callBytes('GET /api/plots/play', { query: { env, ...ring.next }, signal });
    recordError.value = null;
    if (session.peek()?.focus === env && ring.take(decodePlayRecord(bytes)) && held.peek() === null) changed();
    return often > 0 ? OFTEN_MS : SELDOM_MS;
  } catch (error) {
    if (signal.aborted) return RETRY_MS;
    recordError.value = messageOf(error);
    ring.clear();
    // the session may have gone meanwhile: then there is nothing to tell
    await refreshPlay().catch(() => {});
    return RETRY_MS;
  }
}

/** Stands still at a row of what is shown, to look back. @param row of the record shown now */
export function holdAt(row: number): void {
  const view = held.peek() ?? ring.view();
  if (view === null || view.rows === 0 || !Number.isFinite(row)) return;
  if (held.peek() === null) held.value = snapshot(view);
  heldRow.value = Math.min(view.rows - 1, Math.max(0, Math.round(row)));
}

/** Stands still where it is. */
export function freeze(): void {
  holdAt(recordRow.peek());
}

export function backToLive(): void {
  held.value = null;
}

/** Moves the look back by rows; beyond the newest it is live again. */
export function moveBy(rows: number): void {
  const view = record.peek();
  if (view === null) return;
  const row = recordRow.peek() + rows;
  if (row >= view.rows - 1 && rows > 0) backToLive();
  else holdAt(row);
}

export function moveSeconds(seconds: number): void {
  moveBy(Math.round(seconds * (record.peek()?.fps ?? 0)));
}

/** Goes to the event before or after what is looked at. */
export function moveToEvent(direction: 1 | -1): void {
  const view = record.peek();
  if (view === null) return;
  const row = nextEvent(view, recordRow.peek(), direction);
  if (row !== null) holdAt(row);
  else if (direction > 0) backToLive();
}

const rowWatchers = new Set<() => void>();
effect(() => {
  void recordRow.value;
  void record.value;
  for (const watcher of rowWatchers) watcher();
});

/** Told when another row is looked at, or other rows are there. @returns ends it */
export function watchRow(watcher: () => void): () => void {
  rowWatchers.add(watcher);
  watcher();
  return () => rowWatchers.delete(watcher);
}

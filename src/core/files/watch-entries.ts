import { type FSWatcher, statSync, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Changes within this time make one signal, ms. */
const GATHER_MS = 60;
/** The kernel keeps 16,384 news for one process, then loses some: half as many at once make us unsure. */
const MANY_NEWS = 8192;
/** More names than this are not worth telling one by one. */
const MANY_NAMES = 2000;
/** How often the folder itself is looked at where no news of it come, ms: it is not there, or cannot be watched. */
const LOOK_MS = 2000;
/** Where news come, once in so many times: it may be another one, or news were lost. */
const LOOK_OF = 5;

export interface EntryWatch {
  close(): void;
}

export interface EntryWatchOptions {
  /** Asked with each name; true: never told. */
  readonly ignored: (name: string) => boolean;
  /** Hears why the system does not tell of changes; from then on they are found by the folder's time. */
  readonly onUnwatched: (error: unknown) => void;
}

interface Seen {
  readonly ino: number;
  readonly mtimeMs: number;
}

/** Tells which entries of one folder came, went or changed. What it costs does not depend on how many there are. A
 *  folder that is not there yet, vanishes or is replaced is looked for.
 *  @param onChange the names; null: any of them may have changed */
export function watchEntries(
  folder: string,
  options: EntryWatchOptions,
  onChange: (names: ReadonlySet<string> | null) => void,
): EntryWatch {
  let names = new Set<string>();
  let unsure = false;
  let news = 0;
  let quiet = true;
  let gather: NodeJS.Timeout | null = null;
  let watcher: FSWatcher | null = null;
  let seen: Seen | null = null;
  let refused = false;
  let closed = false;

  const tell = () => {
    gather = null;
    const batch = unsure || news >= MANY_NEWS || names.size > MANY_NAMES ? null : names;
    names = new Set();
    unsure = false;
    news = 0;
    if (!closed) onChange(batch);
  };
  const gatherNews = () => {
    gather ??= setTimeout(tell, GATHER_MS).unref();
  };
  const beUnsure = () => {
    unsure = true;
    gatherNews();
  };

  const stopWatching = () => {
    watcher?.close();
    watcher = null;
  };

  const open = () => {
    stopWatching();
    const now = statSync(folder, { throwIfNoEntry: false });
    seen = now?.isDirectory() ? { ino: now.ino, mtimeMs: now.mtimeMs } : null;
    if (!seen || refused) return;
    try {
      const mine = watch(folder, { persistent: false }, (_kind, name) => {
        if (watcher !== mine || (name !== null && options.ignored(name))) return;
        quiet = false;
        news += 1;
        if (name === null) unsure = true;
        else if (names.size <= MANY_NAMES) names.add(name);
        gatherNews();
        // The folder's own name: it went itself, perhaps with another in its place.
        if (name === path.basename(folder)) void look();
      });
      mine.on('error', () => {
        if (watcher === mine) stopWatching();
      });
      watcher = mine;
    } catch (error) {
      refused = true;
      options.onUnwatched(error);
    }
  };

  const look = async () => {
    let now: Seen | null;
    try {
      const stats = await stat(folder);
      now = stats.isDirectory() ? { ino: stats.ino, mtimeMs: stats.mtimeMs } : null;
    } catch {
      now = null; // Whoever lists it will say what is wrong.
    }
    if (closed) return;
    const other = now?.ino !== seen?.ino;
    const changed = quiet && now !== null && now.mtimeMs !== seen?.mtimeMs;
    quiet = true;
    if (other || (now !== null && watcher === null && !refused)) {
      open();
      beUnsure();
    } else if (changed) beUnsure();
    seen = now;
  };

  open();
  let rounds = 0;
  const timer = setInterval(() => {
    rounds += 1;
    if (watcher === null || rounds % LOOK_OF === 0) void look();
  }, LOOK_MS).unref();
  return {
    close() {
      closed = true;
      clearInterval(timer);
      if (gather) clearTimeout(gather);
      stopWatching();
    },
  };
}

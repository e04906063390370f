import { type FSWatcher, statSync, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';

/** Changes within this time, ms, are reported together. */
const GATHER_MS = 60;
/** The kernel queues 16,384 events per process and then drops events. After half as many events in one burst, the list
 *  of names is treated as incomplete. */
const MANY_EVENTS = 8192;
/** Maximum number of names that are reported individually. Above it, the report says that any entry may have
 *  changed. */
const MANY_NAMES = 2000;
/** Interval at which the folder itself is checked while it sends no events, ms. It may be missing or not watchable. */
const LOOK_MS = 2000;
/** While the folder sends events, only every fifth check is made. Checks are still needed, because the folder may be
 *  replaced or events may be lost. */
const LOOK_OF = 5;

export interface EntryWatch {
  close(): void;
}

export interface EntryWatchOptions {
  /** Called with each name; returns true for names that are never reported. */
  readonly ignored: (name: string) => boolean;
  /** Called if the system cannot watch the folder; changes are then found by the folder's modification time. */
  readonly onUnwatched: (error: unknown) => void;
  /** interval of checks of a folder that cannot be watched, for example because it is missing, ms; default 2000 */
  readonly lookMs?: number;
}

interface Seen {
  readonly ino: number;
  readonly mtimeMs: number;
}

type OnChange = (names: ReadonlySet<string> | null) => void;

/** Reports which entries of one folder were added, removed or changed. The cost does not grow with the number of
 *  entries. A folder that is missing, vanishes or is replaced is watched as soon as it exists again.
 *  @param onChange gets the names; null if any entry may have changed */
export function watchEntries(folder: string, options: EntryWatchOptions, onChange: OnChange): EntryWatch {
  return new FolderEntries(folder, options, onChange);
}

class FolderEntries implements EntryWatch {
  readonly #folder: string;
  readonly #options: EntryWatchOptions;
  readonly #onChange: OnChange;
  readonly #timer: NodeJS.Timeout;
  #names = new Set<string>();
  /** true if events may have been lost, so that `#names` may be incomplete */
  #unsure = false;
  #events = 0;
  /** true if no event has arrived since the last check */
  #quiet = true;
  #gather: NodeJS.Timeout | null = null;
  #watcher: FSWatcher | null = null;
  #seen: Seen | null = null;
  #refused = false;
  #closed = false;

  constructor(folder: string, options: EntryWatchOptions, onChange: OnChange) {
    this.#folder = folder;
    this.#options = options;
    this.#onChange = onChange;
    this.#open();
    let rounds = 0;
    this.#timer = setInterval(() => {
      rounds += 1;
      if (this.#watcher === null || rounds % LOOK_OF === 0) void this.#look();
    }, options.lookMs ?? LOOK_MS).unref();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    if (this.#gather) clearTimeout(this.#gather);
    this.#stopWatching();
  }

  #report(): void {
    this.#gather = null;
    const many = this.#unsure || this.#events >= MANY_EVENTS || this.#names.size > MANY_NAMES;
    const batch = many ? null : this.#names;
    this.#names = new Set();
    this.#unsure = false;
    this.#events = 0;
    if (!this.#closed) this.#onChange(batch);
  }

  #reportSoon(): void {
    this.#gather ??= setTimeout(() => this.#report(), GATHER_MS).unref();
  }

  #beUnsure(): void {
    this.#unsure = true;
    this.#reportSoon();
  }

  #stopWatching(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  #open(): void {
    this.#stopWatching();
    const now = statSync(this.#folder, { throwIfNoEntry: false });
    this.#seen = now?.isDirectory() ? { ino: now.ino, mtimeMs: now.mtimeMs } : null;
    if (!this.#seen || this.#refused) return;
    try {
      const mine = watch(this.#folder, { persistent: false }, (_kind, name) => {
        if (this.#watcher === mine) this.#onEvent(name);
      });
      mine.on('error', () => {
        if (this.#watcher === mine) this.#stopWatching();
      });
      this.#watcher = mine;
    } catch (error) {
      this.#refused = true;
      this.#options.onUnwatched(error);
    }
  }

  #onEvent(name: string | null): void {
    if (name !== null && this.#options.ignored(name)) return;
    this.#quiet = false;
    this.#events += 1;
    if (name === null) this.#unsure = true;
    else if (this.#names.size <= MANY_NAMES) this.#names.add(name);
    this.#reportSoon();
    // An event with the folder's own name means that the folder itself was removed or replaced.
    if (name === path.basename(this.#folder)) void this.#look();
  }

  async #look(): Promise<void> {
    let now: Seen | null;
    try {
      const stats = await stat(this.#folder);
      now = stats.isDirectory() ? { ino: stats.ino, mtimeMs: stats.mtimeMs } : null;
    } catch {
      now = null; // Listing the folder will report the problem.
    }
    if (this.#closed) return;
    const other = now?.ino !== this.#seen?.ino;
    const changed = this.#quiet && now !== null && now.mtimeMs !== this.#seen?.mtimeMs;
    this.#quiet = true;
    if (other || (now !== null && this.#watcher === null && !this.#refused)) {
      this.#open();
      this.#beUnsure();
    } else if (changed) this.#beUnsure();
    this.#seen = now;
  }
}

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isRemoved } from './removed.ts';
import { type EntryWatch, watchEntries } from './watch-entries.ts';
import type { FolderWatch } from './watch-folders.ts';

/** Interval of checks of the root, ms, while it is missing. */
const LOOK_MS = 500;

export interface TwoLevelsOptions {
  /** Called with the name of each entry; returns true for names that are never reported. */
  readonly ignored: (name: string) => boolean;
  /** Called with errors of the watch in the background. */
  readonly onError: (error: unknown) => void;
}

/** Reports that entries of a folder, or of one of its folders, were added or removed. Unlike with {@link watchFolders},
 *  the cost does not grow with the number of entries of these folders.
 *  @param root need not exist  @param onChange may be called several times for one change */
export function watchTwoLevels(root: string, options: TwoLevelsOptions, onChange: () => void): FolderWatch {
  return new TwoLevels(root, options, onChange);
}

class TwoLevels implements FolderWatch {
  readonly ready: Promise<void>;
  readonly #root: string;
  readonly #options: TwoLevelsOptions;
  readonly #onChange: () => void;
  readonly #own: EntryWatch;
  readonly #folders = new Map<string, EntryWatch>();
  #closed = false;

  constructor(root: string, options: TwoLevelsOptions, onChange: () => void) {
    this.#root = root;
    this.#options = options;
    this.#onChange = onChange;
    this.#own = this.#watch(root, () => {
      void this.#follow().then(onChange);
    });
    this.ready = this.#follow();
  }

  close(): void {
    this.#closed = true;
    this.#own.close();
    for (const watch of this.#folders.values()) watch.close();
  }

  #watch(folder: string, onChange: () => void): EntryWatch {
    const { ignored, onError } = this.#options;
    return watchEntries(folder, { ignored, onUnwatched: onError, lookMs: LOOK_MS }, onChange);
  }

  /** Watches new folders, and no longer those that are gone. */
  async #follow(): Promise<void> {
    const entries = await readdir(this.#root, { withFileTypes: true }).catch((error: unknown) => {
      if (!isRemoved(error)) this.#options.onError(error);
      return [];
    });
    if (this.#closed) return;
    const names = new Set(
      entries
        .filter((entry) => !this.#options.ignored(entry.name) && (entry.isDirectory() || entry.isSymbolicLink()))
        .map(({ name }) => name),
    );
    for (const [name, watch] of this.#folders)
      if (!names.has(name)) {
        watch.close();
        this.#folders.delete(name);
      }
    for (const name of names)
      if (!this.#folders.has(name)) this.#folders.set(name, this.#watch(path.join(this.#root, name), this.#onChange));
  }
}

import { type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** Changes within this time, ms, are reported together. */
const GATHER_MS = 100;
/** A folder is reported once more when it has had no events for this time, ms, because a burst can overflow the
 *  kernel's queue. */
const AFTER_MS = 1500;
/** Interval at which the watcher looks for a missing root, ms. */
const ROOT_MS = 1000;

export interface WatchOptions {
  /** Levels of folders below the root that are watched too; 0 watches the root alone. */
  readonly depth: number;
  /** Called with the absolute path of each entry; returns true for entries that are never entered. */
  readonly ignored?: (entry: string) => boolean;
  /** Called with errors of the watcher in the background. */
  readonly onError: (error: unknown) => void;
}

export interface FolderWatch {
  /** Settles when every folder that exists at the start is watched. */
  readonly ready: Promise<void>;
  close(): void;
}

/** Reports which folders at and below `root` have changed content: files written, added or removed, and sub-folders.
 *  Only folders are watched, so the number of kernel watches does not grow with the files: a changed file causes a raw
 *  event of its folder. Folders that appear later are watched, too, and reported at once; so is a root that reappears.
 *  @param onDirty gets the absolute path of a folder to list again, at most every 100 ms per folder */
export function watchFolders(root: string, options: WatchOptions, onDirty: (folder: string) => void): FolderWatch {
  return new FolderTree(root, options, onDirty);
}

class FolderTree implements FolderWatch {
  readonly ready: Promise<void>;
  readonly #root: string;
  readonly #options: WatchOptions;
  readonly #onDirty: (folder: string) => void;
  readonly #dirty = new Set<string>();
  readonly #after = new Map<string, NodeJS.Timeout>();
  /** the inode of each watched folder; 0 if the folder may no longer be watched. Comparing inodes is not enough,
   *  because a folder that comes back can have the same inode: it was only moved, or the disk reused the number. */
  readonly #inodes = new Map<string, number>();
  readonly #look: NodeJS.Timeout;
  #gather: NodeJS.Timeout | null = null;
  #watcher: FSWatcher | null = null;
  #closed = false;

  constructor(root: string, options: WatchOptions, onDirty: (folder: string) => void) {
    this.#root = root;
    this.#options = options;
    this.#onDirty = onDirty;
    // chokidar stops watching a root that was removed, or that was missing at the start.
    this.#look = setInterval(() => {
      if (this.#wasReplaced(root)) this.#reopen();
    }, ROOT_MS).unref();
    this.ready = this.#open(false);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#look);
    if (this.#gather) clearTimeout(this.#gather);
    for (const again of this.#after.values()) clearTimeout(again);
    this.#watcher?.close().catch(this.#options.onError);
  }

  #markDirty(folder: string): void {
    const level = folder === this.#root ? 0 : path.relative(this.#root, folder).split(path.sep).length;
    if (this.#closed || level > this.#options.depth) return;
    this.#dirty.add(folder);
    this.#gather ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  #flush(): void {
    this.#gather = null;
    const batch = [...this.#dirty];
    this.#dirty.clear();
    for (const folder of batch) this.#report(folder);
    if (batch.some((folder) => this.#wasReplaced(folder))) this.#reopen();
  }

  #report(folder: string): void {
    clearTimeout(this.#after.get(folder));
    const again = setTimeout(() => {
      this.#after.delete(folder);
      this.#onDirty(folder);
    }, AFTER_MS).unref();
    this.#after.set(folder, again);
    this.#onDirty(folder);
  }

  /** Returns true if a folder exists but its watch ended or follows another folder that had this path before. */
  #wasReplaced(folder: string): boolean {
    const known = this.#inodes.get(folder);
    const now = statSync(folder, { throwIfNoEntry: false });
    return now?.isDirectory() === true && known !== undefined && now.ino !== known;
  }

  /** Starts watching. @param reportAll true: reports every folder that it finds; false: reports only folders that
   *  appear later */
  #open(reportAll: boolean): Promise<void> {
    const { depth, ignored, onError } = this.#options;
    this.#inodes.clear();
    this.#inodes.set(this.#root, statSync(this.#root, { throwIfNoEntry: false })?.ino ?? 0);
    let quiet = !reportAll;
    const watcher = watch(this.#root, {
      depth,
      alwaysStat: true,
      ignored: (entry: string, stats?: Stats) => stats?.isFile() === true || ignored?.(entry) === true,
    });
    this.#watcher = watcher;
    watcher
      .on('raw', (event, name, details) => {
        const folder = (details as { readonly watchedPath?: string }).watchedPath;
        const entry = folder !== undefined && name ? path.join(folder, name) : null;
        // A folder's own name: the folder itself was moved or removed, or (harmless) an entry has the same name.
        if (folder !== undefined && event === 'rename' && name === path.basename(folder) && this.#inodes.has(folder))
          this.#inodes.set(folder, 0);
        if (folder === undefined || (entry && ignored?.(entry))) return;
        this.#markDirty(folder);
        if (entry && this.#inodes.has(entry)) this.#markDirty(entry);
      })
      .on('addDir', (folder, stats) => {
        if (stats) this.#inodes.set(folder, stats.ino);
        if (!quiet) this.#markDirty(folder);
      })
      .on('unlinkDir', (folder) => {
        if (folder === this.#root) this.#inodes.set(folder, 0);
        else this.#inodes.delete(folder);
        this.#markDirty(folder === this.#root ? this.#root : path.dirname(folder));
      })
      .on('error', onError);
    return new Promise((resolve) => {
      watcher.once('ready', () => {
        quiet = false;
        resolve();
      });
    });
  }

  #reopen(): void {
    const old = this.#watcher;
    this.#watcher = null; // one reopening at a time, even if several checks ask for it
    old?.close().then(async () => {
      if (!this.#closed) await this.#open(true);
    }, this.#options.onError);
  }
}

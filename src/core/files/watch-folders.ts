import { type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** Changes within this time make one signal. */
const GATHER_MS = 100;
/** A folder is told once more when it has been quiet this long: a burst can overflow the kernel's queue and lose news. */
const AFTER_MS = 1500;
/** How often a root that has vanished is looked for. */
const ROOT_MS = 1000;

export interface WatchOptions {
  /** Levels of folders below the root that are watched too; 0 watches the root alone. */
  readonly depth: number;
  /** Asked with the absolute path of each entry; true: never entered. */
  readonly ignored?: (entry: string) => boolean;
  /** Hears what went wrong in the background. */
  readonly onError: (error: unknown) => void;
}

export interface FolderWatch {
  /** Settles when every folder that exists at the start is watched. */
  readonly ready: Promise<void>;
  close(): void;
}

/** Tells which folders at and below `root` have changed content: files written, added, removed, sub-folders likewise.
 *  Only folders are watched, so the kernel's watches do not grow with the files; a change of a file comes as its
 *  folder's raw event. Folders that appear later are watched too and told at once; so is a root that comes back.
 *  @param onDirty the absolute folder, at most every 100 ms each; list it again */
export function watchFolders(root: string, options: WatchOptions, onDirty: (folder: string) => void): FolderWatch {
  const dirty = new Set<string>();
  const after = new Map<string, NodeJS.Timeout>();
  const inodes = new Map<string, number>();
  let gather: NodeJS.Timeout | null = null;
  let closed = false;
  let watcher: FSWatcher;

  const markDirty = (folder: string) => {
    const level = folder === root ? 0 : path.relative(root, folder).split(path.sep).length;
    if (closed || level > options.depth) return;
    dirty.add(folder);
    gather ??= setTimeout(flush, GATHER_MS);
  };

  const flush = () => {
    gather = null;
    const batch = [...dirty];
    dirty.clear();
    for (const folder of batch) tell(folder);
    if (batch.some((folder) => wasReplaced(folder))) reopen();
  };

  const tell = (folder: string) => {
    clearTimeout(after.get(folder));
    const again = setTimeout(() => {
      after.delete(folder);
      onDirty(folder);
    }, AFTER_MS);
    again.unref();
    after.set(folder, again);
    onDirty(folder);
  };

  /** Whether another folder stands in the place of a watched one: its watch would follow the old one. */
  const wasReplaced = (folder: string): boolean => {
    const known = inodes.get(folder);
    const now = statSync(folder, { throwIfNoEntry: false });
    return now?.isDirectory() === true && known !== undefined && now.ino !== known;
  };

  const open = (tellAll: boolean): Promise<void> => {
    inodes.clear();
    inodes.set(root, statSync(root, { throwIfNoEntry: false })?.ino ?? 0);
    let quiet = !tellAll;
    watcher = watch(root, {
      depth: options.depth,
      alwaysStat: true,
      ignored: (entry: string, stats?: Stats) => stats?.isFile() === true || options.ignored?.(entry) === true,
    });
    watcher
      .on('raw', (_event, name, details) => {
        const folder = (details as { readonly watchedPath?: string }).watchedPath;
        const entry = folder !== undefined && name ? path.join(folder, name) : null;
        if (folder === undefined || (entry && options.ignored?.(entry))) return;
        markDirty(folder);
        if (entry && inodes.has(entry)) markDirty(entry);
      })
      .on('addDir', (folder, stats) => {
        if (stats) inodes.set(folder, stats.ino);
        if (!quiet) markDirty(folder);
      })
      .on('unlinkDir', (folder) => {
        inodes.delete(folder);
        markDirty(folder === root ? root : path.dirname(folder));
      })
      .on('error', options.onError);
    return new Promise((resolve) => {
      watcher.once('ready', () => {
        quiet = false;
        resolve();
      });
    });
  };

  const reopen = () => {
    watcher.close().then(async () => {
      if (!closed) await open(true);
    }, options.onError);
  };

  // chokidar gives up a root that is removed, or that was not there.
  const look = setInterval(() => {
    if (!wasReplaced(root)) return;
    inodes.delete(root); // once is enough while it reopens
    reopen();
  }, ROOT_MS);
  look.unref();

  return {
    ready: open(false),
    close() {
      closed = true;
      clearInterval(look);
      if (gather) clearTimeout(gather);
      for (const again of after.values()) clearTimeout(again);
      watcher.close().catch(options.onError);
    },
  };
}

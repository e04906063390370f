import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Changes within this time make one signal. */
const GATHER_MS = 100;
/** Folders that the system cannot watch (limit of watches, network disks) are compared by time instead. */
const POLL_MS = 1000;
/** Every so many polls all folders are compared: a burst can overflow the kernel's queue and lose news. */
const FULL_POLL_EVERY = 10;

export interface WatchOptions {
  /** Levels of folders below the root that are watched too; 0 watches the root alone. */
  readonly depth: number;
  /** Asked with the absolute path of each new entry; true: never looked at as a folder. File endings belong here:
   *  they save a stat each. Changes of such an entry still make its folder dirty. */
  readonly ignored?: (entry: string) => boolean;
  /** Hears what went wrong in the background. */
  readonly onError?: (error: unknown) => void;
}

export interface FolderWatch {
  /** Settles when every folder that exists at the start is watched. */
  readonly ready: Promise<void>;
  close(): void;
}

interface Folder {
  readonly level: number;
  readonly watcher: FSWatcher | null;
  mtimeMs: number;
  /** Entries that came, went or were replaced since the last look. */
  readonly names: Set<string>;
  /** The names are not all of them: list the folder. */
  unsure: boolean;
  /** It went itself, perhaps with another in its place: its watch may follow the old one. */
  moved: boolean;
}

/** Tells which folders at and below `root` have changed content: files written, added, removed, sub-folders likewise.
 *  The cost does not depend on how many files a folder holds. Folders that appear later are watched too and told at
 *  once; so is a root that vanishes and comes back.
 *  @param onDirty the absolute folder, at most every 100 ms each; list it again */
export function watchFolders(root: string, options: WatchOptions, onDirty: (folder: string) => void): FolderWatch {
  const folders = new Map<string, Folder>();
  const dirty = new Set<string>();
  let gather: NodeJS.Timeout | null = null;
  let polls = 0;
  let closed = false;
  const failed = options.onError ?? ((error: unknown) => void process.emitWarning(String(error)));

  const markDirty = (folder: string) => {
    if (closed) return;
    dirty.add(folder);
    gather ??= setTimeout(() => flush().catch(failed), GATHER_MS);
  };

  const flush = async () => {
    gather = null;
    const batch = [...dirty];
    dirty.clear();
    for (const folder of batch) {
      const state = folders.get(folder);
      // Taken before the listener lists the folder: what changes meanwhile is then seen by a poll at the latest.
      if (state) state.mtimeMs = await mtimeOf(folder);
      if (closed) return;
      onDirty(folder);
      if (state) await takeIn(folder, state);
    }
  };

  /** Takes in which sub-folders came and went. */
  const takeIn = async (folder: string, state: Folder) => {
    if (state.moved) {
      drop(folder);
      return add(folder, state.level, true);
    }
    if (state.level >= options.depth) return;
    const names = new Set(state.names);
    state.names.clear();
    if (state.unsure) {
      state.unsure = false;
      for (const name of await listNames(folder)) names.add(name);
      for (const other of folders.keys()) if (path.dirname(other) === folder) names.add(path.basename(other));
    }
    for (const name of names) {
      const entry = path.join(folder, name);
      if (options.ignored?.(entry)) continue;
      if (await isFolder(entry)) await add(entry, state.level + 1, true);
      else drop(entry);
    }
  };

  const add = async (folder: string, level: number, tell: boolean) => {
    if (closed || folders.has(folder)) return;
    const watcher = open(folder);
    const mtimeMs = await mtimeOf(folder);
    if (closed || folders.has(folder) || Number.isNaN(mtimeMs)) return void watcher?.close();
    const state: Folder = { level, watcher, mtimeMs, names: new Set(), unsure: false, moved: false };
    folders.set(folder, state);
    if (tell) markDirty(folder);
    if (level >= options.depth) return;
    for (const name of await listNames(folder)) {
      const entry = path.join(folder, name);
      if (!options.ignored?.(entry) && (await isFolder(entry))) await add(entry, level + 1, tell);
    }
  };

  const open = (folder: string): FSWatcher | null => {
    try {
      const watcher = watch(folder, { persistent: false }, (kind, name) => {
        const state = folders.get(folder);
        if (!state || state.watcher !== watcher) return;
        if (name === null) state.unsure = true;
        else if (kind === 'rename' && name === path.basename(folder)) state.moved = true;
        else if (kind === 'rename') {
          // A sub-folder of that name may be another one by now: its watch would follow the old one.
          drop(path.join(folder, name));
          if (state.level < options.depth) state.names.add(name);
        }
        markDirty(folder);
      });
      watcher.on('error', () => drop(folder));
      return watcher;
    } catch {
      return null; // The polls take over.
    }
  };

  const drop = (folder: string) => {
    if (!folders.has(folder)) return;
    const prefix = folder + path.sep;
    for (const [other, state] of folders) {
      if (other !== folder && !other.startsWith(prefix)) continue;
      state.watcher?.close();
      folders.delete(other);
    }
  };

  const poll = async () => {
    polls += 1;
    if (!folders.has(root) && (await isFolder(root))) await add(root, 0, true);
    for (const [folder, state] of [...folders]) {
      if (state.watcher && polls % FULL_POLL_EVERY !== 0) continue;
      const mtimeMs = await mtimeOf(folder);
      if (mtimeMs === state.mtimeMs || dirty.has(folder)) continue;
      if (Number.isNaN(mtimeMs)) drop(folder);
      else state.unsure = true;
      markDirty(folder);
    }
  };

  let polling = false;
  const timer = setInterval(() => {
    if (polling) return;
    polling = true;
    poll()
      .catch(failed)
      .finally(() => {
        polling = false;
      });
  }, POLL_MS);
  timer.unref();

  return {
    ready: add(root, 0, false),
    close() {
      closed = true;
      clearInterval(timer);
      if (gather) clearTimeout(gather);
      drop(root);
    },
  };
}

async function listNames(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map((entry) => entry.name);
  } catch (error) {
    return ifGone(error, []);
  }
}

async function isFolder(entry: string): Promise<boolean> {
  try {
    return (await stat(entry)).isDirectory();
  } catch (error) {
    return ifGone(error, false);
  }
}

/** NaN for a folder that is gone. */
async function mtimeOf(folder: string): Promise<number> {
  try {
    return (await stat(folder)).mtimeMs;
  } catch (error) {
    return ifGone(error, Number.NaN);
  }
}

function ifGone<T>(error: unknown, otherwise: T): T {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ELOOP') return otherwise;
  throw error;
}

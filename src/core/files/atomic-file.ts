import {
  closeSync,
  type Dir,
  fsync,
  fsyncSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writevSync,
} from 'node:fs';
import { type FileHandle, lstat, mkdir, open, opendir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { threadId } from 'node:worker_threads';
import { StudioError } from '../errors.ts';
import { removeTree } from './remove-tree.ts';
import { syncFolder, syncFolderSync } from './sync-folder.ts';

/** Ending of the temporary files of this module. Their names begin with a dot, so listings ignore them. */
const TEMP_ENDING = '.studio-tmp';
/** Age after which an unfinished file of a process that may outlive the service is a leftover, ms. A write takes less
 *  than a minute. */
export const LEFTOVER_MS = 24 * 3600e3;
const NAMES_AT_ONCE = 512;
let counter = 0;

function tempFor(target: string): string {
  counter += 1;
  // Threads share the process id but not the counter.
  const name = `.${process.pid}-${threadId}-${counter}-${Date.now().toString(36)}`;
  return path.join(path.dirname(target), name + TEMP_ENDING);
}

/** Returns true if `name` (without a folder) is an unfinished file or folder of this module. */
export function isTemp(name: string): boolean {
  return name.startsWith('.') && name.endsWith(TEMP_ENDING);
}

/** Turns a full disk into an error that a person can act on (507). Returns any other error unchanged. */
export function fileError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new StudioError('disk_full', 'no space left on the disk of the workspace', { cause: error })
    : error;
}

/** Reasons why a folder cannot be moved, with the remedy, by error code. */
const HELD: Readonly<Record<string, string>> = {
  EACCES: 'the service has no write permission for its parent folder. Change the permissions.',
  EPERM: 'the service may not write to the folder that it lies in: change the permissions',
  EROFS: 'its disk is read-only',
  EBUSY: 'it is in use, or a disk is mounted on it',
  // overlayfs without redirect_dir refuses to rename a folder of a lower layer, even within its parent folder
  EXDEV: 'it belongs to a container image (overlay file system). Put the workspace on a volume.',
};

/** Turns missing permissions (400) and a full disk into errors that a person can act on.
 *  @param folder that cannot be moved */
export function heldError(error: unknown, folder: string): unknown {
  const why = HELD[(error as NodeJS.ErrnoException | null)?.code ?? ''];
  return why === undefined
    ? fileError(error)
    : new StudioError('bad_input', `the folder ${path.basename(folder)} cannot be deleted or renamed: ${why}`, {
        cause: error,
      });
}

/** A file that appears under its name only when it is complete. */
export interface AtomicFile {
  readonly target: string;
  /** Appends all of `chunk`. @throws disk_full */
  write(chunk: Uint8Array): Promise<void>;
  /** Makes the file durable and visible, replacing an existing file. @throws disk_full */
  commit(): Promise<void>;
  /** Removes the unfinished file. Does nothing after `commit`. */
  discard(): Promise<void>;
}

/** Begins a file at `target`, whose folder must exist. The file is not visible before `commit`.
 *  @param mode permissions of the file, regardless of the umask; absent: the system's defaults */
export async function createAtomic(target: string, mode?: number): Promise<AtomicFile> {
  const temp = tempFor(target);
  let handle: FileHandle | null;
  try {
    handle = await open(temp, 'wx', mode);
    if (mode !== undefined) await handle.chmod(mode);
  } catch (error) {
    throw fileError(error);
  }
  const discard = async () => {
    if (!handle) return;
    const open = handle;
    handle = null;
    await open.close();
    await rm(temp, { force: true });
  };
  return {
    target,
    async write(chunk) {
      if (!handle) throw new Error(`write to ${path.basename(target)} after its end`);
      try {
        for (let done = 0; done < chunk.length; ) done += (await handle.write(chunk, done)).bytesWritten;
      } catch (error) {
        await discard();
        throw fileError(error);
      }
    },
    async commit() {
      if (!handle) throw new Error(`commit of ${path.basename(target)} after its end`);
      try {
        await handle.sync();
        await rename(temp, target);
      } catch (error) {
        await discard();
        throw fileError(error);
      }
      const open = handle;
      handle = null;
      await open.close();
      await syncFolder(path.dirname(target));
    },
    discard,
  };
}

/** Replaces the content of `target`, whose folder must exist. After a crash the file has either its old or its new
 *  content, always complete.
 *  @param mode as for {@link createAtomic}; replaces the mode that the file had before  @throws disk_full */
export async function writeAtomic(target: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const file = await createAtomic(target, mode);
  await file.write(typeof content === 'string' ? Buffer.from(content) : content);
  await file.commit();
}

/** Synchronous {@link writeAtomic}, for small records in code that cannot wait (about 0.4 ms), and for threads that
 *  have nothing else to do.
 *  @param content in one or several parts  @throws disk_full */
export function writeAtomicSync(target: string, content: string | Uint8Array | readonly Uint8Array[]): void {
  writeWholeSync(target, content);
  syncFolderSync(path.dirname(target));
}

/** Like {@link writeAtomicSync}, but does not sync the folder. For one of many files that can be created again. After a
 *  power cut, the file may have its old content or be missing although the call has returned. It is never incomplete.
 *  @throws disk_full */
export function writeWholeSync(target: string, content: string | Uint8Array | readonly Uint8Array[]): void {
  const temp = tempFor(target);
  const parts =
    typeof content === 'string' ? [Buffer.from(content)] : content instanceof Uint8Array ? [content] : content;
  try {
    const fd = openSync(temp, 'wx');
    try {
      writeParts(fd, parts);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, target);
  } catch (error) {
    removeIfThere(temp);
    throw fileError(error);
  }
}

const syncLater = promisify(fsync);

/** Like {@link writeWholeSync}, but waits for the disk without blocking the thread, which can compute the next file in
 * the meantime. All bytes are passed to the system before the call returns its promise, so the caller may reuse their
 * memory immediately.
 *  @returns settles when the file is durable and visible  @throws disk_full */
export async function writeWhole(target: string, parts: readonly Uint8Array[]): Promise<void> {
  const temp = tempFor(target);
  try {
    const fd = openSync(temp, 'wx');
    try {
      writeParts(fd, parts);
      await syncLater(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temp, target);
  } catch (error) {
    removeIfThere(temp);
    throw fileError(error);
  }
}

/** Writes all parts with as few system calls as possible. */
function writeParts(fd: number, parts: readonly Uint8Array[]): void {
  for (let rest = parts; rest.length > 0; ) {
    let written = writevSync(fd, rest);
    let whole = 0;
    while (whole < rest.length && written >= rest[whole]!.length) written -= rest[whole++]!.length;
    rest = [...rest.slice(whole, whole + 1).map((part) => part.subarray(written)), ...rest.slice(whole + 1)];
  }
}

function removeIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Removes unfinished files and folders of killed processes below `folder`. Does not follow links, and keeps the files
 * that this process is writing. Only the process that holds the workspace lock may call this function, because it also
 * removes unfinished files of other processes.
 *  @param before ms since 1970; newer temporary files stay  @returns the number of removed entries */
export async function sweepTemps(folder: string, before: number = performance.timeOrigin): Promise<number> {
  let entries: Dir;
  try {
    // Read in batches: a folder of a hundred thousand clips must not block the thread.
    entries = await opendir(folder, { bufferSize: NAMES_AT_ONCE });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return 0;
    throw error;
  }
  let removed = 0;
  const folders: string[] = [];
  for await (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (isTemp(entry.name)) removed += await removeOlder(full, before);
    else if (entry.isDirectory()) folders.push(full);
  }
  for (const inner of folders) removed += await sweepTemps(inner, before);
  return removed;
}

async function removeOlder(temp: string, before: number): Promise<number> {
  let stats: Stats;
  try {
    stats = await lstat(temp);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  if (stats.mtimeMs >= before) return 0;
  if (stats.isDirectory()) await removeTree(temp);
  else await rm(temp, { force: true });
  return 1;
}

/** Creates a folder with its content in one step: `fill` writes into a hidden folder beside `target`, which is then
 *  renamed to `target`.
 *  @throws what `fill` throws; `ENOTEMPTY` if `target` exists and is not empty, which leaves it unchanged */
export async function createFolderAtomic(target: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const temp = tempFor(target);
  await mkdir(temp);
  try {
    await fill(temp);
    await rename(temp, target);
  } catch (error) {
    await removeTree(temp);
    throw fileError(error);
  }
  await syncFolder(path.dirname(target));
}

/** Calls `work` with a hidden folder inside `folder`, and removes the hidden folder afterwards. `work` can publish
 *  complete files from it with `moveIntoPlace`. @throws what `work` throws; disk_full */
export async function inUnseenFolder<T>(folder: string, work: (unseen: string) => Promise<T>): Promise<T> {
  const temp = tempFor(path.join(folder, 'any'));
  try {
    await mkdir(temp);
    return await work(temp);
  } catch (error) {
    throw fileError(error);
  } finally {
    await removeTree(temp);
  }
}

/** Moves a complete and synced file to `target` on the same disk, replacing an existing file. */
export async function moveIntoPlace(from: string, target: string): Promise<void> {
  await rename(from, target);
  await syncFolder(path.dirname(target));
}

/** Hides a folder, or a link in its place, by renaming it. It disappears for all readers in one step, even if the
 *  process crashes. @returns the new path, for `removeTree`; `sweepTemps` removes leftovers at the next start
 *  @throws bad_input if the folder may not be moved */
export async function hideFolder(folder: string): Promise<string> {
  const temp = tempFor(folder);
  try {
    await rename(folder, temp);
  } catch (error) {
    throw heldError(error, folder);
  }
  await syncFolder(path.dirname(folder));
  return temp;
}

/** Removes a folder with its content. The folder disappears for all readers in one step, also in a crash. Links in the
 *  folder are removed, their targets stay. */
export async function removeFolder(folder: string): Promise<void> {
  await removeTree(await hideFolder(folder));
}

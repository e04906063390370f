import { closeSync, type Dir, fsyncSync, openSync, renameSync, type Stats, unlinkSync, writevSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, opendir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { threadId } from 'node:worker_threads';
import { StudioError } from '../errors.ts';
import { removeTree } from './remove-tree.ts';

/** Temps of this module are dot files with this ending, so that no listing takes one for content. */
const TEMP_ENDING = '.studio-tmp';
const NAMES_AT_ONCE = 512;
let counter = 0;

function tempFor(target: string): string {
  counter += 1;
  // Threads share the process id but not the counter.
  const name = `.${process.pid}-${threadId}-${counter}-${Date.now().toString(36)}`;
  return path.join(path.dirname(target), name + TEMP_ENDING);
}

/** Whether `name` (no folder) is an unfinished file of this module. */
export function isTemp(name: string): boolean {
  return name.startsWith('.') && name.endsWith(TEMP_ENDING);
}

/** A full disk is a person's business (507), anything else stays as thrown. */
export function fileError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new StudioError('disk_full', 'no space left on the disk of the workspace', { cause: error })
    : error;
}

/** What keeps a folder from being moved, as a person can change it. */
const HELD: Readonly<Record<string, string>> = {
  EACCES: 'the service may not write to the folder that it lies in: change the permissions',
  EPERM: 'the service may not write to the folder that it lies in: change the permissions',
  EROFS: 'its disk is read-only',
  EBUSY: 'it is in use, or a disk is mounted there',
};

/** Permissions are a person's business (400), as is a full disk. @param folder that cannot be moved */
export function heldError(error: unknown, folder: string): unknown {
  const why = HELD[(error as NodeJS.ErrnoException | null)?.code ?? ''];
  return why === undefined
    ? fileError(error)
    : new StudioError('bad_input', `the folder ${path.basename(folder)} cannot be deleted: ${why}`, { cause: error });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A file that comes into being whole or not at all. */
export interface AtomicFile {
  readonly target: string;
  /** Appends all of `chunk`. @throws disk_full */
  write(chunk: Uint8Array): Promise<void>;
  /** Makes the file durable and visible, replacing what was there. @throws disk_full */
  commit(): Promise<void>;
  /** Leaves no trace. Nothing to do after `commit`. */
  discard(): Promise<void>;
}

/** Begins a file at `target`, whose folder exists; nobody sees it before `commit`.
 *  @param mode its permissions, whatever the umask; absent: the system's defaults */
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

/** Replaces the content of `target`, whose folder exists: after a crash the file is the old or the new one, whole.
 *  @param mode as for {@link createAtomic}, also where the file had another before  @throws disk_full */
export async function writeAtomic(target: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const file = await createAtomic(target, mode);
  await file.write(typeof content === 'string' ? Buffer.from(content) : content);
  await file.commit();
}

/** The same for small records in places that cannot wait (about 0.4 ms), and for threads that have nothing else to do.
 *  @param content in one or in several parts  @throws disk_full */
export function writeAtomicSync(target: string, content: string | Uint8Array | readonly Uint8Array[]): void {
  writeWholeSync(target, content);
  const folder = openSync(path.dirname(target), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The same for one of many files that can be made again: its folder is not synced with each of them. A power cut may
 *  then leave what was there before, or nothing, though the call has returned; never a part of the file.
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

/** With as few calls of the system as it takes. */
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

/** Removes what killed processes left unfinished below `folder`, links not followed; what this process has under way
 *  stays. Only for the owner of the workspace: another process's writes would be lost.
 *  @param before ms since epoch; younger temps stay  @returns how many were removed */
export async function sweepTemps(folder: string, before: number = performance.timeOrigin): Promise<number> {
  let entries: Dir;
  try {
    // In parts: a folder of a hundred thousand clips must not hold the thread.
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

/** Makes a folder come into being whole: `fill` writes into an unseen one beside `target`, which is then renamed.
 *  @throws what `fill` throws; a `target` that is there and not empty stays as it is (`ENOTEMPTY`) */
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

/** Lets `work` fill an unseen folder in `folder`; whatever is still in it afterwards is removed. What is moved out of it
 *  with `moveIntoPlace` comes into being whole. @throws what `work` throws; disk_full */
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

/** Gives a complete and synced file its place on the same disk, replacing what was there. */
export async function moveIntoPlace(from: string, target: string): Promise<void> {
  await rename(from, target);
  await syncFolder(path.dirname(target));
}

/** Makes a folder, or a link in its place, unseen: gone at once for everyone, whole or not at all after a crash.
 *  @returns where it is now, for `removeTree`; what nobody removes is swept at the next start
 *  @throws bad_input where it may not be moved */
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

/** Removes a folder with all that is in it: gone at once for everyone, whole or not at all after a crash. Links in it
 *  are removed, not what they lead to. */
export async function removeFolder(folder: string): Promise<void> {
  await removeTree(await hideFolder(folder));
}

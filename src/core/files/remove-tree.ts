import type { Dir } from 'node:fs';
import { lstat, opendir, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';

/** Number of entries removed at the same time: enough to keep the threads of the system busy, few enough to leave the
 *  main thread free. */
const AT_ONCE = 64;
/** Attempts per folder, because other processes may add files while it is being removed. */
const ROUNDS = 3;

/** Removes a folder with its content, of any size, without blocking the thread (`fs.rm` starts on all entries of a
 *  folder at once). Removes links, also `folder` itself if it is a link, but not their targets. Missing entries are not
 *  an error.
 *  @throws what the system reports if an entry cannot be removed */
export async function removeTree(folder: string): Promise<void> {
  if (await isLinkOrFile(folder)) return unlinkIfThere(folder);
  for (let round = 1; ; round += 1) {
    if (!(await empty(folder))) return;
    try {
      await rmdir(folder);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ENOENT') return;
      if (code !== 'ENOTEMPTY' || round === ROUNDS) throw error;
    }
  }
}

/** Removes all entries of a folder. @returns false if the folder does not exist */
async function empty(folder: string): Promise<boolean> {
  let entries: Dir;
  try {
    entries = await opendir(folder, { bufferSize: AT_ONCE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  let files: Promise<void>[] = [];
  for await (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) await removeTree(full);
    else files.push(unlinkIfThere(full));
    if (files.length < AT_ONCE) continue;
    await Promise.all(files);
    files = [];
  }
  await Promise.all(files);
  return true;
}

async function isLinkOrFile(entry: string): Promise<boolean> {
  try {
    return !(await lstat(entry)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function unlinkIfThere(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

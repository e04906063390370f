import type { Stats } from 'node:fs';
import { link, lstat, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { badInput, StudioError } from '../core/errors.ts';
import { fileError, heldError, inUnseenFolder } from '../core/files/atomic-file.ts';
import { copyWhole, lacksLinks, linkOrCopy } from '../core/files/link-or-copy.ts';
import { isRemoved } from '../core/files/removed.ts';
import { syncFolder } from '../core/files/sync-folder.ts';

/** Moves a file, a link or a folder to a free path on the same disk. @returns `other-disk` if the path is on another
 *  disk
 *  @throws bad_input if it may not be moved; disk_full */
export async function moveAway(from: string, to: string): Promise<'moved' | 'other-disk' | 'missing'> {
  try {
    await rename(from, to);
  } catch (error) {
    if (isRemoved(error)) return 'missing';
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return 'other-disk';
    throw heldError(error, from);
  }
  await syncFolder(path.dirname(from));
  return 'moved';
}

/** Moves an entry within its folder. @returns false if it is missing @throws bad_input if it may not be moved;
 *  disk_full */
export async function moveAside(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
  } catch (error) {
    if (isRemoved(error)) return false;
    throw heldError(error, from);
  }
  await syncFolder(path.dirname(from));
  return true;
}

/** Keeps a file at a second path, which takes no space on disks with hard links. @returns false if the file is missing
 *  @throws disk_full */
export async function keepCopy(from: string, to: string): Promise<boolean> {
  try {
    await linkOrCopy(from, to);
    return true;
  } catch (error) {
    if (isRemoved(error)) return false;
    throw fileError(error);
  }
}

/** Moves an entry back without replacing anything; a file also to another disk. @param place describes the entry in
 *  messages @throws conflict if something exists at its path; bad_input for a folder of another disk; disk_full */
export async function moveBack(from: string, to: string, place: string): Promise<void> {
  const found = await lstat(from);
  try {
    if (found.isDirectory()) await rename(from, to);
    else {
      // rename(2) would replace a file that was just created at this path; link(2) refuses.
      await linkOrRename(from, to);
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EXDEV' && found.isFile()) return moveAcross(from, to, place);
    throw backError(error, from, place);
  }
  await syncFolder(path.dirname(to));
}

/** Moves a file to another disk. It is copied beside its path first, so that it appears there complete. */
async function moveAcross(from: string, to: string, place: string): Promise<void> {
  try {
    await inUnseenFolder(path.dirname(to), async (unseen) => {
      const copy = path.join(unseen, path.basename(to));
      await copyWhole(from, copy);
      await linkOrRename(copy, to);
    });
    await syncFolder(path.dirname(to));
    await unlink(from);
  } catch (error) {
    throw backError(error, from, place);
  }
}

function backError(error: unknown, from: string, place: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(code)) return taken(place);
  if (code !== 'EXDEV') return fileError(error);
  const lies = from.split(path.sep).slice(-3).join('/');
  return badInput(`undo: ${place} is on another disk than its original path. Move ${lies} there yourself.`);
}

async function linkOrRename(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    await rename(from, to);
    return;
  }
  await unlink(from);
}

/** Returns the error for a path that is taken. */
export function taken(place: string): StudioError {
  return new StudioError('conflict', `undo: ${place} already exists. Rename or delete it first.`);
}

/** Returns a text that identifies the current content of a path. It changes when the content is replaced. A folder
 *  keeps its identity when its content changes. Null if nothing exists there. */
export async function identityOf(file: string): Promise<string | null> {
  let stats: Stats;
  try {
    stats = await lstat(file);
  } catch (error) {
    if (isRemoved(error)) return null;
    throw error;
  }
  return stats.isDirectory() ? `${stats.ino}` : `${stats.ino}:${stats.size}:${stats.mtimeMs}`;
}

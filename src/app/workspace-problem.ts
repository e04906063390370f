import { lstatSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { messageOf, StudioError } from '../core/errors.ts';
import { LockedError } from '../core/files/pid-lock.ts';

const OTHER = 'choose another with --workspace';

/** Returns an error that says why the workspace at `root` cannot be opened, with the remedy.
 *  @param error thrown by the system, the lock or a check */
export function workspaceProblem(root: string, error: unknown): StudioError {
  return new StudioError('unavailable', `the workspace ${root} ${reason(root, error)}`, { cause: error });
}

/** Whether the error is a full disk, or an error of the system for a file or folder of the workspace at `root`. */
export function isWorkspaceProblem(root: string, error: unknown): boolean {
  const { code, path: file } = error as NodeJS.ErrnoException;
  if (error instanceof StudioError) return error.code === 'disk_full';
  return (
    /^E[A-Z]+$/.test(code ?? '') && typeof file === 'string' && `${file}${path.sep}`.startsWith(`${root}${path.sep}`)
  );
}

function reason(root: string, error: unknown): string {
  if (error instanceof LockedError) return `is ${error.message}. Stop it, or ${OTHER}.`;
  const { code, path: file = root } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `cannot be used: permission denied for ${file}. Change its owner or permissions, or ${OTHER}.`;
    case 'EROFS':
      return `cannot be used: ${file} is on a read-only disk. Make it writable, or ${OTHER}.`;
    case 'ENOSPC':
    case 'EDQUOT':
    case 'disk_full':
      return `cannot be used: its disk is full. Free some space, or ${OTHER}.`;
    case 'ENAMETOOLONG':
      return `cannot be used: the name is too long for this system; ${OTHER}.`;
    case 'ELOOP':
      return `cannot be used: its links lead in a circle. Correct the link, or ${OTHER}.`;
    case 'ENOTDIR':
      return `cannot be used: ${fileOnTheWay(file)} is a file, not a folder. Move it away, or ${OTHER}.`;
    case 'ENOENT':
    case 'EEXIST': {
      const link = danglingLink(file);
      if (link !== null) return `cannot be used: ${link}. Create that folder, correct the link, or ${OTHER}.`;
      return `cannot be used: folders cannot be created in ${path.dirname(file)}; ${OTHER}.`;
    }
    default:
      return `cannot be used: ${messageOf(error)}; ${OTHER}.`;
  }
}

/** Returns the first part of a path that is not a folder. */
function fileOnTheWay(file: string): string {
  for (let place = file; path.dirname(place) !== place; place = path.dirname(place)) {
    try {
      if (!statSync(place).isDirectory()) return place;
    } catch {} // Nothing below a file can be seen, so check the parent path.
  }
  return file;
}

/** Describes the broken symbolic link nearest to the end of a path; null if the path has none. */
function danglingLink(file: string): string | null {
  for (let place = file; path.dirname(place) !== place; place = path.dirname(place)) {
    if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    const target = readlinkSync(place);
    if (statSync(place, { throwIfNoEntry: false }) === undefined)
      return `${place} is a link to ${target}, which does not exist`;
  }
  return null;
}

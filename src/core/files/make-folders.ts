import { mkdirSync, type Stats, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Makes a folder and those above it that are missing, `levels` in all: never the whole way. A workspace that is moved
 *  away, deleted or unmounted while something writes to it must not be made anew in its place, so callers count from
 *  it. (The recursive mkdir of Node makes everything, and never ends where the system says of a new folder that its
 *  parent is missing, as it does below /proc.)
 *  @throws ENOENT where more are missing; what the system reports */
export async function makeFolders(folder: string, levels: number): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      accept(await stat(folder).catch(() => null), folder, error);
      return;
    }
    if (code !== 'ENOENT' || levels <= 1 || path.dirname(folder) === folder) throw error;
    await makeFolders(path.dirname(folder), levels - 1);
    await makeFolders(folder, 1);
  }
}

/** As {@link makeFolders}, in one step. */
export function makeFoldersSync(folder: string, levels: number): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      accept(statSync(folder, { throwIfNoEntry: false }) ?? null, folder, error);
      return;
    }
    if (code !== 'ENOENT' || levels <= 1 || path.dirname(folder) === folder) throw error;
    makeFoldersSync(path.dirname(folder), levels - 1);
    makeFoldersSync(folder, 1);
  }
}

/** @param found null for a link to nowhere, of which mkdir's own error says enough */
function accept(found: Stats | null, folder: string, error: unknown): void {
  if (found?.isDirectory()) return;
  throw found ? Object.assign(new Error(`${folder} is a file`), { code: 'ENOTDIR', path: folder }) : error;
}

import { mkdirSync, type Stats, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Creates a folder and its missing parents, at most `levels` folders in all. Callers pass the number of levels below
 * the workspace: a workspace that is moved away, deleted or unmounted during a write must not be created again in its
 * old
 *  place. (Node's recursive mkdir creates all parents. It also loops forever if the system reports a missing parent for
 *  a new folder, as it does below /proc.)
 *  @throws ENOENT if more folders are missing; other errors as the system reports them */
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

/** Synchronous {@link makeFolders}. */
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

/** Accepts an existing folder and throws for anything else. @param found null for a link to a missing target; the error
 *  of mkdir then explains the problem */
function accept(found: Stats | null, folder: string, error: unknown): void {
  if (found?.isDirectory()) return;
  throw found ? Object.assign(new Error(`${folder} is a file`), { code: 'ENOTDIR', path: folder }) : error;
}

import { lstat } from 'node:fs/promises';
import { isRemoved } from './removed.ts';

/** Returns true if there is a file, a folder or a link at `path`, even a link to a missing target.
 *  @throws what the system reports, such as a missing permission */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isRemoved(error)) return false;
    throw error;
  }
}

import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Adds up the sizes of files and of everything in folders, bytes. Does not follow links. Missing entries have size 0.
 *  Blocks, so call it in another thread. */
export function treeBytes(entries: readonly string[]): number {
  let bytes = 0;
  for (const open = [...entries]; open.length > 0; ) {
    const entry = open.pop()!;
    const stats = lstatSync(entry, { throwIfNoEntry: false });
    if (!stats?.isDirectory()) {
      bytes += stats?.size ?? 0;
      continue;
    }
    for (const inner of entriesOf(entry)) open.push(path.join(entry, inner.name));
  }
  return bytes;
}

/** Returns the entries of a folder; empty if the folder was removed in the meantime. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, realpathSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../core/files/path-guard.ts';
import { readRegularFileSync } from '../../core/files/read-regular-file.ts';

const KEY_FILE = 'launch-key';
const KEY_BYTES = 32;
const TRIES = 3;

/** The key that seals orders of jobs, in a file of this user alone; made at its first use.
 *  @param folder of this user, outside of the workspace; made where it is missing
 *  @param workspace which exists
 *  @throws Error why no key can be kept there */
export function readSealKey(folder: string, workspace: string): Buffer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A copy of the workspace would contain the key.
  if (isInside(realpathSync(workspace), realpathSync(folder))) throw new Error(`${folder} lies in the workspace`);
  const file = path.join(folder, KEY_FILE);
  for (let attempt = 1; ; attempt += 1) {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found && isPrivate(found)) {
      const key = readRegularFileSync(file, KEY_BYTES);
      if (key.length === KEY_BYTES) return key;
    }
    if (attempt === TRIES) throw new Error(`${file} cannot be made private`);
    // One that others could read or write proves nothing any more.
    if (found) rmSync(file, { force: true });
    create(file);
  }
}

function isPrivate(stats: Stats): boolean {
  return stats.isFile() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}

/** Another service of this user may do the same at this moment: the first one wins, with the key complete. */
function create(file: string): void {
  const temp = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temp, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 });
    chmodSync(temp, 0o600); // whatever the umask
    linkSync(temp, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temp, { force: true });
  }
}

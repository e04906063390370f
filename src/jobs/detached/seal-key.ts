import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, realpathSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../core/files/path-guard.ts';
import { readRegularFileSync } from '../../core/files/read-regular-file.ts';

const KEY_FILE = 'launch-key';
const KEY_BYTES = 32;
const TRIES = 3;

/** Returns the key that signs the orders of jobs. Only this user can read its file, which is created at the first use.
 * @param folder private folder of this user, outside of the workspace; created if missing
 *  @param workspace must exist
 *  @throws Error with the reason if the key cannot be stored there */
export function readSealKey(folder: string, workspace: string): Buffer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A key inside the workspace would be copied together with the workspace.
  if (isInside(realpathSync(workspace), realpathSync(folder))) throw new Error(`${folder} is inside the workspace`);
  const file = path.join(folder, KEY_FILE);
  for (let attempt = 1; ; attempt += 1) {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found && isPrivate(found)) {
      const key = readRegularFileSync(file, KEY_BYTES);
      if (key.length === KEY_BYTES) return key;
    }
    if (attempt === TRIES)
      throw new Error(
        `${file} cannot be created with permissions for its owner only, because other processes keep replacing it`,
      );
    // A key that others can read or write does not prove anything.
    if (found) rmSync(file, { force: true });
    create(file);
  }
}

function isPrivate(stats: Stats): boolean {
  return stats.isFile() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}

/** Creates the key file. If another service of this user does so at the same time, the first complete file wins. */
function create(file: string): void {
  const temp = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temp, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 });
    chmodSync(temp, 0o600); // sets the permissions regardless of the umask
    linkSync(temp, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temp, { force: true });
  }
}

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';

/** Names of the folders that exist while `replaceFolder` works: `docs.new`, `docs.old`. */
export const BEING_REPLACED = /\.(new|old)$/;

/** Replaces a folder by one that `write` fills. Until the new folder is complete, the old one stays in place, so that a
 *  service that starts during a build finds its files. If `write` throws, the old folder stays.
 *  @param {string} folder need not exist @param {(fresh: string) => void} write fills an empty folder */
export function replaceFolder(folder, write) {
  const fresh = `${folder}.new`;
  const old = `${folder}.old`;
  // left by a build that was killed
  if (!existsSync(folder) && existsSync(old)) renameSync(old, folder);
  for (const left of [fresh, old]) rmSync(left, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  write(fresh);
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
}

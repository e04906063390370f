import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { installPackage } from './system-package.mjs';

/** @returns {string | null} path of an installed nginx; Debian has it outside of a user's search path */
function findNginx() {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => path.join(folder, 'nginx')).find((file) => existsSync(file)) ?? null;
}

/** Finds nginx, installing it where this is Debian, the user is root and the machine is a throw-away one.
 *  @returns {string | null} its path */
export function ensureNginx() {
  return findNginx() ?? (installPackage('nginx') ? findNginx() : null);
}

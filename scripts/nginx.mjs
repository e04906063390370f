import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { installPackage } from './system-package.mjs';

/** @returns {string | null} path of an installed nginx, also outside of PATH: Debian installs it in /usr/sbin */
function findNginx() {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => path.join(folder, 'nginx')).find((file) => existsSync(file)) ?? null;
}

/** Finds nginx. Installs it if this is a disposable Debian machine (CI or a container) and the user is root.
 *  @returns {string | null} its path */
export function ensureNginx() {
  return findNginx() ?? (installPackage('nginx') ? findNginx() : null);
}

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';

/** Time limit of a command of apt-get, ms. */
const LIMIT_MS = 300_000;

/** Installs a Debian package if this is a disposable Debian machine (CI or a container) and the user is root.
 *  @returns {boolean} whether apt-get installed it */
export function installPackage(name) {
  if (!mayInstall()) return false;
  process.stdout.write(`installing ${name} with apt-get\n`);
  const apt = (args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: LIMIT_MS,
    }).status === 0;
  return apt(['update', '-q']) && apt(['install', '-y', '-q', '--no-install-recommends', name]);
}

function mayInstall() {
  const disposable =
    process.env['CI'] === 'true' || ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file));
  return disposable && existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

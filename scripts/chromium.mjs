import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** @returns {string | null} path of an installed Chromium or Chrome; `MOTION_STUDIO_CHROMIUM` goes before all */
export function findChromium() {
  const named = process.env['MOTION_STUDIO_CHROMIUM'];
  if (named) return isProgram(named) ? named : null;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...MAC];
  return candidates.find(isProgram) ?? null;
}

/** Finds a browser, installing Chromium where this is Debian, the user is root and the machine is a throw-away one.
 *  @returns {string | null} its path, null after saying what to install */
export function ensureChromium() {
  const found = findChromium();
  if (found !== null) return found;
  if (mayInstall()) {
    process.stdout.write('no Chromium found: installing it with apt-get install chromium\n');
    const apt = (args) =>
      spawnSync('apt-get', args, {
        stdio: ['ignore', 2, 2],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    apt(['update', '-q']);
    apt(['install', '-y', '-q', '--no-install-recommends', 'chromium']);
    const installed = findChromium();
    if (installed !== null) return installed;
  }
  process.stdout.write(
    'no Chromium or Chrome found: the browser tests need one. Install it (Debian, Ubuntu: apt-get install chromium; ' +
      'macOS: brew install --cask google-chrome) or name it in MOTION_STUDIO_CHROMIUM.\n',
  );
  return null;
}

function mayInstall() {
  const throwAway =
    process.env['CI'] === 'true' || ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file));
  return throwAway && existsSync('/etc/debian_version') && process.getuid?.() === 0;
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { installPackage } from './system-package.mjs';

/** A renderer in software stands in for the graphics card that a test machine may lack. */
export const CHROMIUM_ARGS = Object.freeze([
  '--no-sandbox',
  '--disable-gpu',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]);

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
  if (installPackage('chromium')) {
    const installed = findChromium();
    if (installed !== null) return installed;
  }
  process.stdout.write(
    'no Chromium or Chrome found: the browser tests need one. Install it (Debian, Ubuntu: apt-get install chromium; ' +
      'macOS: brew install --cask google-chrome) or name it in MOTION_STUDIO_CHROMIUM.\n',
  );
  return null;
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

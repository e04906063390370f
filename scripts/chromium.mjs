import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { installPackage } from './system-package.mjs';

/** Renders in software: a test machine may have no graphics card. */
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

/** @returns {string | null} path of an installed Chromium or Chrome; `MOTION_STUDIO_CHROMIUM` takes precedence */
export function findChromium() {
  const named = process.env['MOTION_STUDIO_CHROMIUM'];
  if (named) return isProgram(named) ? named : null;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...MAC];
  return candidates.find(isProgram) ?? null;
}

/** Finds a browser. Installs Chromium if this is a disposable Debian machine (CI or a container) and the user is root.
 *  @returns {string | null} its path; null after it printed what to install */
export function ensureChromium() {
  const found = findChromium();
  if (found !== null) return found;
  if (installPackage('chromium')) {
    const installed = findChromium();
    if (installed !== null) return installed;
  }
  process.stdout.write(
    'Chromium or Chrome was not found. The browser tests need one. Install it (Debian, Ubuntu: apt-get install chromium; ' +
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

/** Options with which the browser tests start Chromium. */
export const CHROMIUM_ARGS: readonly string[];
/** Returns the path of an installed Chromium or Chrome, or null. `MOTION_STUDIO_CHROMIUM` has priority. */
export function findChromium(): string | null;
/** Like `findChromium`, but installs Chromium where that is allowed. Otherwise says what to install and returns null. */
export function ensureChromium(): string | null;

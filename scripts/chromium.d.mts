/** What the browser tests start it with. */
export const CHROMIUM_ARGS: readonly string[];
/** Path of an installed Chromium or Chrome, null where there is none; `MOTION_STUDIO_CHROMIUM` goes before all. */
export function findChromium(): string | null;
/** The same, installing Chromium where it may; null after saying what to install. */
export function ensureChromium(): string | null;

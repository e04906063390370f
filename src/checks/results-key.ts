import { CLIP_CHECKS, READING_CHECKS } from './check-list.ts';
import { type CheckSettings, limitsOf } from './threshold.ts';

/** Identifies what the checks report for a clip: their versions and thresholds. Results kept under another key are stale. */
export function resultsKey(settings: CheckSettings): string {
  return JSON.stringify([
    READING_CHECKS.map(({ kind, version }) => [kind, version]),
    CLIP_CHECKS.map((check) => [check.kind, check.version, limitsOf(check, settings)]),
  ]);
}

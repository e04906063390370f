import { CLIP_CHECKS, READING_CHECKS } from './check-list.ts';
import type { CheckSpec } from './check-spec.ts';
import { type CheckSettings, limitsOf } from './threshold.ts';

/** Identifies what the checks report for a clip: their versions and thresholds. Results kept under another key are stale. */
export function resultsKey(settings: CheckSettings, checks: readonly CheckSpec[] = CLIP_CHECKS): string {
  return JSON.stringify([
    READING_CHECKS.map(({ kind, version }) => [kind, version]),
    checks.map((check) => [check.kind, check.version, limitsOf(check, settings)]),
  ]);
}

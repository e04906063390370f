import { CLIP_CHECKS, READING_CHECKS } from './check-list.ts';
import type { CheckSpec } from './check-spec.ts';
import { type CheckSettings, limitsOf } from './threshold.ts';

/** Version of all checks and of the score. Increase it when the reporting of all issues, or the score, changes. */
const VERSION = 3;

/** Returns a key of the versions and thresholds of the checks. Results stored under a different key are stale. */
export function resultsKey(settings: CheckSettings, checks: readonly CheckSpec[] = CLIP_CHECKS): string {
  return JSON.stringify([
    VERSION,
    READING_CHECKS.map(({ kind, version }) => [kind, version]),
    checks.map((check) => [check.kind, check.version, limitsOf(check, settings)]),
  ]);
}

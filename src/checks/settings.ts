import { Type } from 'typebox';
import { optional, positive, settingsSection } from '../core/settings.ts';
import { CHECK_KINDS } from '../protocol/check-kinds.ts';
import { strictBody } from '../protocol/route.ts';
import { CLIP_CHECKS } from './check-list.ts';
import type { CheckSpec } from './check-spec.ts';
import type { CheckSettings, Thresholds } from './threshold.ts';

/** The section `qa`: thresholds of the checks, by kind of issue. */
export const QA_SETTINGS = checkSettings(CLIP_CHECKS);

/** Makes the settings section for a list of checks. Its keys have the order of the protocol's kinds. */
export function checkSettings(checks: readonly CheckSpec[]) {
  const sections = Object.keys(CHECK_KINDS).flatMap((kind) =>
    checks
      .filter((check) => check.kind === kind && Object.keys(check.thresholds).length > 0)
      .map(({ thresholds }) => [kind, optional(strictBody(schemasOf(thresholds)))] as const),
  );
  return settingsSection({
    schema: strictBody(Object.fromEntries(sections)),
    read: (given): CheckSettings => given ?? {},
  });
}

function schemasOf(thresholds: Thresholds) {
  return Object.fromEntries(
    Object.entries(thresholds).map(([name, { description, integer }]) => [
      name,
      integer ? optional(Type.Integer({ minimum: 1, description })) : positive(description),
    ]),
  );
}

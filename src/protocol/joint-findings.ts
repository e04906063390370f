import { NOT_FOLLOWING } from './evaluation-metrics.ts';
import type { JointMargin, Summary } from './schemas/evaluation.ts';

/** Success below which an evaluation without correlations says why they are missing. */
const FAILS = 0.5;

/** Describes what the correlations of the joints with their references say about a policy, one text per finding.
 *  @param joints the joints under one checkpoint and condition @param summary the results under these; undefined for an
 *  unfinished evaluation */
export function jointFindings(joints: readonly JointMargin[], summary: Summary | undefined): string[] {
  // Zero actions follow no reference.
  if (joints[0]?.checkpoint === '') return [];
  const findings = joints.flatMap(({ joint, exchanged_with: other }, at) =>
    other != null && joints.findIndex((each) => each.joint === other) > at
      ? [`${joint} and ${other} follow each other's references. Check the order of joints in the actions.`]
      : [],
  );
  const lost = joints
    .filter((joint) => isLost(joint) && joint.exchanged_with == null)
    .sort((a, b) => a.follows! - b.follows!);
  if (lost.length > 0) {
    const names = lost.map(({ joint, follows }) => `${joint} (${follows!.toFixed(2).replace('-', '−')})`).join(', ');
    findings.push(`Does not follow its reference: ${names}. Check sign and order in the actions and observations.`);
  }
  // Evaluations of older versions state no correlation at all.
  const silent = joints.length > 0 && joints.every(({ follows }) => follows === null);
  if (silent && summary && summary.success < FAILS)
    findings.push(
      `Tracked ${(summary.tracked_s * summary.episodes).toFixed(1)} s in all, too short to tell which joints do not follow their references. Use more starts. If every episode fails at once, check order, sign and scale of the observations, the default pose and the gains.`,
    );
  return findings;
}

/** Returns a share of a limit; null for a joint without that limit, whose share is 0. */
export function orNoLimit(share: number): number | null {
  return share === 0 ? null : share;
}

/** Returns whether a joint does not follow its reference. */
export function isLost({ follows }: Pick<JointMargin, 'follows'>): boolean {
  return follows != null && follows < NOT_FOLLOWING;
}

import type { ClipRobot } from '../motion/clip-robot.ts';
import type { ClipRows } from '../motion/clip-rows.ts';
import { CLIP_CHECKS } from './check-list.ts';
import type { CheckSpec } from './check-spec.ts';
import { CheckedClip } from './clip/checked-clip.ts';
import { checkData } from './clip/data-checks.ts';
import type { ClipIssue } from './clip/issue.ts';
import { type CheckSettings, limitsOf } from './threshold.ts';

const RANK = { error: 0, warning: 1, info: 2 } as const;

/** Runs the checks of the motion, without the checks of the layout. Takes about 0.1 s per minute of motion.
 *  @param clip numbers need not be finite; quaternions need not have unit length
 *  @param settings thresholds that differ from the defaults
 *  @returns the issues, the worst first */
export function runClipChecks(
  robot: ClipRobot,
  clip: ClipRows,
  settings: CheckSettings = {},
  checks: readonly CheckSpec[] = CLIP_CHECKS,
): ClipIssue[] {
  return judgeClip(robot, clip, settings, checks).issues;
}

/** The result of a clip's checks, together with the clip for further measurements. */
export interface JudgedClip {
  readonly issues: ClipIssue[];
  /** the checked clip; null if too few of its numbers are finite */
  readonly checked: CheckedClip | null;
}

/** Runs the checks like {@link runClipChecks}, and also returns the checked clip. */
export function judgeClip(
  robot: ClipRobot,
  clip: ClipRows,
  settings: CheckSettings = {},
  checks: readonly CheckSpec[] = CLIP_CHECKS,
): JudgedClip {
  const data = checkData(robot.facts, clip);
  if (!data.clip) return { issues: [...data.issues], checked: null };
  const checked = new CheckedClip(robot, data.clip, settings);
  const found = checks.flatMap((check) => check.run(checked, limitsOf(check, settings)));
  return { issues: sortIssues([...data.issues, ...found]), checked };
}

/** Sorts issues by severity, the worst first, then by frame. */
export function sortIssues(issues: readonly ClipIssue[]): ClipIssue[] {
  return [...issues].sort((a, b) => RANK[a.severity] - RANK[b.severity] || a.frames[0]! - b.frames[0]!);
}

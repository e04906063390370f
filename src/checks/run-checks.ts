import type { MotionNpz } from '../formats/motion-npz.ts';
import type { ClipRobot } from '../motion/clip-robot.ts';
import type { ClipRows } from '../motion/clip-rows.ts';
import type { ClipScore } from '../protocol/schemas/data.ts';
import { checkData } from './clip/data-checks.ts';
import { bodyOf, type ClipIssue } from './clip/issue.ts';
import { measureClip } from './clip/measure-clip.ts';
import { checkFrameRate, checkSpeedRate } from './layout/frame-rate.ts';
import { checkMotionLayout } from './layout/motion-layout.ts';
import { checkRawLayout } from './layout/raw-layout.ts';
import { type JudgedClip, judgeClip, sortIssues } from './run-clip-checks.ts';
import { clipScore } from './score/clip-score.ts';
import type { CheckSettings } from './threshold.ts';

/** The content of a clip's file. */
export type ClipContents =
  | {
      readonly kind: 'rows';
      readonly clip: ClipRows;
      /** true if the file names its joint columns */
      readonly named: boolean;
      /** true if the file states its frame rate */
      readonly stated: boolean;
    }
  | { readonly kind: 'motion'; readonly motion: MotionNpz };

/** Runs all checks: first the checks of the file's layout, then the checks of the motion. The motion is read in the
 *  layout that the first checks found. The worst issue comes first.
 *  @param inspected numbers need not be finite; the number of joints must equal the robot's
 *  @param settings as in `runClipChecks` */
export function runChecks(robot: ClipRobot, inspected: ClipContents, settings: CheckSettings = {}): ClipIssue[] {
  return judge(robot, inspected, settings).issues;
}

/** Runs all checks like {@link runChecks}, and computes the score of the clip in the layout that was found. */
export function checkAndScore(
  robot: ClipRobot,
  inspected: ClipContents,
  settings: CheckSettings,
): { readonly issues: ClipIssue[]; readonly score: ClipScore | null } {
  const { issues, checked } = judge(robot, inspected, settings);
  const root = robot.facts.bodies[0]?.name ?? null;
  return {
    issues: issues.map((issue) => ({ ...issue, body: bodyOf(issue, root) })),
    score: checked && clipScore(checked),
  };
}

function judge(robot: ClipRobot, inspected: ClipContents, settings: CheckSettings): JudgedClip {
  return inspected.kind === 'rows'
    ? inspectRows(robot, inspected, settings)
    : inspectMotion(robot, inspected.motion, settings);
}

function inspectRows(
  robot: ClipRobot,
  { clip, named, stated }: ClipContents & { kind: 'rows' },
  settings: CheckSettings,
): JudgedClip {
  const sound = checkData(robot.facts, clip);
  if (!sound.clip) return { issues: sortIssues(sound.issues), checked: null };
  const found = checkRawLayout(robot, sound.clip, named);
  const rate = found.doubtful ? [] : checkFrameRate(found.clip, measureClip(robot, found.clip), stated);
  const isAsRead = found.issues.length === 0;
  const { issues, checked } = judgeClip(robot, isAsRead ? clip : found.clip, settings);
  const own = isAsRead ? [] : [...sound.issues, ...found.issues];
  return { issues: sortIssues(isAsRead ? [...issues, ...rate] : [...own, ...rate, ...issues]), checked };
}

function inspectMotion(robot: ClipRobot, motion: MotionNpz, settings: CheckSettings): JudgedClip {
  const { issues, clip } = checkMotionLayout(robot, motion);
  const { fps, frames, jointPos, jointVel } = motion;
  const speeds = checkSpeedRate(fps, frames, jointPos, jointVel);
  const sound = checkData(robot.facts, clip).clip;
  const rate = speeds.length > 0 || !sound ? speeds : checkFrameRate(sound, measureClip(robot, sound), true);
  const judged = judgeClip(robot, clip, settings);
  return { issues: sortIssues([...issues, ...rate, ...judged.issues]), checked: judged.checked };
}

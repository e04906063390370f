import type { MotionNpz } from '../formats/motion-npz.ts';
import type { ClipRobot } from '../motion/clip-robot.ts';
import type { ClipRows } from '../motion/clip-rows.ts';
import { checkData } from './clip/data-checks.ts';
import type { ClipIssue } from './clip/issue.ts';
import { measureClip } from './clip/measure-clip.ts';
import { checkFrameRate, checkSpeedRate } from './layout/frame-rate.ts';
import { checkMotionLayout } from './layout/motion-layout.ts';
import { checkRawLayout } from './layout/raw-layout.ts';
import { runClipChecks, sortIssues } from './run-clip-checks.ts';
import type { CheckSettings } from './threshold.ts';

/** The content of a clip's file. */
export type ClipContents =
  | {
      readonly kind: 'rows';
      readonly clip: ClipRows;
      /** the file names its joint columns */
      readonly named: boolean;
      /** the file states its frame rate */
      readonly stated: boolean;
    }
  | { readonly kind: 'motion'; readonly motion: MotionNpz };

/** Runs all checks: first those of the file's layout, then those of the motion, which is read in the layout that was
 *  found. The worst issue comes first.
 *  @param inspected numbers need not be finite; the number of joints is that of the robot
 *  @param settings as in `runClipChecks` */
export function runChecks(robot: ClipRobot, inspected: ClipContents, settings: CheckSettings = {}): ClipIssue[] {
  return inspected.kind === 'rows'
    ? inspectRows(robot, inspected, settings)
    : inspectMotion(robot, inspected.motion, settings);
}

function inspectRows(
  robot: ClipRobot,
  { clip, named, stated }: ClipContents & { kind: 'rows' },
  settings: CheckSettings,
): ClipIssue[] {
  const sound = checkData(robot.facts, clip);
  if (!sound.clip) return sortIssues(sound.issues);
  const found = checkRawLayout(robot, sound.clip, named);
  const rate = found.doubtful ? [] : checkFrameRate(found.clip, measureClip(robot, found.clip), stated);
  if (found.issues.length === 0) return sortIssues([...runClipChecks(robot, clip, settings), ...rate]);
  return sortIssues([...sound.issues, ...found.issues, ...rate, ...runClipChecks(robot, found.clip, settings)]);
}

function inspectMotion(robot: ClipRobot, motion: MotionNpz, settings: CheckSettings): ClipIssue[] {
  const { issues, clip } = checkMotionLayout(robot, motion);
  const { fps, frames, jointPos, jointVel } = motion;
  const speeds = checkSpeedRate(fps, frames, jointPos, jointVel);
  const sound = checkData(robot.facts, clip).clip;
  const rate = speeds.length > 0 || !sound ? speeds : checkFrameRate(sound, measureClip(robot, sound), true);
  return sortIssues([...issues, ...rate, ...runClipChecks(robot, clip, settings)]);
}

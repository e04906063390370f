import type { QaSettings } from '../../core/settings.ts';
import type { MotionNpz } from '../../formats/motion-npz.ts';
import type { ClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { checkClip, sortIssues } from '../clip/check-clip.ts';
import { checkData } from '../clip/data-checks.ts';
import type { QaIssue } from '../clip/issue.ts';
import { measureClip } from '../clip/measure-clip.ts';
import { examineRate, examineSpeeds } from './frame-rate.ts';
import { examineMotion } from './motion-doctor.ts';
import { examineRaw } from './raw-doctor.ts';

/** A clip as its file has it. */
export type InspectedClip =
  | {
      readonly kind: 'rows';
      readonly clip: ClipRows;
      /** whether the file names its joint columns */
      readonly named: boolean;
      /** whether the file says its frame rate */
      readonly stated: boolean;
    }
  | { readonly kind: 'motion'; readonly motion: MotionNpz };

/** All that is wrong with a clip: first whether it is read as it was meant, then what is wrong with the motion, looked at
 *  as the doctor would read it. The worst comes first.
 *  @param inspected numbers may be not finite; joints are as many as the robot's  @param settings as in `checkClip` */
export function inspectClip(robot: ClipRobot, inspected: InspectedClip, settings: QaSettings = {}): QaIssue[] {
  return inspected.kind === 'rows'
    ? inspectRows(robot, inspected, settings)
    : inspectMotion(robot, inspected.motion, settings);
}

function inspectRows(
  robot: ClipRobot,
  { clip, named, stated }: InspectedClip & { kind: 'rows' },
  settings: QaSettings,
): QaIssue[] {
  const sound = checkData(robot.facts, clip);
  if (!sound.clip) return sortIssues(sound.issues);
  const found = examineRaw(robot, sound.clip, named);
  const rate = found.doubtful ? [] : examineRate(found.clip, measureClip(robot, found.clip), stated);
  if (found.issues.length === 0) return sortIssues([...checkClip(robot, clip, settings), ...rate]);
  return sortIssues([...sound.issues, ...found.issues, ...rate, ...checkClip(robot, found.clip, settings)]);
}

function inspectMotion(robot: ClipRobot, motion: MotionNpz, settings: QaSettings): QaIssue[] {
  const { issues, clip } = examineMotion(robot, motion);
  const { fps, frames, jointPos, jointVel } = motion;
  const speeds = examineSpeeds(fps, frames, jointPos, jointVel);
  const sound = checkData(robot.facts, clip).clip;
  const rate = speeds.length > 0 || !sound ? speeds : examineRate(sound, measureClip(robot, sound), true);
  return sortIssues([...issues, ...rate, ...checkClip(robot, clip, settings)]);
}

import { messageOf, StudioError } from '../core/errors.ts';
import { readBundle } from '../formats/clips/bundle.ts';
import { type MotionNpz, motionFacts, readMotionNpz } from '../formats/motion-npz.ts';
import type { ClipRobot } from '../motion/clip-robot.ts';
import { isSameRate } from '../motion/conversion-options.ts';
import { LEAST_FRAMES } from '../motion/fixes.ts';
import type { LibraryFile } from '../motion/library/load-motion-library.ts';
import { restingBody } from '../motion/library/resting-body.ts';
import { layoutProblem } from './layout/motion-layout.ts';

/** Maximum tolerated error of the joint velocities, relative to the speed of the joints. Files may contain smoothed
 *  velocities, which cause smaller errors. A larger error means that the velocities belong to other joints. */
const SPEED_OFF = 0.7;
/** Mean joint speed below which the joints are considered not to move, rad/s. */
const LEAST_SPEED = 0.05;
/** Maximum number of clip names in a message. */
const NAMED = 3;

/** Result of the check of a dataset's converted clips. */
export interface MotionsSeen {
  readonly clips: number;
  readonly frames: number;
  /** number of frames of each checked clip */
  readonly lengths: readonly number[];
  /** number of files that were not checked because time ran out */
  readonly skipped: number;
  /** problems of the first wrong clips, with the clips' names; null if no problem was found */
  readonly problem: string | null;
  /** the first clip in which a body other than a foot rests on the floor, and that body; null if there is none */
  readonly resting: { readonly clip: string; readonly body: string } | null;
}

/** Checks converted clips before a training: the numbers of joints and bodies, a frame rate equal to the control rate,
 *  enough frames, and body poses that match the forward kinematics of root and joints. Without this check, a file with
 *  another joint order would be trained without an error message.
 *  @param controlHz control steps per second  @param untilMs clock time at which checking ends */
export async function checkMotions(
  robot: ClipRobot,
  files: readonly LibraryFile[],
  controlHz: number,
  untilMs: number,
): Promise<MotionsSeen> {
  const problems: string[] = [];
  const lengths: number[] = [];
  let seen = 0;
  let resting: MotionsSeen['resting'] = null;
  for (const file of files) {
    if (seen > 0 && Date.now() > untilMs) break;
    seen += 1;
    try {
      for await (const { name, motion } of motionsOf(file)) {
        lengths.push(motion.frames);
        const problem = problemOf(robot, motion, controlHz);
        if (problem !== null) problems.push(`clip "${name}": ${problem}`);
        else if (resting === null) {
          const body = restingBody(robot, motion);
          if (body !== null) resting = { clip: name, body };
        }
      }
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      problems.push(`clip "${file.name}": ${messageOf(error)}`);
    }
  }
  const more = problems.length > NAMED ? `; and ${problems.length - NAMED} more` : '';
  return {
    clips: lengths.length,
    frames: lengths.reduce((sum, frames) => sum + frames, 0),
    lengths,
    skipped: files.length - seen,
    problem: problems.length === 0 ? null : problems.slice(0, NAMED).join('; ') + more,
    resting,
  };
}

async function* motionsOf(file: LibraryFile): AsyncGenerator<{ name: string; motion: MotionNpz }> {
  const { segments } = await motionFacts(file.path);
  if (segments === 0) yield { name: file.name, motion: await readMotionNpz(file.path) };
  else for await (const { clip, motion } of readBundle(file.path)) yield { name: clip.name, motion };
}

function problemOf(robot: ClipRobot, motion: MotionNpz, controlHz: number): string | null {
  const { facts } = robot;
  const [joints, bodies] = [facts.joints.length, facts.bodies.length];
  if (motion.joints !== joints || motion.bodies !== bodies)
    return `it has ${motion.joints} joints and ${motion.bodies} bodies, but ${facts.name} has ${joints} and ${bodies}. It was converted for another robot.`;
  if (motion.frames < LEAST_FRAMES)
    return `it has ${motion.frames} ${motion.frames === 1 ? 'frame' : 'frames'}, but training needs at least ${LEAST_FRAMES}. Exclude or delete it.`;
  const { jointPos, jointVel, bodyPosW, bodyQuatW, bodyLinVelW, bodyAngVelW } = motion;
  const arrays = [jointPos, jointVel, bodyPosW, bodyQuatW, bodyLinVelW, bodyAngVelW];
  const broken = arrays.some((values) => !values.every(Number.isFinite));
  if (broken) return 'it contains numbers that are not finite. Convert it again.';
  const wrong = layoutProblem(robot, motion);
  if (wrong) return wrong.text;
  if (!isSameRate(motion.fps, controlHz))
    return `it has ${motion.fps} frames per second, but the task has ${Math.round(controlHz)} control steps per second. Convert all clips of the dataset with output_fps ${Math.round(controlHz)}`;
  return speedProblem(motion);
}

/** Returns a problem of the joint velocities, or null. Training tracks the velocities in addition to the angles. */
function speedProblem({ fps, frames, joints, jointPos, jointVel }: MotionNpz): string | null {
  let [moved, off] = [0, 0];
  for (let frame = 1; frame < frames - 1; frame++) {
    for (let joint = 0; joint < joints; joint++) {
      const at = frame * joints + joint;
      const speed = ((jointPos[at + joints]! - jointPos[at - joints]!) * fps) / 2;
      moved += Math.abs(speed);
      off += Math.abs(jointVel[at]! - speed);
    }
  }
  const values = Math.max(1, (frames - 2) * joints);
  if (off <= SPEED_OFF * Math.max(moved, LEAST_SPEED * values)) return null;
  return `joint_vel differs from the change of joint_pos by ${(off / values).toPrecision(2)} rad/s on average, while the joints move at ${(moved / values).toPrecision(2)} rad/s. Its columns are in another order, or it was never computed. Convert the clip again.`;
}

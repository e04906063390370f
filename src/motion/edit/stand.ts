import { conjugate, fromAxisAngle, multiply, toRotationVector } from '../../core/math/quaternion.ts';
import { qposOf } from '../../robots/robot-facts.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { crossfade } from './crossfade.ts';
import { standingFoot, toFootFrame, trackFeet } from './foot-frame.ts';
import { checkSize, framesIn, framesOf, joined, reversed, widthOf } from './frames.ts';
import { headingBetween, movedBy, planarMotion } from './planar.ts';

/** Duration of the start of the clip that determines the standing foot, s. */
const FOOT_S = 0.1;
/** Time before the clip, s, over which its backward extension reaches the first velocity of the clip, starting at
 *  rest. */
const RUN_UP_S = 0.25;
/** Frames directly before the clip that only continue it backwards, so that its speed does not change at the seam. */
const SETTLED = 2;
/** Smallest number of added frames per settled frame. */
const ADDED_PER_SETTLED = 5;

/** Adds `seconds` of motion before the clip. It starts at rest in the robot's default pose and reaches the clip's
 *  first frame with the first velocity of the clip. The added frames blend the default pose into the clip extended
 *  backwards, with the weight `smoothStep`. The last frames before the clip are the extension alone. The horizontal
 *  position and heading of the default pose follow from the foot that stands in the clip's first frames, so this foot
 *  keeps its place. The original frames stay unchanged. */
export function standIn(robot: ClipRobot, clip: ClipRows, seconds: number): ClipRows {
  const width = widthOf(clip);
  const { fps } = clip;
  const added = framesIn(seconds, fps, 1);
  checkSize(clip.frames + added, width);
  const start = framesOf(clip, 0, Math.min(clip.frames - 1, framesIn(FOOT_S, fps, 1)));
  const foot = standingFoot(robot, [trackFeet(robot, start)]);
  const stand = standingRow(robot, start, foot);
  const settled = Math.min(SETTLED, Math.floor(added / ADDED_PER_SETTLED));
  const blended = added - settled;
  const runUp = Math.min(blended / fps, RUN_UP_S);
  const rows = new Float64Array(added * width);
  for (let frame = 0; frame < added; frame += 1) {
    const before = Math.max(0, blended - frame) / fps;
    const constant = Math.min(settled, added - frame) / fps;
    extended(rows.subarray(frame * width, (frame + 1) * width), start, -constant - runUpTime(before, runUp));
  }
  const extension: ClipRows = { fps, frames: added, rows };
  const still = new Float64Array(blended * width);
  for (let frame = 0; frame < blended; frame += 1) still.set(stand, frame * width);
  const motions = { from: { fps, frames: blended, rows: still }, to: framesOf(extension, 0, blended - 1) };
  const transition = crossfade(robot, motions, (frame) => frame / blended);
  const end = settled > 0 ? [framesOf(extension, blended, added - 1)] : [];
  return joined([transition, ...end, clip]);
}

/** Adds `seconds` of motion after the clip, from its last frame to rest in the robot's default pose. Reverses the
 *  clip, applies `standIn`, and reverses the result. */
export function standOut(robot: ClipRobot, clip: ClipRows, seconds: number): ClipRows {
  return reversed(standIn(robot, reversed(clip), seconds));
}

/** Returns the default pose. The lowest foot is on the floor, and `foot` has the horizontal position and heading that
 *  it has in the first row of `start`. */
function standingRow(robot: ClipRobot, start: ClipRows, foot: number): Float64Array {
  const { facts } = robot;
  const rows = qposOf(
    facts.rootHeight,
    facts.joints.map((joint) => joint.default),
  );
  const upright: ClipRows = { fps: start.fps, frames: 1, rows };
  const pinned = toFootFrame(robot, framesOf(start, 0, 0), foot);
  rows[2] = rows[2]! - trackFeet(robot, upright).lowest[0]!;
  const own = toFootFrame(robot, upright, foot);
  const yaw = headingBetween(own.rows.subarray(3, 7), pinned.rows.subarray(3, 7));
  return movedBy(upright, planarMotion(yaw, own.rows, pinned.rows)).rows;
}

/** Returns how far the extended clip lies behind its first frame, expressed as a time, s: the distance divided by the
 * first velocity. The speed rises from 0 to 1 over `runUp` by the minimum-jerk step 10u³ − 15u⁴ +
 *  6u⁵, whose integral is 2.5u⁴ − 3u⁵ + u⁶.
 *  @param before time before the clip's start, s */
function runUpTime(before: number, runUp: number): number {
  const u = Math.max(0, 1 - before / runUp);
  return runUp * (0.5 - u ** 4 * (2.5 + u * (-3 + u)));
}

/** Writes the pose that results if the first row of `clip` moves with its first velocity for `time` s (negative:
 *  before the start). */
function extended(out: Float64Array, clip: ClipRows, time: number): void {
  const width = out.length;
  const { rows, fps } = clip;
  const frames = time * fps;
  for (let k = 0; k < width; k += 1) out[k] = rows[k]! + frames * (rows[width + k]! - rows[k]!);
  const [first, second] = [rows.subarray(3, 7), rows.subarray(width + 3, width + 7)];
  const turn = multiply([1, 0, 0, 0], second, conjugate([1, 0, 0, 0], first));
  const vector = toRotationVector([0, 0, 0], turn);
  const angle = Math.hypot(...vector);
  const axis = angle > 0 ? vector.map((value) => value / angle) : [0, 0, 1];
  multiply(out.subarray(3, 7), fromAxisAngle([1, 0, 0, 0], axis, angle * frames), first);
}

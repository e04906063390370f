import { slerp } from '../../core/math/quaternion.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { standingFoot, toFootFrame, trackFeet } from './foot-frame.ts';
import { stepOver } from './footsteps.ts';
import { widthOf } from './frames.ts';
import { headingBetween, movedBy, planarMotion } from './planar.ts';
import { smoothStep } from './smooth-step.ts';

/** Half-width of the filters that smooth the vertical correction of a blend, as a share of the blend's frames. */
const LIFT_REACH = 0.1;
/** Smallest number of frames of a blend whose first and last frame belong to one motion alone. */
const FRAMES_WITH_ENDS = 5;

/** Two clips of equal length on the same floor, ready for blending. */
export interface Aligned {
  readonly from: ClipRows;
  /** clip moved so that its heading and horizontal position agree with `from` in the middle frame */
  readonly to: ClipRows;
}

/** Moves the clip `to` horizontally. In the middle of the blend, it then has the heading of `from`, and the foot
 *  that stands best in both clips is at the same position.
 *  @param rest further frames that are moved along with `to` */
export function align(robot: ClipRobot, from: ClipRows, to: ClipRows, rest: ClipRows): Aligned & { rest: ClipRows } {
  const width = widthOf(from);
  const middle = Math.floor((from.frames - 1) / 2);
  const at = middle * width;
  const yaw = headingBetween(to.rows.subarray(at + 3, at + 7), from.rows.subarray(at + 3, at + 7));
  const tracks = [trackFeet(robot, from), trackFeet(robot, to)] as const;
  const foot = standingFoot(robot, tracks);
  const [pinned, moving] = [from, to].map((clip) => toFootFrame(robot, clip, foot).rows.subarray(at, at + 2));
  const motion = planarMotion(yaw, moving!, pinned!);
  return { from, to: movedBy(to, motion), rest: movedBy(rest, motion) };
}

/** Returns the progress of an overlap of `frames` frames by frame, from 0 to 1. The first and the last frame of the
 *  overlap belong to one motion alone, so that position and speed continue at both seams. Overlaps of fewer than 5
 *  frames blend every frame. */
export function overlapProgress(frames: number): (frame: number) => number {
  if (frames === 1) return () => 0;
  const ends = frames < FRAMES_WITH_ENDS ? 0 : 1;
  return (frame) => Math.min(1, Math.max(0, (frame + 1 - ends) / (frames + 1 - 2 * ends)));
}

/** Blends two aligned clips frame by frame: positions and joints linearly, orientations by slerp. The feet step from
 *  one motion to the other (`stepOver`). If the blend penetrates the floor deeper than both clips, the robot is raised
 *  smoothly. @param weight weight of `to` by frame: near 0 at the start and near 1 at the end @param time progress of
 *  the blend at a frame, from 0 to 1 */
export function crossfade(
  robot: ClipRobot,
  { from, to }: Pick<Aligned, 'from' | 'to'>,
  time: (frame: number) => number,
  weight = (frame: number) => smoothStep(time(frame)),
): ClipRows {
  const width = widthOf(from);
  const rows = new Float64Array(from.rows.length);
  for (let frame = 0; frame < from.frames; frame += 1) {
    const at = frame * width;
    const w = weight(frame);
    for (let k = at; k < at + width; k += 1) rows[k] = from.rows[k]! + w * (to.rows[k]! - from.rows[k]!);
    slerp(rows.subarray(at + 3, at + 7), from.rows.subarray(at + 3, at + 7), to.rows.subarray(at + 3, at + 7), w);
  }
  const stepped = stepOver(robot, { from, to, blended: { ...from, rows }, time });
  const [before, after, now] = [from, to, stepped].map((clip) => trackFeet(robot, clip).lowest);
  const allowed = before!.map((low, k) => {
    const [first, second] = [Math.min(0, low), Math.min(0, after![k]!)];
    return first + weight(k) * (second - first);
  });
  const progress = Array.from({ length: from.frames }, (_, frame) => time(frame));
  const [first, end] = [progress.findIndex((u) => u > 0), progress.findLastIndex((u) => u < 1) + 1];
  return lifted(stepped, now!, { allowed, first, end });
}

interface Lift {
  readonly allowed: Float64Array;
  readonly first: number;
  readonly end: number;
}

/** Raises frames that are lower than allowed. The correction is the running maximum of the needed corrections, smoothed
 * by a raised cosine of the same half-width. It is therefore never less than needed, except near both ends, where it
 * fades to 0.
 *  @param lowest (frames) m, height of the lowest point  @param allowed (frames) m, minimum height
 *  @param first first frame that may be raised  @param end the frame after the last one that may be raised */
function lifted(clip: ClipRows, lowest: Float64Array, { allowed, first, end }: Lift): ClipRows {
  const needed = lowest.map((height, k) => Math.max(0, allowed[k]! - height));
  if (needed.every((lift) => lift === 0)) return clip;
  const { frames } = clip;
  const width = widthOf(clip);
  const reach = Math.max(1, Math.round(LIFT_REACH * frames));
  const rows = Float64Array.from(clip.rows);
  const highest = needed.map((_, k) => maximum(needed, k - reach, k + reach));
  for (let frame = 0; frame < frames; frame += 1) {
    let [sum, weights] = [0, 0];
    for (let n = -reach; n <= reach; n += 1) {
      const w = 1 + Math.cos((Math.PI * n) / (reach + 1));
      sum += w * highest[Math.min(frames - 1, Math.max(0, frame + n))]!;
      weights += w;
    }
    const fade = smoothStep((frame + 1 - first) / (2 * reach + 1)) * smoothStep((end - frame) / (2 * reach + 1));
    rows[frame * width + 2] = rows[frame * width + 2]! + (fade * sum) / weights;
  }
  return { ...clip, rows };
}

function maximum(values: Float64Array, from: number, to: number): number {
  let most = 0;
  for (let k = Math.max(0, from); k <= Math.min(values.length - 1, to); k += 1) most = Math.max(most, values[k]!);
  return most;
}

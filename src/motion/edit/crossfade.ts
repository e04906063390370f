import { slerp } from '../../core/math/quaternion.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { type FootTracks, fromFootFrame, standingFoot, toFootFrame, trackFeet } from './foot-frame.ts';
import { slideOf } from './foot-slide.ts';
import { widthOf } from './frames.ts';
import { headingBetween, movedBy, planarMotion } from './planar.ts';
import { smoothStep } from './smooth-step.ts';

/** Half-widths of the filters that make the lift of a blend smooth, as a share of the blend's frames. */
const LIFT_REACH = 0.1;

/** Two clips of equal length on one floor, ready to be blended. */
export interface Aligned {
  readonly from: ClipRows;
  /** moved so that heading and place agree with `from` in the middle */
  readonly to: ClipRows;
  /** body whose pose is blended */
  readonly foot: number;
}

/** Moves the clip `to` on the floor so that in the middle of the blend it has the heading of `from`, and the foot that
 *  stands best in both is at the same place.
 *  @param rest more frames that are moved along with `to` */
export function align(robot: ClipRobot, from: ClipRows, to: ClipRows, rest: ClipRows): Aligned & { rest: ClipRows } {
  const width = widthOf(from);
  const middle = Math.floor((from.frames - 1) / 2);
  const at = middle * width;
  const yaw = headingBetween(to.rows.subarray(at + 3, at + 7), from.rows.subarray(at + 3, at + 7));
  const tracks = [trackFeet(robot, from), trackFeet(robot, to)] as const;
  const foot = standingFoot(robot, tracks);
  const [pinned, moving] = [from, to].map((clip) => toFootFrame(robot, clip, foot).rows.subarray(at, at + 2));
  const motion = planarMotion(yaw, moving!, pinned!);
  return { from, to: movedBy(to, motion), rest: movedBy(rest, motion), foot };
}

/** A blend, and how far it has moved away from the clip that it ends with. */
export interface Blend {
  readonly clip: ClipRows;
  /** x y, m */
  readonly offset: Float64Array;
}

/** Blends two aligned clips frame by frame (Kovar, Gleicher and Pighin, Motion Graphs, 2002, 3.2): joints linearly and
 *  orientations by slerp, in the frame of the standing foot. Where the blend would sink deeper into the floor than
 *  both clips do, it is lifted smoothly. Where the feet on the floor would slide, the robot moves along (`slideOf`).
 *  @param weight of `to`, by frame: near 0 at the start and near 1 at the end */
export function crossfade(robot: ClipRobot, { from, to, foot }: Aligned, weight: (frame: number) => number): Blend {
  const [a, b] = [toFootFrame(robot, from, foot), toFootFrame(robot, to, foot)];
  const width = widthOf(from);
  const rows = new Float64Array(from.rows.length);
  for (let frame = 0; frame < from.frames; frame += 1) {
    const at = frame * width;
    const w = weight(frame);
    for (let k = at; k < at + width; k += 1) rows[k] = a.rows[k]! + w * (b.rows[k]! - a.rows[k]!);
    slerp(rows.subarray(at + 3, at + 7), a.rows.subarray(at + 3, at + 7), b.rows.subarray(at + 3, at + 7), w);
  }
  const blended = fromFootFrame(robot, { ...from, rows }, foot);
  const [before, after, now] = [from, to, blended].map((clip) => trackFeet(robot, clip)) as [
    FootTracks,
    FootTracks,
    FootTracks,
  ];
  const allowed = before.lowest.map((low, k) => {
    const [first, second] = [Math.min(0, low), Math.min(0, after.lowest[k]!)];
    return first + weight(k) * (second - first);
  });
  const offset = slideOf({ before, after, now, weight });
  return { clip: shifted(lifted(blended, now.lowest, allowed), offset), offset: offset.slice(-2) };
}

/** Adds a horizontal offset to each frame. @param offset (frames, 2) m */
function shifted(clip: ClipRows, offset: Float64Array): ClipRows {
  const width = widthOf(clip);
  const rows = Float64Array.from(clip.rows);
  for (let frame = 0; frame < clip.frames; frame += 1)
    for (let axis = 0; axis < 2; axis += 1)
      rows[frame * width + axis] = rows[frame * width + axis]! + offset[2 * frame + axis]!;
  return { ...clip, rows };
}

/** Raises frames that are lower than allowed. The lift is the running maximum of what each frame needs, smoothed by a
 *  raised cosine of the same reach, so it is enough everywhere, and it fades to 0 at both ends.
 *  @param lowest (frames) m, height of the lowest point  @param allowed (frames) m */
export function lifted(clip: ClipRows, lowest: Float64Array, allowed: Float64Array): ClipRows {
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
    const fade = smoothStep((frame + 1) / (2 * reach + 1)) * smoothStep((frames - frame) / (2 * reach + 1));
    rows[frame * width + 2] = rows[frame * width + 2]! + (fade * sum) / weights;
  }
  return { ...clip, rows };
}

function maximum(values: Float64Array, from: number, to: number): number {
  let most = 0;
  for (let k = Math.max(0, from); k <= Math.min(values.length - 1, to); k += 1) most = Math.max(most, values[k]!);
  return most;
}

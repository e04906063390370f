import { rotate, slerp } from '../../core/math/quaternion.ts';
import { add } from '../../core/math/vector.ts';
import { reachWithFoot } from '../basics/solve-pose.ts';
import { footPoints, jointsTo, type ReachingLeg } from '../basics/stance.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { trackFeet } from './foot-frame.ts';
import { widthOf } from './frames.ts';
import { smoothStep } from './smooth-step.ts';

/** A sole up to this height, m, is on the floor; a sole higher than `OFF` is in the air. */
const ON = 0.015;
const OFF = 0.05;
/** Parts of the blend in which the first half and the second half of the feet step to the second motion, as shares of
 *  its duration. */
const WINDOWS = [
  [0, 0.75],
  [0.25, 1],
] as const;
/** Height by which a stepping foot is lifted, m: the share `share` of the length of its step, limited to `least` and
 *  `most`. */
const LIFT = { most: 0.1, least: 0.03, share: 0.25 } as const;
/** A foot whose step would be shorter than this, m, stays on the floor. */
const SAME_PLACE = 0.02;
/** Cost of inverse kinematics for moving a joint 1 rad away from its blended angle. A foot 1 m away from its path costs
 *  1. With a smaller value, legs that are almost straight jerk. */
const HOLD = 0.15;
/** Distance that joints keep from their limits, rad. */
const MARGIN = 0.05;
/** Half-width of the filter that smooths the changes of the leg joints, s. */
const SMOOTH_S = 0.1;

/** A blend of two motions of equal length on the same floor. */
export interface SteppedBlend {
  readonly from: ClipRows;
  readonly to: ClipRows;
  readonly blended: ClipRows;
  /** Returns the progress of the blend at a frame, from 0 to 1. */
  readonly time: (frame: number) => number;
}

/** Makes the feet of a blend step instead of slide. Each foot first follows the first motion, then makes a step to its
 *  place in the second motion, and follows that motion. One half of the feet steps first and the other half later, so
 *  that a foot which stands in its motion also stands in the blend. The order is chosen so that more feet stand. The
 *  legs reach the feet by inverse kinematics, as far as that is possible without a jerk; all other joints and the root
 *  keep their values. */
export function stepOver(robot: ClipRobot, { from, to, blended, time }: SteppedBlend): ClipRows {
  const legs = legsOf(robot);
  if (legs.length === 0) return blended;
  const poses = [from, to].map((clip) => footPoses(robot, clip, legs)) as [Float64Array, Float64Array];
  const shares = windowsOf(robot, from, to, legs.length);
  const width = widthOf(blended);
  const rows = Float64Array.from(blended.rows);
  const lifts = legs.map((_, leg) => liftOf(poses, legs.length, leg, shares[leg]!));
  const goal = { position: new Float64Array(3), quaternion: new Float64Array(4) };
  for (let frame = 0; frame < blended.frames; frame += 1) {
    const row = rows.subarray(frame * width, (frame + 1) * width);
    const now = time(frame);
    if (now <= 0 || now >= 1) continue; // the frame belongs to only one of the motions and is not changed
    for (const [k, leg] of legs.entries()) {
      const [start, end] = shares[k]!;
      const u = smoothStep((now - start) / (end - start));
      const at = 7 * (frame * legs.length + k);
      const [a, b] = poses.map((of) => of.subarray(at, at + 7)) as [Float64Array, Float64Array];
      for (let axis = 0; axis < 3; axis += 1) goal.position[axis] = a[axis]! + u * (b[axis]! - a[axis]!);
      goal.position[2]! += 4 * u * (1 - u) * lifts[k]!;
      slerp(goal.quaternion, a.subarray(3), b.subarray(3), u);
      // The two motions may exceed the joint limits. The blend may exceed them by as much as the motions do, but not by
      // more.
      const joints = leg.joints.map((joint) => {
        const own = [from, to].map((clip) => clip.rows[frame * width + joint.qpos]!);
        const room = Math.min(MARGIN, Math.max(0, (joint.upper - joint.lower) / 4));
        return {
          ...joint,
          lower: Math.min(joint.lower + room, ...own),
          upper: Math.max(joint.upper - room, ...own),
        };
      });
      reachWithFoot(robot, { ...leg, joints }, goal, row, HOLD);
    }
  }
  return { ...blended, rows: smoothed(blended, rows, legs) };
}

/** Smooths the changes of the leg joints by a raised cosine, so that a foot that touches down does not jerk. The filter
 *  becomes narrower towards both ends, which are not changed. @param rows rows after the inverse kinematics @returns
 *  new rows */
function smoothed(blended: ClipRows, rows: Float64Array, legs: readonly ReachingLeg[]): Float64Array {
  const width = widthOf(blended);
  const out = Float64Array.from(rows);
  for (const { qpos } of legs.flatMap((leg) => leg.joints)) {
    const changes = Float64Array.from({ length: blended.frames }, (_, frame) => {
      const at = frame * width + qpos;
      return rows[at]! - blended.rows[at]!;
    });
    for (let frame = 0; frame < blended.frames; frame += 1) {
      const reach = Math.min(Math.round(SMOOTH_S * blended.fps), frame, blended.frames - 1 - frame);
      let [sum, weights] = [0, 0];
      for (let n = -reach; n <= reach; n += 1) {
        const weight = 1 + Math.cos((Math.PI * n) / (reach + 1));
        sum += weight * changes[frame + n]!;
        weights += weight;
      }
      out[frame * width + qpos] = blended.rows[frame * width + qpos]! + sum / weights;
    }
  }
  return out;
}

function legsOf(robot: ClipRobot): ReachingLeg[] {
  const { facts } = robot;
  const points = footPoints(robot);
  return facts.wiring.feet.flatMap((name, foot) => {
    const body = facts.bodies.findIndex((candidate) => candidate.name === name) + 1;
    const joints = body < 1 ? [] : jointsTo(robot, body);
    return joints.length === 0 ? [] : [{ body, joints, point: points[foot]! }];
  });
}

/** Returns the poses of the feet, (frames, legs, 7): position of the leg's point m, quaternion of the foot wxyz. */
function footPoses(robot: ClipRobot, clip: ClipRows, legs: readonly ReachingLeg[]): Float64Array {
  const width = widthOf(clip);
  const poses = new Float64Array(7 * legs.length * clip.frames);
  for (let frame = 0; frame < clip.frames; frame += 1) {
    robot.views.qpos.set(clip.rows.subarray(frame * width, (frame + 1) * width));
    robot.mj.mj_kinematics(robot.model, robot.data);
    const { xpos, xquat } = robot.views;
    for (const [k, { body, point }] of legs.entries()) {
      const at = 7 * (frame * legs.length + k);
      const quaternion = xquat.subarray(4 * body, 4 * body + 4);
      poses.set(add([0, 0, 0], rotate([0, 0, 0], quaternion, point), xpos.subarray(3 * body, 3 * body + 3)), at);
      poses.set(quaternion, at + 3);
    }
  }
  return poses;
}

/** Returns when each foot steps, as shares of the blend's duration. A foot that is always in the air gets the whole
 *  duration. */
function windowsOf(robot: ClipRobot, from: ClipRows, to: ClipRows, legs: number): (readonly [number, number])[] {
  const [a, b] = [contactsOf(robot, from), contactsOf(robot, to)];
  const middle = Math.floor(from.frames / 2);
  const sum = (values: Float64Array, start: number, end: number) =>
    values.subarray(start, end).reduce((total, value) => total + value, 0);
  const all = Array.from({ length: legs }, (_, leg) => leg);
  // Legs are listed in pairs from front to back, so that diagonal legs of a quadruped step together.
  const groupOf = (leg: number) => (leg + Math.floor(leg / 2)) % 2;
  const standing = (first: number) =>
    all.reduce(
      (total, leg) => total + (groupOf(leg) === first ? sum(b[leg]!, middle, to.frames) : sum(a[leg]!, 0, middle)),
      0,
    );
  const first = standing(0) >= standing(1) ? 0 : 1;
  return all.map((leg) => {
    const isInAir = sum(a[leg]!, 0, from.frames) + sum(b[leg]!, 0, to.frames) === 0;
    return isInAir ? [0, 1] : WINDOWS[groupOf(leg) === first ? 0 : 1]!;
  });
}

/** Returns for each foot an array (frames): 1 if its sole is on the floor, 0 if it is in the air, values in between
 *  near the floor. */
function contactsOf(robot: ClipRobot, clip: ClipRows): Float64Array[] {
  return trackFeet(robot, clip).soles.map((sole) => {
    const size = sole.length / clip.frames;
    return Float64Array.from({ length: clip.frames }, (_, frame) => {
      let lowest = Infinity;
      for (let at = 2; at < size; at += 3) lowest = Math.min(lowest, sole[frame * size + at]!);
      return Math.min(1, Math.max(0, (OFF - lowest) / (OFF - ON)));
    });
  });
}

/** Returns the height by which a foot is lifted during its step, m. */
function liftOf(
  [a, b]: readonly [Float64Array, Float64Array],
  legs: number,
  leg: number,
  [start, end]: readonly [number, number],
): number {
  const frames = a.length / (7 * legs);
  const at = 7 * (Math.floor((frames * (start + end)) / 2) * legs + leg);
  const way = Math.hypot(b[at]! - a[at]!, b[at + 1]! - a[at + 1]!);
  return way < SAME_PLACE ? 0 : Math.min(LIFT.most, LIFT.least + LIFT.share * way);
}

import { multiply, rotate } from '../../core/math/quaternion.ts';
import { add } from '../../core/math/vector.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { lowestOf, type RobotShape, robotShape } from '../robot-shape.ts';
import { widthOf } from './frames.ts';

/** Conversions between the root frame and the foot frame. In the foot frame, a row contains the pose of a foot
 *  instead of the pose of the root: x y z (m), quaternion (wxyz), joints. Blending two motions in the foot frame
 *  keeps the standing foot in place; blending in the root frame would not. */

/** Index of a body, counted without the world. −1 means the root and is used for a robot without feet. */
type Body = number;

/** Returns the indices of the robot's foot bodies. */
function feetOf({ facts }: ClipRobot): Body[] {
  return facts.wiring.feet.map((name) => facts.bodies.findIndex((body) => body.name === name));
}

/** Replaces the pose of the root by the pose of a foot. */
export function toFootFrame(robot: ClipRobot, clip: ClipRows, foot: Body): ClipRows {
  return converted(robot, clip, foot, (pose, local) => {
    rotate(local.position, pose.quat, local.position);
    for (let k = 0; k < 3; k += 1) pose.pos[k] = pose.pos[k]! + local.position[k]!;
    multiply(pose.quat, pose.quat, local.quat);
  });
}

interface Pose {
  readonly pos: Float64Array;
  readonly quat: Float64Array;
}

/** Calls `change` for each row, with the row's pose and the pose of the foot relative to the root. `change` modifies
 *  the row's pose in place. */
function converted(
  robot: ClipRobot,
  clip: ClipRows,
  foot: Body,
  change: (pose: Pose, local: { position: Float64Array; quat: Float64Array }) => void,
): ClipRows {
  const rows = Float64Array.from(clip.rows);
  if (foot < 0) return { ...clip, rows };
  const width = widthOf(clip);
  const local = { position: new Float64Array(3), quat: new Float64Array(4) };
  for (let at = 0; at < rows.length; at += width) {
    const { qpos } = robot.views;
    qpos.set(rows.subarray(at, at + width));
    qpos.set([0, 0, 0, 1, 0, 0, 0]);
    robot.mj.mj_kinematics(robot.model, robot.data);
    const { xpos, xquat } = robot.views;
    local.position.set(xpos.subarray(3 * (foot + 1), 3 * (foot + 2)));
    local.quat.set(xquat.subarray(4 * (foot + 1), 4 * (foot + 2)));
    change({ pos: rows.subarray(at, at + 3), quat: rows.subarray(at + 3, at + 7) }, local);
  }
  return { ...clip, rows };
}

/** Heights and positions of the feet in every frame. */
export interface FootTracks {
  /** (frames) m, height of the lowest point of all collision geoms, or of the soles for a robot without geoms */
  readonly lowest: Float64Array;
  /** per foot (frames, 3) m, the point of the sole below the foot's origin */
  readonly places: readonly Float64Array[];
  /** per foot (frames, points, 3) m, the points of the sole */
  readonly soles: readonly Float64Array[];
}

const shapes = new WeakMap<ClipRobot, RobotShape>();

function shapeOf(robot: ClipRobot): RobotShape {
  const shape = shapes.get(robot) ?? robotShape(robot);
  shapes.set(robot, shape);
  return shape;
}

/** Measures the feet in every frame. */
export function trackFeet(robot: ClipRobot, clip: ClipRows): FootTracks {
  const { mj, model, data, facts } = robot;
  const shape = shapeOf(robot);
  const feet = feetOf(robot);
  const width = widthOf(clip);
  const lowest = new Float64Array(clip.frames);
  const places = feet.map(() => new Float64Array(3 * clip.frames));
  const soles = shape.feet.map(({ sole }) => new Float64Array(sole.length * clip.frames));
  const point = new Float64Array(3);
  for (let frame = 0; frame < clip.frames; frame += 1) {
    robot.views.qpos.set(clip.rows.subarray(frame * width, (frame + 1) * width));
    mj.mj_kinematics(model, data);
    const { xpos, xquat, geomXpos, geomXmat } = robot.views;
    let low = Infinity;
    for (const part of shape.shapes) low = Math.min(low, lowestOf(part, geomXpos, geomXmat));
    for (const [k, foot] of feet.entries()) {
      const place = xpos.subarray(3 * (foot + 1), 3 * (foot + 2));
      places[k]!.set([place[0]!, place[1]!, place[2]! - facts.footSoleZ], 3 * frame);
      const { sole } = shape.feet[k]!;
      for (let at = 0; at < sole.length; at += 3) {
        rotate(point, xquat.subarray(4 * (foot + 1), 4 * (foot + 2)), sole.subarray(at, at + 3));
        soles[k]!.set(add(point, point, place), frame * sole.length + at);
      }
      if (shape.shapes.length === 0) low = Math.min(low, place[2]! - facts.footSoleZ);
    }
    lowest[frame] = Number.isFinite(low) ? low : 0;
  }
  return { lowest, places, soles };
}

/** Returns the foot that moves least in all tracks: the foot with the smallest sum of its maximum height, m, and the
 *  length of its path, m. Returns −1 for a robot without feet. */
export function standingFoot(robot: ClipRobot, tracks: readonly FootTracks[]): Body {
  const feet = feetOf(robot);
  const costs = feet.map((_, k) => {
    let cost = 0;
    for (const { places } of tracks) {
      const place = places[k]!;
      let [height, way] = [-Infinity, 0];
      for (let at = 0; at < place.length; at += 3) {
        height = Math.max(height, place[at + 2]!);
        if (at > 0) way += Math.hypot(place[at]! - place[at - 3]!, place[at + 1]! - place[at - 2]!);
      }
      cost += height + way;
    }
    return cost;
  });
  return feet[costs.indexOf(Math.min(...costs))] ?? -1;
}

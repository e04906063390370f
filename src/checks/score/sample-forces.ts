import { distanceToHull, nearestInHull } from '../../core/math/convex-hull.ts';
import { rotate } from '../../core/math/quaternion.ts';
import { GroundSupport } from '../../motion/dynamics/ground-support.ts';
import { inverseDynamics } from '../../motion/dynamics/inverse-dynamics.ts';
import { type SmoothMotion, smoothMotion } from '../../motion/dynamics/smooth-motion.ts';
import { lowestOf, robotShape } from '../../motion/robot-shape.ts';
import type { CheckedClip } from '../clip/checked-clip.ts';
import { type ClipMeasures, measuresOf } from '../clip/measure-clip.ts';

/** Sampling rate of the forces, frames per second. The forces are smoothed to 6 Hz, so a higher rate adds little. */
const RATE = 16;
/** Height below which a point of a sole or of another body touches the floor, m. */
const TOUCHES = 0.04;
/** Height below which a sole can be put down to stand on it, m. */
const REACHES = 0.1;
/** Minimum share of the weight that the floor must carry. With less force, the zero moment point is not computed. */
const CARRIED = 0.2;
/** Distances of a single frame are limited to this value, m. */
const FARTHEST = 0.5;
/** Torque shares of a single frame are limited to this value. */
const MOST_TORQUE = 10;

/** Samples of a clip's forces, at about {@link RATE} frames per second. */
export interface Forces {
  /** torque relative to the torque limit: the largest value of all joints, per sample */
  readonly torques: number[];
  /** distance between the zero moment point and the support area, m, for samples on the floor */
  readonly distances: number[];
  /** stands on the soles; null for the samples in which another body or nothing touches the floor */
  readonly stands: (Stand | null)[];
  /** (samples, keybodies, 3) positions of the key bodies, m */
  readonly points: number[];
  readonly keybodies: number;
  /** time between samples, s */
  readonly step: number;
  /** root mean square of the joint speeds over joints and samples, rad/s */
  readonly speed: number;
}

/** A sample in which only the soles are near the floor. */
export interface Stand {
  /** vector from the area of the soles to the zero moment point, m, in the world frame; zero inside the area. A sole up
   *  to {@link REACHES} above the floor belongs to the area, because the robot can put it down. */
  readonly beside: readonly [x: number, y: number];
  /** horizontal speed of the root, m/s */
  readonly speed: number;
}

/** Samples the forces of a checked clip; use with `CheckedClip.shared`, which caches them. */
export function forcesOf(checked: CheckedClip): Forces {
  const { robot, clip } = checked;
  const measures = checked.shared(measuresOf);
  const { nq, nv, facts } = robot;
  const stride = Math.max(1, Math.round(clip.fps / RATE));
  const motion = smoothMotion(clip, nq);
  const compute = inverseDynamics(robot);
  const support = new GroundSupport(robot);
  const bodies = facts.wiring.keybodies.map((name) => facts.bodies.findIndex((body) => body.name === name) + 1);
  const torque = new Float64Array(nv);
  const [torques, distances, points]: [number[], number[], number[]] = [[], [], []];
  const stands: (Stand | null)[] = [];
  let squares = 0;
  for (let frame = 0; frame < clip.frames; frame += stride) {
    setState(robot, clip.rows, motion, frame);
    compute();
    torque.set(robot.views.forces);
    const pivot = zeroMomentPoint(robot, torque);
    const touching = pivot === null ? [] : touchingPoints(robot, measures, frame);
    if (pivot !== null && touching.length > 0)
      distances.push(Math.min(FARTHEST, distanceToHull(pivot[0], pivot[1], touching)));
    const speed = Math.hypot(motion.velocities[frame * nv]!, motion.velocities[frame * nv + 1]!);
    stands.push(standOf(measures, frame, pivot, speed));
    support.relieve(torque);
    let most = 0;
    for (const [joint, { effortLimit }] of facts.joints.entries()) {
      if (effortLimit !== null && effortLimit > 0) most = Math.max(most, Math.abs(torque[6 + joint]!) / effortLimit);
      squares += motion.velocities[frame * nv + 6 + joint]! ** 2;
    }
    torques.push(Math.min(MOST_TORQUE, most));
    const { xpos } = robot.views;
    for (const body of bodies) points.push(xpos[3 * body]!, xpos[3 * body + 1]!, xpos[3 * body + 2]!);
  }
  const speed = Math.sqrt(squares / Math.max(1, torques.length * facts.joints.length));
  return { torques, distances, stands, points, keybodies: bodies.length, step: stride / clip.fps, speed };
}

function setState(robot: CheckedClip['robot'], rows: Float64Array, motion: SmoothMotion, frame: number): void {
  const { nq, nv } = robot;
  const { qpos, qvel, qacc } = robot.views;
  for (let k = 0; k < nq; k += 1) qpos[k] = rows[frame * nq + k]!;
  for (let k = 0; k < nv; k += 1) {
    qvel[k] = motion.velocities[frame * nv + k]!;
    qacc[k] = motion.accelerations[frame * nv + k]!;
  }
}

const turned = new Float64Array(3);

/** Returns the zero moment point (x, y), m: where the force of the floor must act. Null in the air.
 *  @param needed (nv,) result of inverse dynamics: the force and moment at the root that would be needed without a
 *  floor */
function zeroMomentPoint(robot: CheckedClip['robot'], needed: Float64Array): readonly [x: number, y: number] | null {
  const [fx, fy, fz] = [needed[0]!, needed[1]!, needed[2]!];
  if (fz < CARRIED * robot.facts.mass * 9.81) return null;
  const { xpos, xquat } = robot.views;
  const moment = rotate(turned, xquat.subarray(4, 8), needed.subarray(3, 6));
  const [x, y, z] = [xpos[3]!, xpos[4]!, xpos[5]!];
  const mx = moment[0]! + y * fz - z * fy;
  const my = moment[1]! + z * fx - x * fz;
  return [-my / fz, mx / fz];
}

function standOf(
  measures: ClipMeasures,
  frame: number,
  pivot: readonly [x: number, y: number] | null,
  speed: number,
): Stand | null {
  // Feet without collision geoms have one point each: too little to stand on.
  if (pivot === null || !Number.isFinite(measures.lowestFoot[frame]!)) return null;
  if (measures.lowestOther[frame]! <= TOUCHES) return null;
  const soles = solePoints(measures, frame, REACHES);
  if (soles.length === 0) return null;
  const [x, y] = nearestInHull(pivot[0], pivot[1], soles);
  return { beside: [pivot[0] - x, pivot[1] - y], speed };
}

/** Returns the points of the soles below a height, (n, 2) m. */
function solePoints({ feet }: ClipMeasures, frame: number, height: number): number[] {
  const out: number[] = [];
  for (const { points, count } of feet)
    for (let k = 3 * frame * count; k < 3 * (frame + 1) * count; k += 3)
      if (points[k + 2]! < height) out.push(points[k]!, points[k + 1]!);
  return out;
}

/** Returns the points that touch the floor, (n, 2) m: points of the soles, and the centres of other geoms. */
function touchingPoints(robot: CheckedClip['robot'], measures: ClipMeasures, frame: number): number[] {
  const out = solePoints(measures, frame, TOUCHES);
  if (measures.lowestOther[frame]! > TOUCHES) return out;
  const { geomXpos, geomXmat } = robot.views;
  for (const shape of robotShape(robot).shapes)
    if (lowestOf(shape, geomXpos, geomXmat) < TOUCHES)
      out.push(geomXpos[3 * shape.geom]!, geomXpos[3 * shape.geom + 1]!);
  return out;
}

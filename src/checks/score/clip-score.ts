import { distanceToHull } from '../../core/math/convex-hull.ts';
import { rotate } from '../../core/math/quaternion.ts';
import { GroundSupport } from '../../motion/dynamics/ground-support.ts';
import { inverseDynamics } from '../../motion/dynamics/inverse-dynamics.ts';
import { type SmoothMotion, smoothMotion } from '../../motion/dynamics/smooth-motion.ts';
import { lowestOf, robotShape } from '../../motion/robot-shape.ts';
import type { ClipScore } from '../../protocol/schemas/data.ts';
import type { CheckedClip } from '../clip/checked-clip.ts';
import { isFlight } from '../clip/ground-checks.ts';
import { rangesWhere } from '../clip/issue.ts';
import { type ClipMeasures, measuresOf } from '../clip/measure-clip.ts';
import { overlapShare } from '../clip/self-collision.ts';

/** Sampling rate of the forces, frames per second. The forces are smoothed to 6 Hz, so a higher rate adds little. */
const RATE = 16;
/** Height below which a point of a sole or of another body touches the floor, m. */
const TOUCHES = 0.04;
/** Height of the robot's lowest point above which the robot is in the air, m. */
const AIRBORNE = 0.06;
/** Minimum share of the weight that the floor must carry. With less force, the zero moment point is not computed. */
const CARRIED = 0.2;
/** Distances of a single frame are limited to this value, m. */
const FARTHEST = 0.5;
/** Torque shares of a single frame are limited to this value. */
const MOST_TORQUE = 10;
const PERCENTILE = 0.95;

/** Limits between which feasibility falls linearly: 1 up to the first value, 0 from the second value on. */
const FADES = { torque: [1, 3], support: [0.02, 0.2], jerk: [300, 3000] } as const;
/** Values at which a quantity contributes its full share to the complexity; for speed, half of its share. */
const FULL = { speed: 1, torque: 1, airborne: 0.25, height: 0.5 } as const;

/** Scores how feasible a clip is for a robot, and how demanding the clip is; see docs/curation.md. Returns null if
 *  the motion is so extreme that the results are not finite. */
export function clipScore(checked: CheckedClip): ClipScore | null {
  const measures = checked.shared(measuresOf);
  const { frames, fps } = checked.clip;
  const forces = sampleForces(checked, measures);
  const hasShape = Number.isFinite(measures.lowest[0]!);
  const inAir = hasShape
    ? rangesWhere(frames, (frame) => (measures.lowest[frame]! > AIRBORNE ? 1 : 0), { gap: 0 })
    : [];
  const share = (ranges: typeof inAir) => ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0) / frames;
  const airborne = share(inAir);
  const floating = share(inAir.filter(({ start, end }) => !isFlight(measures, fps, start, end)));
  const torque = percentile(forces.torques);
  const support = mean(forces.distances);
  const jerk = percentile(jerks(forces));
  const collision = overlapShare(checked);
  const feasibility =
    fade(torque, FADES.torque) *
    fade(support, FADES.support) *
    fade(jerk, FADES.jerk) *
    (1 - collision) *
    (1 - floating);
  const complexity = mean([
    forces.speed / (forces.speed + FULL.speed),
    Math.min(1, torque / FULL.torque),
    Math.min(1, airborne / FULL.airborne),
    Math.min(1, heightSpan(checked) / FULL.height),
  ]);
  const values = { feasibility, complexity, torque, support, collision, jerk, airborne };
  if (!Object.values(values).every(Number.isFinite)) return null;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Math.round(value * 1e4) / 1e4]),
  ) as unknown as ClipScore;
}

/** Samples of a clip's forces, at about {@link RATE} frames per second. */
interface Forces {
  /** torque relative to the torque limit: the largest value of all joints, per sample */
  readonly torques: number[];
  /** distance between the zero moment point and the support area, m, for samples on the floor */
  readonly distances: number[];
  /** (samples, keybodies, 3) positions of the key bodies, m */
  readonly points: number[];
  readonly keybodies: number;
  /** time between samples, s */
  readonly step: number;
  /** root mean square of the joint speeds over joints and samples, rad/s */
  readonly speed: number;
}

function sampleForces({ robot, clip }: CheckedClip, measures: ClipMeasures): Forces {
  const { nq, nv, facts } = robot;
  const stride = Math.max(1, Math.round(clip.fps / RATE));
  const motion = smoothMotion(clip, nq);
  const compute = inverseDynamics(robot);
  const support = new GroundSupport(robot);
  const bodies = facts.wiring.keybodies.map((name) => facts.bodies.findIndex((body) => body.name === name) + 1);
  const torque = new Float64Array(nv);
  const [torques, distances, points]: [number[], number[], number[]] = [[], [], []];
  let squares = 0;
  for (let frame = 0; frame < clip.frames; frame += stride) {
    setState(robot, clip.rows, motion, frame);
    compute();
    torque.set(robot.views.forces);
    const distance = supportDistance(robot, measures, torque, frame);
    if (distance !== null) distances.push(distance);
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
  return { torques, distances, points, keybodies: bodies.length, step: stride / clip.fps, speed };
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

/** Returns the distance, m, between the zero moment point (where the force of the floor must act) and the convex
 *  hull of the points that touch the floor; null in the air.
 *  @param needed (nv,) result of inverse dynamics: the force and moment at the root that would be needed without a
 *  floor */
function supportDistance(
  robot: CheckedClip['robot'],
  measures: ClipMeasures,
  needed: Float64Array,
  frame: number,
): number | null {
  const touching = touchingPoints(robot, measures, frame);
  const [fx, fy, fz] = [needed[0]!, needed[1]!, needed[2]!];
  if (touching.length === 0 || fz < CARRIED * robot.facts.mass * 9.81) return null;
  const { xpos, xquat } = robot.views;
  const moment = rotate(turned, xquat.subarray(4, 8), needed.subarray(3, 6));
  const [x, y, z] = [xpos[3]!, xpos[4]!, xpos[5]!];
  const mx = moment[0]! + y * fz - z * fy;
  const my = moment[1]! + z * fx - x * fz;
  return Math.min(FARTHEST, distanceToHull(-my / fz, mx / fz, touching));
}

/** Returns the points that touch the floor, (n, 2) m: points of the soles, and the centres of other geoms. */
function touchingPoints(robot: CheckedClip['robot'], { feet, lowestOther }: ClipMeasures, frame: number): number[] {
  const out: number[] = [];
  for (const { points, count } of feet)
    for (let k = 3 * frame * count; k < 3 * (frame + 1) * count; k += 3)
      if (points[k + 2]! < TOUCHES) out.push(points[k]!, points[k + 1]!);
  if (lowestOther[frame]! > TOUCHES) return out;
  const { geomXpos, geomXmat } = robot.views;
  for (const shape of robotShape(robot).shapes)
    if (lowestOf(shape, geomXpos, geomXmat) < TOUCHES)
      out.push(geomXpos[3 * shape.geom]!, geomXpos[3 * shape.geom + 1]!);
  return out;
}

/** Returns the jerk, m/s³, of each key body at each sample, computed with central third differences. */
function jerks({ points, keybodies, step }: Forces): number[] {
  const width = 3 * keybodies;
  const out: number[] = [];
  for (let at = 2 * width; at + 2 * width < points.length; at += width)
    for (let body = 0; body < width; body += 3) {
      const third = (axis: number) => {
        const k = at + body + axis;
        return points[k + 2 * width]! - 2 * points[k + width]! + 2 * points[k - width]! - points[k - 2 * width]!;
      };
      out.push(Math.hypot(third(0), third(1), third(2)) / (2 * step ** 3));
    }
  return out;
}

/** Returns the range of the root's height, divided by the root's height in the default pose. */
function heightSpan({ robot, clip }: CheckedClip): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 2; at < clip.rows.length; at += robot.nq) {
    low = Math.min(low, clip.rows[at]!);
    high = Math.max(high, clip.rows[at]!);
  }
  return (high - low) / Math.max(1e-3, robot.facts.rootHeight);
}

function fade(value: number, [from, to]: readonly [number, number]): number {
  return Math.max(0, Math.min(1, (to - value) / (to - from)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function percentile(values: number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(PERCENTILE * sorted.length))] ?? 0;
}

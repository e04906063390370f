import {
  conjugate,
  fromAxisAngle,
  fromEulerXyz,
  multiply,
  rotate,
  toRotationVector,
} from '../../core/math/quaternion.ts';
import { add } from '../../core/math/vector.ts';
import type { ClipRobot } from '../clip-robot.ts';
import { solveSymmetric6 } from '../dynamics/solve-symmetric.ts';
import type { Leg, ReachingLeg, Stance } from './stance.ts';

/** Target poses of the root and the feet at one moment. All values are relative to the stance. */
export interface Targets {
  /** heading and forward lean of the root, rad */
  readonly yaw: number;
  readonly pitch: number;
  /** height of the root, m */
  readonly rise: number;
  /** position of the centre of mass on the floor, m */
  readonly centre: readonly [number, number];
  /** pose of each foot: rotated about the origin by `yaw`, rad, then lifted, m */
  readonly feet: readonly { readonly yaw: number; readonly lift: number }[];
}

/** Number of iterations that place the centre of mass, and of the inverse kinematics in each of them. */
const BALANCE_ROUNDS = 4;
const LEG_ROUNDS = 8;
/** Damping λ of the damped least squares. */
const DAMPING = 1e-4;
/** Weight of an orientation error of 1 rad relative to a position error of 1 m. A leg with fewer than six joints cannot
 *  orient its foot freely. */
const TURN_WEIGHT = { free: 0.2, bound: 0.01 } as const;
/** Distance that joints keep from their limits, rad. */
const MARGIN = 0.02;

/** Writes the configuration that meets the targets into `qpos`. On entry, `qpos` contains the configuration of the
 *  previous moment. @returns largest distance of a foot from its target, m */
export function solvePose(robot: ClipRobot, stance: Stance, targets: Targets, qpos: Float64Array): number {
  const { mj, model, data } = robot;
  const turn = fromEulerXyz([1, 0, 0, 0], 0, targets.pitch, targets.yaw);
  multiply(qpos.subarray(3, 7), turn, stance.qpos.subarray(3, 7));
  qpos[2] = stance.qpos[2]! + targets.rise;
  let error = 0;
  for (let round = 0; round < BALANCE_ROUNDS; round += 1) {
    error = 0;
    for (const [k, leg] of stance.legs.entries()) error = Math.max(error, solveLeg(robot, leg, targets.feet[k]!, qpos));
    if (round === BALANCE_ROUNDS - 1) break;
    robot.views.qpos.set(qpos);
    mj.mj_kinematics(model, data);
    mj.mj_comPos(model, data);
    const { subtreeCom } = robot.views;
    qpos[0]! += targets.centre[0] - subtreeCom[3]!;
    qpos[1]! += targets.centre[1] - subtreeCom[4]!;
  }
  return error;
}

/** Moves the joints of a leg until its foot is at its target. @returns remaining distance, m */
function solveLeg(robot: ClipRobot, leg: Leg, { yaw, lift }: Targets['feet'][number], qpos: Float64Array): number {
  const [x, y, z] = leg.position as [number, number, number];
  const position = [x * Math.cos(yaw) - y * Math.sin(yaw), x * Math.sin(yaw) + y * Math.cos(yaw), z + lift];
  const quaternion = multiply([1, 0, 0, 0], fromAxisAngle([1, 0, 0, 0], [0, 0, 1], yaw), leg.quaternion);
  const joints = leg.joints.map((joint) => {
    const room = Math.min(MARGIN, Math.max(0, (joint.upper - joint.lower) / 4));
    return { ...joint, lower: joint.lower + room, upper: joint.upper - room };
  });
  return reachWithFoot(robot, { ...leg, joints }, { position, quaternion }, qpos);
}

/** Moves the joints of a leg until its foot has the given pose in the world, as far as the joints allow (damped least
 *  squares).
 *  @param goal position of the leg's point, m, and orientation of its foot, wxyz
 *  @param qpos first guess, and the result
 *  @param hold weight of a joint change of 1 rad from the first guess relative to a position error of 1 m. With a
 *  larger weight, the foot stops before poses that need an almost straight leg, and joints do not turn by large angles
 *  @returns remaining distance, m */
export function reachWithFoot(
  robot: ClipRobot,
  { body, joints, point }: ReachingLeg,
  goal: { readonly position: ArrayLike<number>; readonly quaternion: ArrayLike<number> },
  qpos: Float64Array,
  hold = 0,
): number {
  const { mj, model, data } = robot;
  const weight = joints.length < 6 ? TURN_WEIGHT.bound : TURN_WEIGHT.free;
  const error = new Float64Array(6);
  const guess = joints.map(({ qpos: index }) => qpos[index]!);
  for (let round = 0; ; round += 1) {
    robot.views.qpos.set(qpos);
    mj.mj_kinematics(model, data);
    const { xpos, xquat, xanchor, xaxis } = robot.views;
    const is = xquat.subarray(4 * body, 4 * body + 4);
    const at = add([0, 0, 0], rotate([0, 0, 0], is, point), xpos.subarray(3 * body, 3 * body + 3));
    const rest = toRotationVector([0, 0, 0], multiply([1, 0, 0, 0], goal.quaternion, conjugate([1, 0, 0, 0], is)));
    for (let k = 0; k < 3; k += 1) {
      error[k] = goal.position[k]! - at[k]!;
      error[k + 3] = weight * rest[k]!;
    }
    if (round === LEG_ROUNDS) return Math.hypot(error[0]!, error[1]!, error[2]!);
    const columns = joints.map(({ row, slides }) => columnOf({ xaxis, xanchor, row, slides, at, weight }));
    const away = hold === 0 ? null : joints.map(({ qpos: index }, k) => qpos[index]! - guess[k]!);
    if (away)
      for (const [k, column] of columns.entries()) for (let i = 0; i < 6; i += 1) error[i]! += column[i]! * away[k]!;
    const step = leastSquares(columns, error, Math.max(DAMPING, hold * hold));
    for (const [k, { qpos: index, lower, upper }] of joints.entries())
      qpos[index] = Math.min(upper, Math.max(lower, qpos[index]! + step[k]! - (away ? away[k]! : 0)));
  }
}

interface ColumnOrder {
  readonly xaxis: Float64Array;
  readonly xanchor: Float64Array;
  readonly row: number;
  readonly slides: boolean;
  /** position of the foot's point, m */
  readonly at: readonly number[];
  readonly weight: number;
}

/** Returns the column of the Jacobian for one joint: 3 linear velocities of the foot, then 3 angular velocities
 *  multiplied by their weight. */
function columnOf({ xaxis, xanchor, row, slides, at, weight: w }: ColumnOrder): Float64Array {
  const [ax, ay, az] = [xaxis[3 * row]!, xaxis[3 * row + 1]!, xaxis[3 * row + 2]!];
  if (slides) return Float64Array.of(ax, ay, az, 0, 0, 0);
  const [rx, ry, rz] = [at[0]! - xanchor[3 * row]!, at[1]! - xanchor[3 * row + 1]!, at[2]! - xanchor[3 * row + 2]!];
  return Float64Array.of(ay * rz - az * ry, az * rx - ax * rz, ax * ry - ay * rx, w * ax, w * ay, w * az);
}

/** Returns the damped least-squares step Jᵀ (J Jᵀ + λI)⁻¹ error. @param columns columns of J, 6 values each */
function leastSquares(columns: readonly Float64Array[], error: Float64Array, damping: number): number[] {
  const matrix = new Float64Array(36);
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j <= i; j += 1)
      matrix[6 * i + j] = columns.reduce((sum, column) => sum + column[i]! * column[j]!, i === j ? damping : 0);
  }
  const solved = Float64Array.from(error);
  solveSymmetric6(matrix, solved);
  return columns.map((column) => column.reduce((sum, value, k) => sum + value * solved[k]!, 0));
}

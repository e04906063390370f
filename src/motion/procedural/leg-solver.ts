import * as quaternion from '../../core/math/quaternion.ts';
import { subtract } from '../../core/math/vector.ts';
import { SIZE } from '../../robots/humanoid/links.ts';

/** Pose of a foot: ankle centre in m, pitch (positive: toes down) and heading in rad. */
export interface Foot {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly pitch: number;
  readonly yaw: number;
}

/** Solves the inverse kinematics of one leg in closed form. The three axes of the hip meet in one point, and so do the
 *  two axes of the ankle, so the knee angle follows from the distance between these points.
 *
 *  @param pelvis (4,) wxyz, rotation from the pelvis frame to the world  @param hip (3,) m, hip centre in the world
 *  @returns hip pitch, roll, yaw, knee, ankle pitch, roll; rad
 *  @throws RangeError if the ankle is too far away for the stretched leg, or too near for the bent leg */
export function solveLeg(pelvis: readonly number[], hip: readonly number[], foot: Foot): number[] {
  const { thigh, shin } = SIZE;
  const sole = quaternion.fromEulerXyz([1, 0, 0, 0], 0, foot.pitch, foot.yaw);
  const reach = quaternion.rotateInverse([0, 0, 0], sole, subtract([0, 0, 0], hip, [foot.x, foot.y, foot.z]));
  const [rx, ry, rz] = reach as [number, number, number];
  const cosine = (rx * rx + ry * ry + rz * rz - thigh * thigh - shin * shin) / (2 * thigh * shin);
  if (!(Math.abs(cosine) < 1)) {
    throw new RangeError(`a leg of ${(thigh + shin).toFixed(2)} m cannot reach ${Math.hypot(rx, ry, rz).toFixed(4)} m`);
  }
  const knee = Math.acos(cosine);
  const ankleRoll = Math.atan2(ry, rz);
  const anklePitch =
    Math.atan2(-thigh * Math.sin(knee), shin + thigh * Math.cos(knee)) - Math.atan2(rx, Math.hypot(ry, rz));
  const thighTurn = quaternion.conjugate([1, 0, 0, 0], pelvis);
  quaternion.multiply(thighTurn, thighTurn, sole);
  quaternion.multiply(thighTurn, thighTurn, quaternion.fromAxisAngle([1, 0, 0, 0], [1, 0, 0], -ankleRoll));
  quaternion.multiply(thighTurn, thighTurn, quaternion.fromAxisAngle([1, 0, 0, 0], [0, 1, 0], -anklePitch - knee));
  // thighTurn = Ry(pitch) Rx(roll) Rz(yaw); the angles are read from its matrix.
  const m = quaternion.toMatrix([], thighTurn);
  const hipRoll = Math.asin(Math.max(-1, Math.min(1, -m[5]!)));
  return [Math.atan2(m[2]!, m[8]!), hipRoll, Math.atan2(m[3]!, m[4]!), knee, anklePitch, ankleRoll];
}

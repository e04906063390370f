import type { EnvState } from '../env-state.ts';
import type { PhysicsViews } from './physics-batch.ts';

/** Number of values of the free root in qpos and qvel. The values of the joints follow them. */
export const ROOT_POSITIONS = 7;
export const ROOT_VELOCITIES = 6;

/** Reads joint positions and velocities of the loaded robot. */
export function readJoints(state: EnvState, env: number, { qpos, qvel }: PhysicsViews): void {
  const { joints, jointPos, jointVel } = state;
  for (let j = 0, at = env * joints; j < joints; j++, at++) {
    jointPos[at] = qpos[ROOT_POSITIONS + j]!;
    jointVel[at] = qvel[ROOT_VELOCITIES + j]!;
  }
}

/** Reads joint accelerations and torques of the last physics step. The torques are those applied, after clamping. */
export function readEfforts(state: EnvState, env: number, { qacc, qfrcActuator }: PhysicsViews): void {
  const { joints, jointAcc, torque } = state;
  for (let j = 0, at = env * joints; j < joints; j++, at++) {
    jointAcc[at] = qacc[ROOT_VELOCITIES + j]!;
    torque[at] = qfrcActuator[ROOT_VELOCITIES + j]!;
  }
}

/** Reads poses and velocities of all bodies, moved by (dx, dy), m, to the position of the environment. MuJoCo's
 *  velocities refer to the centre of mass of the whole robot. At the origin of a body they are v + ω × (origin − centre
 *  of mass). */
export function readBodies(
  state: EnvState,
  env: number,
  { xpos, xquat, cvel, subtreeCom, subtreeAngmom }: PhysicsViews,
  dx: number,
  dy: number,
): void {
  const { bodies, bodyPosW, bodyQuatW, bodyLinVelW, bodyAngVelW, angularMomentum } = state;
  const comX = subtreeCom[3]!;
  const comY = subtreeCom[4]!;
  const comZ = subtreeCom[5]!;
  let vector = 3 * env * bodies;
  let quaternion = 4 * env * bodies;
  for (let body = 1; body <= bodies; body++) {
    const p = 3 * body;
    const q = 4 * body;
    const v = 6 * body;
    const x = xpos[p]!;
    const y = xpos[p + 1]!;
    const z = xpos[p + 2]!;
    const wx = cvel[v]!;
    const wy = cvel[v + 1]!;
    const wz = cvel[v + 2]!;
    const rx = x - comX;
    const ry = y - comY;
    const rz = z - comZ;
    bodyPosW[vector] = x + dx;
    bodyPosW[vector + 1] = y + dy;
    bodyPosW[vector + 2] = z;
    bodyAngVelW[vector] = wx;
    bodyAngVelW[vector + 1] = wy;
    bodyAngVelW[vector + 2] = wz;
    bodyLinVelW[vector] = cvel[v + 3]! + wy * rz - wz * ry;
    bodyLinVelW[vector + 1] = cvel[v + 4]! + wz * rx - wx * rz;
    bodyLinVelW[vector + 2] = cvel[v + 5]! + wx * ry - wy * rx;
    bodyQuatW[quaternion] = xquat[q]!;
    bodyQuatW[quaternion + 1] = xquat[q + 1]!;
    bodyQuatW[quaternion + 2] = xquat[q + 2]!;
    bodyQuatW[quaternion + 3] = xquat[q + 3]!;
    vector += 3;
    quaternion += 4;
  }
  for (let axis = 0; axis < 3; axis++) angularMomentum[3 * env + axis] = subtreeAngmom[3 + axis]!;
}

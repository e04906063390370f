import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { ClipMemory } from './clip-memory.ts';

/** Motion of all bodies but the world, in model order; world frame, at the origins of the body frames. */
export interface BodyMotion {
  /** (frames, nbody, 3) m */
  readonly posW: Float32Array;
  /** (frames, nbody, 4) wxyz */
  readonly quatW: Float32Array;
  /** (frames, nbody, 3) m/s */
  readonly linVelW: Float32Array;
  /** (frames, nbody, 3) rad/s */
  readonly angVelW: Float32Array;
}

/** Forward kinematics of every frame. MuJoCo gives body velocities about the centre of mass of the whole robot; at the
 *  body's origin they are v + ω × (origin − centre of mass).
 *  @param clip whose rows fit the robot  @param velocities (frames, nv) as `clipVelocities` gives them
 *  @param memory of the result */
export function bodyMotion(
  robot: ClipRobot,
  clip: ClipRows,
  velocities: Float64Array,
  memory = new ClipMemory(),
): BodyMotion {
  const { mj, model, data, nq, nv, nbody } = robot;
  const { frames, rows } = clip;
  const { qpos, qvel, xpos, xquat, cvel, subtreeCom } = robot.views;
  const posW = memory.singles(frames * nbody * 3);
  const quatW = memory.singles(frames * nbody * 4);
  const linVelW = memory.singles(frames * nbody * 3);
  const angVelW = memory.singles(frames * nbody * 3);
  const roots = Int32Array.from(model.body_rootid as Int32Array, (root) => 3 * root);
  let vector = 0;
  let quaternion = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    const row = frame * nq;
    for (let k = 0; k < nq; k += 1) qpos[k] = rows[row + k]!;
    const velocity = frame * nv;
    for (let k = 0; k < nv; k += 1) qvel[k] = velocities[velocity + k]!;
    mj.mj_kinematics(model, data);
    mj.mj_comPos(model, data);
    mj.mj_comVel(model, data);
    for (let body = 1; body <= nbody; body += 1) {
      const p = 3 * body;
      const q = 4 * body;
      const v = 6 * body;
      const com = roots[body]!;
      const x = xpos[p]!;
      const y = xpos[p + 1]!;
      const z = xpos[p + 2]!;
      const dx = x - subtreeCom[com]!;
      const dy = y - subtreeCom[com + 1]!;
      const dz = z - subtreeCom[com + 2]!;
      const wx = cvel[v]!;
      const wy = cvel[v + 1]!;
      const wz = cvel[v + 2]!;
      posW[vector] = x;
      posW[vector + 1] = y;
      posW[vector + 2] = z;
      angVelW[vector] = wx;
      angVelW[vector + 1] = wy;
      angVelW[vector + 2] = wz;
      linVelW[vector] = cvel[v + 3]! + wy * dz - wz * dy;
      linVelW[vector + 1] = cvel[v + 4]! + wz * dx - wx * dz;
      linVelW[vector + 2] = cvel[v + 5]! + wx * dy - wy * dx;
      quatW[quaternion] = xquat[q]!;
      quatW[quaternion + 1] = xquat[q + 1]!;
      quatW[quaternion + 2] = xquat[q + 2]!;
      quatW[quaternion + 3] = xquat[q + 3]!;
      vector += 3;
      quaternion += 4;
    }
  }
  return { posW, quatW, linVelW, angVelW };
}

/** Shifts all bodies so that the lowest sole of the clip stands on the floor.
 *  @param feet indices of foot bodies  @param soleZ m from a foot's origin down to its sole  @returns m, shifted down */
export function debiasZ(posW: Float32Array, nbody: number, feet: readonly number[], soleZ: number): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let frame = 0; frame < posW.length; frame += 3 * nbody)
    for (const foot of feet) lowest = Math.min(lowest, posW[frame + 3 * foot + 2]! - soleZ);
  if (!Number.isFinite(lowest)) return 0;
  for (let at = 2; at < posW.length; at += 3) posW[at] = posW[at]! - lowest;
  return lowest;
}

import { rotate } from '../../core/math/quaternion.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { ClipMemory } from './clip-memory.ts';
import { newPose, poseTree, readKinematicTree } from './kinematic-tree.ts';

/** Columns of the free joint in qvel. */
const ROOT_VELOCITIES = 6;

/** Motion of all bodies except the world, in model order. World frame, at the origins of the body frames. */
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

/** Computes the body poses of every frame by forward kinematics, and the velocities from the root outwards. A body's
 *  velocity is its parent's velocity, plus ω × r to the body's origin, plus the contribution of its joints about their
 *  anchors and axes. The result equals that of MuJoCo's mj_kinematics, mj_comPos and mj_comVel, in a third of the time:
 *  those also compute geoms, inertias and derivatives, which are not needed here.
 *  @param clip rows that fit the robot  @param velocities (frames, nv) from `clipVelocities`
 *  @param memory holds the result */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one pass; function calls would take a third of its time
export function bodyMotion(
  robot: ClipRobot,
  clip: ClipRows,
  velocities: Float64Array,
  memory = new ClipMemory(),
): BodyMotion {
  const { nq, nv, nbody } = robot;
  const { frames, rows } = clip;
  const tree = readKinematicTree(robot);
  const { parents, jointEnds, sliding } = tree;
  const pose = newPose(tree);
  const { xpos, xquat, xanchor, xaxis } = pose;
  const posW = memory.singles(frames * nbody * 3);
  const quatW = memory.singles(frames * nbody * 4);
  const linVelW = memory.singles(frames * nbody * 3);
  const angVelW = memory.singles(frames * nbody * 3);
  // Row 0 is the world, which stands still.
  const lin = new Float64Array(3 * (nbody + 1));
  const ang = new Float64Array(3 * (nbody + 1));
  const root = new Float64Array(3);
  let vector = 0;
  let quaternion = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    poseTree(tree, rows, frame * nq, pose);
    const velocity = frame * nv;
    let joint = 0;
    for (let body = 1; body <= nbody; body += 1) {
      const p = 3 * body;
      const q = 4 * body;
      const parent = 3 * parents[body]!;
      const x = xpos[p]!;
      const y = xpos[p + 1]!;
      const z = xpos[p + 2]!;
      const rx = x - xpos[parent]!;
      const ry = y - xpos[parent + 1]!;
      const rz = z - xpos[parent + 2]!;
      let wx = ang[parent]!;
      let wy = ang[parent + 1]!;
      let wz = ang[parent + 2]!;
      let vx = lin[parent]! + wy * rz - wz * ry;
      let vy = lin[parent + 1]! + wz * rx - wx * rz;
      let vz = lin[parent + 2]! + wx * ry - wy * rx;
      for (const end = jointEnds[body]!; joint < end; joint += 1) {
        if (joint === 0) {
          for (let axis = 0; axis < 3; axis += 1) root[axis] = velocities[velocity + 3 + axis]!;
          rotate(root, xquat.subarray(q, q + 4), root);
          vx += velocities[velocity]!;
          vy += velocities[velocity + 1]!;
          vz += velocities[velocity + 2]!;
          wx += root[0]!;
          wy += root[1]!;
          wz += root[2]!;
          continue;
        }
        const j = 3 * joint;
        const speed = velocities[velocity + ROOT_VELOCITIES - 1 + joint]!;
        const ax = xaxis[j]! * speed;
        const ay = xaxis[j + 1]! * speed;
        const az = xaxis[j + 2]! * speed;
        if (sliding[joint] === 1) {
          vx += ax;
          vy += ay;
          vz += az;
        } else {
          const dx = x - xanchor[j]!;
          const dy = y - xanchor[j + 1]!;
          const dz = z - xanchor[j + 2]!;
          vx += ay * dz - az * dy;
          vy += az * dx - ax * dz;
          vz += ax * dy - ay * dx;
          wx += ax;
          wy += ay;
          wz += az;
        }
      }
      lin[p] = vx;
      lin[p + 1] = vy;
      lin[p + 2] = vz;
      ang[p] = wx;
      ang[p + 1] = wy;
      ang[p + 2] = wz;
      posW[vector] = x;
      posW[vector + 1] = y;
      posW[vector + 2] = z;
      linVelW[vector] = vx;
      linVelW[vector + 1] = vy;
      linVelW[vector + 2] = vz;
      angVelW[vector] = wx;
      angVelW[vector + 1] = wy;
      angVelW[vector + 2] = wz;
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
 *  @param feet indices of foot bodies  @param soleZ m from a foot's origin down to its sole
 *  @returns m by which the clip was shifted down */
export function debiasZ(posW: Float32Array, nbody: number, feet: readonly number[], soleZ: number): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let frame = 0; frame < posW.length; frame += 3 * nbody)
    for (const foot of feet) lowest = Math.min(lowest, posW[frame + 3 * foot + 2]! - soleZ);
  if (!Number.isFinite(lowest)) return 0;
  for (let at = 2; at < posW.length; at += 3) posW[at] = posW[at]! - lowest;
  return lowest;
}

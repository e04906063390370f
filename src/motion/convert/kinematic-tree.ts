import { normalize } from '../../core/math/quaternion.ts';
import type { ClipRobot } from '../clip-robot.ts';

/** mjJNT_SLIDE */
const SLIDE = 2;
/** Columns of the free joint in qpos. */
const ROOT_COLUMNS = 7;

/** The constants of a robot's forward kinematics. Row 0 of body arrays is the world, joint 0 is the free joint. MuJoCo
 *  numbers bodies and joints from the root outwards, body by body. */
export interface KinematicTree {
  /** bodies without the world */
  readonly nbody: number;
  /** (nbody + 1,) index of each body's parent */
  readonly parents: Int32Array;
  /** (nbody + 1,) index after the last joint of each body */
  readonly jointEnds: Int32Array;
  /** (joints,) 1 for a slide joint, 0 for a hinge */
  readonly sliding: Uint8Array;
  /** (nbody + 1, 3) m and (nbody + 1, 4) wxyz, in the frame of the parent */
  readonly bodyPos: Float64Array;
  readonly bodyQuat: Float64Array;
  /** (joints, 3) anchor in m, and axis as unit vector, in the frame of the body */
  readonly jointPos: Float64Array;
  readonly jointAxis: Float64Array;
  /** (joints,) joint value at which the body has its pose of the model file, rad or m */
  readonly reference: Float64Array;
}

/** A pose of all bodies in the world frame. Row 0 of body arrays is the world, joint 0 is the free joint. */
export interface TreePose {
  /** (nbody + 1, 3) m */
  readonly xpos: Float64Array;
  /** (nbody + 1, 4) wxyz */
  readonly xquat: Float64Array;
  /** (joints, 3) anchors in m, and axes as unit vectors; the rows of the free joint are not computed */
  readonly xanchor: Float64Array;
  readonly xaxis: Float64Array;
}

/** Reads the tree of a robot with one free joint, hinges and slides. */
export function readKinematicTree({ model, nbody, nq }: ClipRobot): KinematicTree {
  const counts = model.body_jntnum as Int32Array;
  const types = Int32Array.from(model.jnt_type as Int32Array);
  const free = (model.qpos0 as Float64Array).subarray(ROOT_COLUMNS - 1, nq);
  let joints = 0;
  return {
    nbody,
    parents: Int32Array.from(model.body_parentid as Int32Array),
    jointEnds: Int32Array.from(counts, (count) => (joints += count)),
    sliding: Uint8Array.from(types, (type) => (type === SLIDE ? 1 : 0)),
    bodyPos: Float64Array.from(model.body_pos as Float64Array),
    bodyQuat: Float64Array.from(model.body_quat as Float64Array),
    jointPos: Float64Array.from(model.jnt_pos as Float64Array),
    jointAxis: Float64Array.from(model.jnt_axis as Float64Array),
    reference: Float64Array.from(free),
  };
}

/** Returns memory for a pose. The world stands at the origin. */
export function newPose({ nbody, sliding }: KinematicTree): TreePose {
  const xquat = new Float64Array(4 * (nbody + 1));
  xquat[0] = 1;
  return {
    xpos: new Float64Array(3 * (nbody + 1)),
    xquat,
    xanchor: new Float64Array(3 * sliding.length),
    xaxis: new Float64Array(3 * sliding.length),
  };
}

/** Computes the pose of all bodies, with anchors and axes of all joints, as mj_kinematics does. That function also
 *  computes the frames of all geoms, sites, cameras and inertias, and takes three times as long.
 *  @param rows robot positions in MuJoCo's order: root x y z, quaternion wxyz, joints  @param row index of the first
 *  @param pose receives the result */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one pass over bodies; calls per body would double its time
export function poseTree(tree: KinematicTree, rows: Float64Array, row: number, pose: TreePose): void {
  const { nbody, parents, jointEnds, sliding, bodyPos, bodyQuat, jointPos, jointAxis, reference } = tree;
  const { xpos, xquat, xanchor, xaxis } = pose;
  let joint = 0;
  for (let body = 1; body <= nbody; body += 1) {
    const p = 3 * body;
    const q = 4 * body;
    const end = jointEnds[body]!;
    if (joint === 0 && end > 0) {
      joint = 1;
      for (let k = 0; k < 3; k += 1) xpos[p + k] = rows[row + k]!;
      normalize(xquat.subarray(q, q + 4), rows.subarray(row + 3, row + ROOT_COLUMNS));
      continue;
    }
    // Rotate the body's offset by the parent's orientation: v + w t + u × t, where t = 2 u × v and u = (x, y, z).
    const parent = 4 * parents[body]!;
    let w = xquat[parent]!;
    let x = xquat[parent + 1]!;
    let y = xquat[parent + 2]!;
    let z = xquat[parent + 3]!;
    const ox = bodyPos[p]!;
    const oy = bodyPos[p + 1]!;
    const oz = bodyPos[p + 2]!;
    let tx = 2 * (y * oz - z * oy);
    let ty = 2 * (z * ox - x * oz);
    let tz = 2 * (x * oy - y * ox);
    const above = 3 * parents[body]!;
    let px = xpos[above]! + ox + w * tx + y * tz - z * ty;
    let py = xpos[above + 1]! + oy + w * ty + z * tx - x * tz;
    let pz = xpos[above + 2]! + oz + w * tz + x * ty - y * tx;
    let bw = bodyQuat[q]!;
    let bx = bodyQuat[q + 1]!;
    let by = bodyQuat[q + 2]!;
    let bz = bodyQuat[q + 3]!;
    let cw = w * bw - x * bx - y * by - z * bz;
    let cx = w * bx + x * bw + y * bz - z * by;
    let cy = w * by - x * bz + y * bw + z * bx;
    let cz = w * bz + x * by - y * bx + z * bw;
    for (; joint < end; joint += 1) {
      const j = 3 * joint;
      const lx = jointAxis[j]!;
      const ly = jointAxis[j + 1]!;
      const lz = jointAxis[j + 2]!;
      tx = 2 * (cy * lz - cz * ly);
      ty = 2 * (cz * lx - cx * lz);
      tz = 2 * (cx * ly - cy * lx);
      const ax = lx + cw * tx + cy * tz - cz * ty;
      const ay = ly + cw * ty + cz * tx - cx * tz;
      const az = lz + cw * tz + cx * ty - cy * tx;
      const value = rows[row + ROOT_COLUMNS - 1 + joint]! - reference[joint]!;
      xaxis[j] = ax;
      xaxis[j + 1] = ay;
      xaxis[j + 2] = az;
      const jx = jointPos[j]!;
      const jy = jointPos[j + 1]!;
      const jz = jointPos[j + 2]!;
      const isCentred = jx === 0 && jy === 0 && jz === 0;
      let kx = px;
      let ky = py;
      let kz = pz;
      if (!isCentred) {
        tx = 2 * (cy * jz - cz * jy);
        ty = 2 * (cz * jx - cx * jz);
        tz = 2 * (cx * jy - cy * jx);
        kx += jx + cw * tx + cy * tz - cz * ty;
        ky += jy + cw * ty + cz * tx - cx * tz;
        kz += jz + cw * tz + cx * ty - cy * tx;
      }
      xanchor[j] = kx;
      xanchor[j + 1] = ky;
      xanchor[j + 2] = kz;
      if (sliding[joint] === 1) {
        px += ax * value;
        py += ay * value;
        pz += az * value;
        continue;
      }
      const s = Math.sin(value / 2);
      bw = Math.cos(value / 2);
      bx = lx * s;
      by = ly * s;
      bz = lz * s;
      w = cw;
      x = cx;
      y = cy;
      z = cz;
      cw = w * bw - x * bx - y * by - z * bz;
      cx = w * bx + x * bw + y * bz - z * by;
      cy = w * by - x * bz + y * bw + z * bx;
      cz = w * bz + x * by - y * bx + z * bw;
      if (isCentred) continue;
      // The anchor stays in place while the body turns about it.
      tx = 2 * (cy * jz - cz * jy);
      ty = 2 * (cz * jx - cx * jz);
      tz = 2 * (cx * jy - cy * jx);
      px = kx - (jx + cw * tx + cy * tz - cz * ty);
      py = ky - (jy + cw * ty + cz * tx - cx * tz);
      pz = kz - (jz + cw * tz + cx * ty - cy * tx);
    }
    xpos[p] = px;
    xpos[p + 1] = py;
    xpos[p + 2] = pz;
    xquat[q] = cw;
    xquat[q + 1] = cx;
    xquat[q + 2] = cy;
    xquat[q + 3] = cz;
  }
}

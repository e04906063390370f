import { rotate } from '../../core/math/quaternion.ts';
import type { ClipRobot } from '../clip-robot.ts';
import { solveSymmetric6 } from './solve-symmetric.ts';

/** A geom below this height gets its full share of the support, m. Feet in captured motion penetrate the floor or
 *  float by centimetres. */
const BEARS_BELOW = 0.02;
/** A geom above this height does not support the robot, m. Between BEARS_BELOW and this height, a geom supports
 *  partially. */
const FREE_ABOVE = 0.06;
/** At this sliding speed, m/s, a geom supports half as much as a geom at rest. */
const SLIDES_AT = 0.3;
/** Radius of the contact patch that transmits moments, relative to the largest half size of its geom. */
const PATCH = 0.5;

/** Offset of the root body in arrays with three values per body. */
const ROOT = 3;

/** Estimates how the floor supports the robot in a clip. Inverse dynamics yields a force and a moment at the root,
 *  as if the robot were held there. This class distributes both over the geoms near the floor by weighted least
 *  squares and subtracts their effect from the joint torques. Without a geom near the floor, the torques are
 *  unchanged. Pulling and sideways forces are not limited: a physically impossible clip yields impossible forces. */
export class GroundSupport {
  readonly #nbody: number;
  readonly #robot: ClipRobot;
  /** collision geoms of the robot */
  readonly #geoms: readonly { readonly id: number; readonly body: number; readonly patch2: number }[];
  readonly #aabb: Float64Array;
  readonly #parents: Int32Array;
  readonly #joints: readonly {
    readonly id: number;
    readonly body: number;
    readonly dof: number;
    readonly hinge: boolean;
  }[];
  /** (nbody + 1, 6) support force (N), then moment about the centre of mass (Nm), acting on a body and its
   *  descendants */
  readonly #wrench: Float64Array;
  readonly #matrix = new Float64Array(36);
  readonly #lambda = new Float64Array(6);
  readonly #weights: Float64Array;
  /** (ngeom, 3) m, vector from the centre of mass to each geom's lowest point */
  readonly #arms: Float64Array;
  readonly #moment = new Float64Array(3);

  constructor(robot: ClipRobot) {
    const { model } = robot;
    this.#nbody = robot.nbody;
    this.#robot = robot;
    this.#aabb = Float64Array.from(model.geom_aabb as Float64Array);
    this.#parents = Int32Array.from(model.body_parentid as Int32Array);
    this.#geoms = Array.from({ length: model.ngeom as number }, (_, id) => ({
      id,
      body: model.geom_bodyid[id] as number,
      patch2: (PATCH * Math.max(...this.#aabb.subarray(6 * id + 3, 6 * id + 6))) ** 2,
    })).filter(({ id, body }) => body > 0 && (model.geom_contype[id] !== 0 || model.geom_conaffinity[id] !== 0));
    this.#joints = Array.from({ length: model.njnt as number }, (_, id) => ({
      id,
      body: model.jnt_bodyid[id] as number,
      dof: model.jnt_dofadr[id] as number,
      hinge: model.jnt_type[id] === robot.mj.mjtJoint.mjJNT_HINGE.value,
    })).filter(({ dof }) => dof >= 6);
    this.#wrench = new Float64Array(6 * (robot.nbody + 1));
    this.#weights = new Float64Array(this.#geoms.length);
    this.#arms = new Float64Array(3 * this.#geoms.length);
  }

  /** Subtracts the effect of the floor's support from joint torques.
   *  @param torques (nv,) Nm or N, from `inverseDynamics` for the state in the robot's data; changed in place */
  relieve(torques: Float64Array): void {
    const support = this.#weigh();
    if (support === 0) return;
    this.#needed(torques, support);
    this.#fillMatrix();
    solveSymmetric6(this.#matrix, this.#lambda);
    this.#spread();
    const { subtreeCom, xaxis: axes, xanchor: anchors } = this.#robot.views;
    const wrench = this.#wrench;
    for (const { id, body, dof, hinge } of this.#joints) {
      const w = 6 * body;
      const a = 3 * id;
      const fx = wrench[w]!;
      const fy = wrench[w + 1]!;
      const fz = wrench[w + 2]!;
      if (!hinge) {
        torques[dof]! -= axes[a]! * fx + axes[a + 1]! * fy + axes[a + 2]! * fz;
        continue;
      }
      const x = anchors[a]! - subtreeCom[ROOT]!;
      const y = anchors[a + 1]! - subtreeCom[ROOT + 1]!;
      const z = anchors[a + 2]! - subtreeCom[ROOT + 2]!;
      torques[dof]! -=
        axes[a]! * (wrench[w + 3]! - y * fz + z * fy) +
        axes[a + 1]! * (wrench[w + 4]! - z * fx + x * fz) +
        axes[a + 2]! * (wrench[w + 5]! - x * fy + y * fx);
    }
  }

  /** Computes the weight of every geom from its height above the floor and its sliding speed. @returns share of the
   *  robot's weight that the floor carries, 0 (in flight) to 1 (on the floor) */
  #weigh(): number {
    const { geomXpos, geomXmat, subtreeCom, cvel } = this.#robot.views;
    const aabb = this.#aabb;
    const arms = this.#arms;
    let support = 0;
    for (let k = 0; k < this.#geoms.length; k += 1) {
      const { id, body } = this.#geoms[k]!;
      const box = 6 * id;
      const p = 3 * id;
      const m = 9 * id;
      const z = geomXpos[p + 2]! + along(geomXmat, m + 6, aabb, box);
      const low =
        z -
        Math.abs(geomXmat[m + 6]!) * aabb[box + 3]! -
        Math.abs(geomXmat[m + 7]!) * aabb[box + 4]! -
        Math.abs(geomXmat[m + 8]!) * aabb[box + 5]!;
      const near = nearness(low);
      this.#weights[k] = 0;
      if (near === 0) continue;
      support = Math.max(support, near);
      const rx = geomXpos[p]! + along(geomXmat, m, aabb, box) - subtreeCom[ROOT]!;
      const ry = geomXpos[p + 1]! + along(geomXmat, m + 3, aabb, box) - subtreeCom[ROOT + 1]!;
      const rz = low - subtreeCom[ROOT + 2]!;
      arms[3 * k] = rx;
      arms[3 * k + 1] = ry;
      arms[3 * k + 2] = rz;
      const v = 6 * body;
      const vx = cvel[v + 3]! + cvel[v + 1]! * rz - cvel[v + 2]! * ry;
      const vy = cvel[v + 4]! + cvel[v + 2]! * rx - cvel[v]! * rz;
      this.#weights[k] = near / (1 + (vx * vx + vy * vy) / SLIDES_AT ** 2);
    }
    return support;
  }

  /** Writes the force (world frame) and the moment about the centre of mass that the root needs, both multiplied by
   *  `support`. */
  #needed(torques: Float64Array, support: number): void {
    const { xpos, xquat, subtreeCom } = this.#robot.views;
    const moment = rotate(this.#moment, xquat.subarray(4, 8), torques.subarray(3, 6));
    const x = xpos[ROOT]! - subtreeCom[ROOT]!;
    const y = xpos[ROOT + 1]! - subtreeCom[ROOT + 1]!;
    const z = xpos[ROOT + 2]! - subtreeCom[ROOT + 2]!;
    const fx = torques[0]!;
    const fy = torques[1]!;
    const fz = torques[2]!;
    const out = this.#lambda;
    out[0] = support * fx;
    out[1] = support * fy;
    out[2] = support * fz;
    out[3] = support * (moment[0]! + y * fz - z * fy);
    out[4] = support * (moment[1]! + z * fx - x * fz);
    out[5] = support * (moment[2]! + x * fy - y * fx);
  }

  /** Computes Σ weight · G·diag(1, patch²)·Gᵀ, where G maps the force and moment of a geom to the centre of mass. */
  #fillMatrix(): void {
    const a = this.#matrix.fill(0);
    const arms = this.#arms;
    for (let k = 0; k < this.#geoms.length; k += 1) {
      const weight = this.#weights[k]!;
      if (weight === 0) continue;
      const { patch2 } = this.#geoms[k]!;
      const x = arms[3 * k]!;
      const y = arms[3 * k + 1]!;
      const z = arms[3 * k + 2]!;
      for (let d = 0; d < 3; d += 1) a[7 * d]! += weight;
      // Lower left: cross-product matrix of the arm. Lower right: this matrix times its transpose.
      a[19]! -= weight * z;
      a[20]! += weight * y;
      a[24]! += weight * z;
      a[26]! -= weight * x;
      a[30]! -= weight * y;
      a[31]! += weight * x;
      a[21]! += weight * (y * y + z * z + patch2);
      a[28]! += weight * (x * x + z * z + patch2);
      a[35]! += weight * (x * x + y * y + patch2);
      a[27]! -= weight * x * y;
      a[33]! -= weight * x * z;
      a[34]! -= weight * y * z;
    }
  }

  /** Computes force and moment of every geom from the multipliers, and sums them over each body and its descendants. */
  #spread(): void {
    const wrench = this.#wrench.fill(0);
    const lambda = this.#lambda;
    const lx = lambda[0]!;
    const ly = lambda[1]!;
    const lz = lambda[2]!;
    const ax = lambda[3]!;
    const ay = lambda[4]!;
    const az = lambda[5]!;
    const arms = this.#arms;
    for (let k = 0; k < this.#geoms.length; k += 1) {
      const weight = this.#weights[k]!;
      if (weight === 0) continue;
      const { body, patch2 } = this.#geoms[k]!;
      const x = arms[3 * k]!;
      const y = arms[3 * k + 1]!;
      const z = arms[3 * k + 2]!;
      const fx = weight * (lx + ay * z - az * y);
      const fy = weight * (ly + az * x - ax * z);
      const fz = weight * (lz + ax * y - ay * x);
      const w = 6 * body;
      wrench[w]! += fx;
      wrench[w + 1]! += fy;
      wrench[w + 2]! += fz;
      wrench[w + 3]! += y * fz - z * fy + weight * patch2 * ax;
      wrench[w + 4]! += z * fx - x * fz + weight * patch2 * ay;
      wrench[w + 5]! += x * fy - y * fx + weight * patch2 * az;
    }
    const parents = this.#parents;
    for (let body = this.#nbody; body > 1; body -= 1) {
      const to = 6 * parents[body]!;
      const from = 6 * body;
      for (let k = 0; k < 6; k += 1) wrench[to + k]! += wrench[from + k]!;
    }
  }
}

/** Returns the product of one row of a rotation matrix and the centre of a box. */
function along(matrix: Float64Array, row: number, boxes: Float64Array, box: number): number {
  return matrix[row]! * boxes[box]! + matrix[row + 1]! * boxes[box + 1]! + matrix[row + 2]! * boxes[box + 2]!;
}

/** Returns the weight for a height: 1 on the floor, 0 above `FREE_ABOVE`, a cosine ramp in between. */
function nearness(height: number): number {
  if (height <= BEARS_BELOW) return 1;
  if (height >= FREE_ABOVE) return 0;
  return 0.5 + 0.5 * Math.cos((Math.PI * (height - BEARS_BELOW)) / (FREE_ABOVE - BEARS_BELOW));
}

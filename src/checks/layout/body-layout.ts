import * as quaternion from '../../core/math/quaternion.ts';
import { wrapAngle } from '../../core/math/vector.ts';
import type { ClipRobot } from '../../motion/clip-robot.ts';
import { bodyOfJoint } from './orders.ts';

/** Body poses of a converted clip, in the order of the file. */
export interface BodyArrays {
  readonly frames: number;
  readonly bodies: number;
  /** (frames, bodies, 3) positions, m */
  readonly bodyPosW: ArrayLike<number>;
  /** (frames, bodies, 4) quaternions in the order of the file */
  readonly bodyQuatW: ArrayLike<number>;
  readonly joints: number;
  /** (frames, joints) joint positions, rad or m; may be in any order */
  readonly jointPos: ArrayLike<number>;
}

export type QuaternionOrder = 'wxyz' | 'xyzw';

/** How well an order of the file's bodies fits the robot, judged by the poses alone. In every frame, a body must keep
 *  its position in its parent's frame and rotate only about its joint's axis. */
export interface Fit {
  readonly quaternions: QuaternionOrder;
  /** index in the file of each of the robot's bodies */
  readonly places: readonly number[];
  /** error of the worst body, mean over frames, m (1 rad is treated as `RADIAN` m) */
  readonly error: number;
  /** body with the worst error */
  readonly worst: number;
}

/** Weight of an angular error, m per rad. */
const RADIAN = 0.3;
/** Weight of the difference between a body's angle and its joint column: enough to distinguish bodies at the same
 *  place. */
const HINT = 0.03;
/** Maximum number of frames that are compared. */
const SAMPLES = 24;
/** values of mjJNT_HINGE and mjJNT_SLIDE */
const HINGE = 3;
const SLIDE = 2;

interface Link {
  readonly parent: number;
  /** position, m, and orientation, wxyz, in the parent's frame with joints at zero */
  readonly position: Float64Array;
  readonly turn: Float64Array;
  /** the only joint of the body; null for a body with no joint or several */
  readonly joint: { readonly type: number; readonly axis: Float64Array; readonly anchor: Float64Array } | null;
  readonly joints: number;
  /** index of the body's first joint among the joints of the robot */
  readonly column: number;
}

/** The robot's kinematic tree, and the body poses of some frames of a clip. */
export class BodyLayout {
  readonly #links: readonly Link[];
  readonly #arrays: BodyArrays;
  readonly #samples: readonly number[];

  constructor(robot: ClipRobot, arrays: BodyArrays) {
    this.#links = linksOf(robot);
    this.#arrays = arrays;
    const count = Math.min(SAMPLES, arrays.frames);
    const spread = Array.from({ length: count }, (_, k) => Math.floor(((k + 0.5) * arrays.frames) / count));
    this.#samples = spread.filter((frame) => isFinitePose(arrays, frame));
  }

  /** Measures how well the poses fit if the robot's bodies are at these places of the file. */
  fit(quaternions: QuaternionOrder, places: readonly number[]): Fit {
    let error = 0;
    let worst = 0;
    for (let body = 1; body < this.#links.length; body++) {
      const own = this.#cost(quaternions, body, places[this.#links[body]!.parent]!, places[body]!);
      if (own > error) {
        error = own;
        worst = body;
      }
    }
    return { quaternions, places, error, worst };
  }

  /** Searches the places of all bodies, from the root outwards. @param root place of the root in the file @param limit
   *  error of a body at which the search ends @returns null if a body fits at no place within the limit */
  find(quaternions: QuaternionOrder, root: number, limit: number): Fit | null {
    const count = this.#arrays.bodies;
    const free = new Set(Array.from({ length: count }, (_, place) => place));
    const places = [root];
    free.delete(root);
    for (let body = 1; body < this.#links.length; body++) {
      const parent = places[this.#links[body]!.parent]!;
      let best = -1;
      let least = Infinity;
      for (const place of free) {
        const cost = this.#cost(quaternions, body, parent, place, true);
        if (cost < least) {
          least = cost;
          best = place;
        }
      }
      if (best < 0 || least >= limit) return null;
      places.push(best);
      free.delete(best);
    }
    return this.fit(quaternions, places);
  }

  /** Computes the angle, rad, of every joint at the sampled frames from the body poses. Null for joints other than the
   *  only hinge of a body. @param moved body that each joint moves */
  angles({ quaternions, places }: Fit, moved: readonly number[]): (Float64Array | null)[] {
    return moved.map((body) => {
      const link = this.#links[body]!;
      if (link.joint?.type !== HINGE) return null;
      return Float64Array.from(this.#samples, (frame) => {
        const relative = this.#relative(frame, quaternions, link, places[link.parent]!, places[body]!);
        return hingeAngle(relative, link.joint!.axis);
      });
    });
  }

  /** Frames to which the results of `angles` belong. */
  get samples(): readonly number[] {
    return this.#samples;
  }

  /** Returns the rotation of a body relative to its orientation with the joint at zero, wxyz. */
  #relative(frame: number, order: QuaternionOrder, link: Link, parent: number, place: number): number[] {
    const inParent = quaternion.multiply(
      [0, 0, 0, 0],
      quaternion.conjugate([0, 0, 0, 0], this.#turn(frame, parent, order)),
      this.#turn(frame, place, order),
    );
    return quaternion.multiply(inParent, quaternion.conjugate([0, 0, 0, 0], link.turn), inParent);
  }

  /** Returns the error of a body at a place of the file, m, mean over the samples: its distance from the position that
   *  its parent determines, plus its rotation about other axes than the joint's.
   *  @param hinted whether the file's joint columns distinguish bodies that fit equally well */
  #cost(order: QuaternionOrder, body: number, parent: number, place: number, hinted = false): number {
    const link = this.#links[body]!;
    const { bodies, bodyPosW } = this.#arrays;
    let sum = 0;
    for (const frame of this.#samples) {
      const relative = this.#relative(frame, order, link, parent, place);
      const at = 3 * (frame * bodies + place);
      const from = 3 * (frame * bodies + parent);
      const offset = [0, 1, 2].map((k) => bodyPosW[at + k]! - bodyPosW[from + k]!);
      quaternion.rotateInverse(offset, this.#turn(frame, parent, order), offset);
      for (let k = 0; k < 3; k++) offset[k] = offset[k]! - link.position[k]!;
      let off = 0;
      if (link.joint) {
        const { type, axis, anchor } = link.joint;
        if (type === SLIDE) {
          const direction = quaternion.rotate([0, 0, 0], link.turn, axis);
          const along = offset[0]! * direction[0]! + offset[1]! * direction[1]! + offset[2]! * direction[2]!;
          for (let k = 0; k < 3; k++) offset[k] = offset[k]! - along * direction[k]!;
          off = 2 * Math.acos(Math.min(1, Math.abs(relative[0]!)));
        } else {
          const angle = hingeAngle(relative, axis);
          const about = quaternion.fromAxisAngle([0, 0, 0, 0], axis, angle);
          off = quaternion.angleBetween(about, relative);
          if (hinted)
            off +=
              HINT * Math.abs(wrapAngle(angle - this.#arrays.jointPos[frame * this.#arrays.joints + link.column]!));
          // The anchor of a joint is fixed in the parent, so a body whose joint is not at its origin moves on an arc.
          const arc = quaternion.rotate([0, 0, 0], about, anchor);
          const shift = quaternion.rotate(
            [0, 0, 0],
            link.turn,
            [0, 1, 2].map((k) => anchor[k]! - arc[k]!),
          );
          for (let k = 0; k < 3; k++) offset[k] = offset[k]! - shift[k]!;
        }
      } else if (link.joints === 0) off = 2 * Math.acos(Math.min(1, Math.abs(relative[0]!)));
      sum += Math.hypot(offset[0]!, offset[1]!, offset[2]!) + RADIAN * off;
    }
    return Number.isFinite(sum) ? sum / this.#samples.length : Number.MAX_VALUE;
  }

  #turn(frame: number, place: number, order: QuaternionOrder): number[] {
    const { bodies, bodyQuatW } = this.#arrays;
    const at = 4 * (frame * bodies + place);
    const q = [bodyQuatW[at]!, bodyQuatW[at + 1]!, bodyQuatW[at + 2]!, bodyQuatW[at + 3]!];
    return order === 'wxyz' ? q : quaternion.fromXyzw(q, [...q]);
  }
}

function isFinitePose({ bodies, bodyPosW, bodyQuatW }: BodyArrays, frame: number): boolean {
  for (let k = 0; k < 3 * bodies; k++) if (!Number.isFinite(bodyPosW[3 * frame * bodies + k]!)) return false;
  for (let k = 0; k < 4 * bodies; k++) if (!Number.isFinite(bodyQuatW[4 * frame * bodies + k]!)) return false;
  return true;
}

/** Returns the angle, rad in (−π, π], of the part of a rotation that is about `axis`. */
function hingeAngle(q: ArrayLike<number>, axis: ArrayLike<number>): number {
  const along = q[1]! * axis[0]! + q[2]! * axis[1]! + q[3]! * axis[2]!;
  return wrapAngle(2 * Math.atan2(along, q[0]!));
}

function linksOf(robot: ClipRobot): Link[] {
  const { model, facts } = robot;
  const moved = bodyOfJoint(robot);
  return facts.bodies.map(({ parent }, body) => {
    const own = moved.flatMap((other, joint) => (other === body ? [joint + 1] : []));
    const [joint] = own;
    const triple = (values: Float64Array, at: number) => Float64Array.from(values.subarray(3 * at, 3 * at + 3));
    return {
      parent,
      position: triple(model.body_pos, body + 1),
      turn: Float64Array.from(model.body_quat.subarray(4 * (body + 1), 4 * (body + 2)) as Float64Array),
      joint:
        own.length === 1 && joint !== undefined && [HINGE, SLIDE].includes(model.jnt_type[joint])
          ? {
              type: model.jnt_type[joint] as number,
              axis: triple(model.jnt_axis, joint),
              anchor: triple(model.jnt_pos, joint),
            }
          : null,
      joints: own.length,
      column: (joint ?? 1) - 1,
    };
  });
}

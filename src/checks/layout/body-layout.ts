import * as quaternion from '../../core/math/quaternion.ts';
import { wrapAngle } from '../../core/math/vector.ts';
import type { ClipRobot } from '../../motion/clip-robot.ts';
import { bodyOfJoint } from './orders.ts';

/** Body poses as a converted clip holds them. */
export interface BodyArrays {
  readonly frames: number;
  readonly bodies: number;
  /** (frames, bodies, 3) m */
  readonly bodyPosW: ArrayLike<number>;
  /** (frames, bodies, 4) */
  readonly bodyQuatW: ArrayLike<number>;
  readonly joints: number;
  /** (frames, joints) rad or m; may be in any order */
  readonly jointPos: ArrayLike<number>;
}

export type QuaternionOrder = 'wxyz' | 'xyzw';

/** How well the bodies of a file are those of the robot, told from the poses alone: where a body is in its parent's
 *  frame, and that it turns about its joint's axis, is the same in every frame. */
export interface Fit {
  readonly quaternions: QuaternionOrder;
  /** place in the file of each of the robot's bodies */
  readonly places: readonly number[];
  /** m (1 rad counts as `RADIAN` m): of the worst body, mean over frames */
  readonly error: number;
  /** body of the worst error */
  readonly worst: number;
}

/** m that an error of one radian counts as. */
const RADIAN = 0.3;
/** Share of a radian by which a joint column may differ: enough to tell apart what is at the same place. */
const HINT = 0.03;
/** Frames that are looked at. */
const SAMPLES = 24;
/** mjJNT_HINGE, mjJNT_SLIDE */
const HINGE = 3;
const SLIDE = 2;

interface Link {
  readonly parent: number;
  /** m and wxyz, in the parent's frame, joints at zero */
  readonly position: Float64Array;
  readonly turn: Float64Array;
  /** its only joint; null: fixed, or several */
  readonly joint: { readonly type: number; readonly axis: Float64Array; readonly anchor: Float64Array } | null;
  readonly joints: number;
  /** of its first joint among the robot's */
  readonly column: number;
}

/** The robot's tree, and a clip's body poses at some of its frames. */
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

  /** How well the robot's bodies stand at these places of the file. */
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

  /** Finds the places anew, from the root outwards.
   *  @param root place of the root in the file  @param limit error from which on nothing is looked for any more
   *  @returns null where a body is farther off than that */
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

  /** rad, of every joint at the sampled frames, read from the bodies; null for joints it cannot be read of.
   *  @param moved body that each joint moves */
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

  /** Frames that `angles` are of. */
  get samples(): readonly number[] {
    return this.#samples;
  }

  /** Turn of a body against where its joint at zero would have it, wxyz. */
  #relative(frame: number, order: QuaternionOrder, link: Link, parent: number, place: number): number[] {
    const inParent = quaternion.multiply(
      [0, 0, 0, 0],
      quaternion.conjugate([0, 0, 0, 0], this.#turn(frame, parent, order)),
      this.#turn(frame, place, order),
    );
    return quaternion.multiply(inParent, quaternion.conjugate([0, 0, 0, 0], link.turn), inParent);
  }

  /** m: mean over the samples of how far a body is from where its parent holds it, and turned off its joint's axis.
   *  @param hinted whether bodies that fit equally well are told apart by the file's joint columns */
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
          // The anchor stays where it is: a body whose joint is beside its origin moves on an arc.
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

/** rad about `axis`, in (−π, π], of the part of a turn that is about it. */
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

import * as quaternion from '../../core/math/quaternion.ts';
import * as vector from '../../core/math/vector.ts';
import type { MjModel } from '../../sim/mujoco.ts';

/** Poses and velocities of bodies without the world, row-major, world axes: rows of the reference or of
 *  environments. */
export interface BodyStates {
  /** (rows, 3) m */
  readonly bodyPosW: ArrayLike<number>;
  /** (rows, 4) wxyz */
  readonly bodyQuatW: Float32Array | Float64Array;
  /** (rows, 3) m/s, of the bodies' origins */
  readonly bodyLinVelW: ArrayLike<number>;
  /** (rows, 3) rad/s */
  readonly bodyAngVelW: ArrayLike<number>;
}

/** Position, m, and velocity, m/s, of a point in the world. */
export interface PointMotion {
  readonly position: number[];
  readonly velocity: number[];
}

interface BodyMass {
  readonly mass: number;
  /** centre of mass, m, and principal axes, wxyz, in the frame of the body */
  readonly at: readonly number[];
  readonly axes: readonly number[];
  /** moments of inertia about the principal axes, kg·m² */
  readonly inertia: readonly number[];
}

/** The masses of a robot, and the gravity that acts on them. */
export class MassModel {
  /** kg */
  readonly total: number;
  /** acceleration of gravity, positive downwards, m/s² */
  readonly gravity: number;
  readonly #bodies: readonly BodyMass[];

  constructor(model: MjModel) {
    const row = (values: ArrayLike<number>, width: number, body: number) =>
      Array.from({ length: width }, (_, k) => values[width * body + k]!);
    this.#bodies = Array.from({ length: (model.nbody as number) - 1 }, (_, body) => ({
      mass: model.body_mass[body + 1] as number,
      at: row(model.body_ipos, 3, body + 1),
      axes: row(model.body_iquat, 4, body + 1),
      inertia: row(model.body_inertia, 3, body + 1),
    }));
    this.total = this.#bodies.reduce((sum, { mass }) => sum + mass, 0);
    this.gravity = -(model.opt.gravity as Float64Array)[2]!;
  }

  /** Returns the centre of mass of the whole robot. @param first row of the root body */
  center(states: BodyStates, first: number): PointMotion {
    const position = [0, 0, 0];
    const velocity = [0, 0, 0];
    for (const [body, { mass, at }] of this.#bodies.entries()) {
      const own = pointOf(states, first + body, at);
      for (let axis = 0; axis < 3; axis++) {
        position[axis]! += (mass / this.total) * own.position[axis]!;
        velocity[axis]! += (mass / this.total) * own.velocity[axis]!;
      }
    }
    return { position, velocity };
  }

  /** Returns the angular momentum about the centre of mass of the whole robot, kg·m²/s, world axes.
   *  @param first row of the root body  @param center of the whole robot */
  angularMomentum(states: BodyStates, first: number, center: PointMotion): number[] {
    const out = [0, 0, 0];
    for (const [body, { mass, at, axes, inertia }] of this.#bodies.entries()) {
      const row = first + body;
      const own = pointOf(states, row, at);
      const arm = own.position.map((value, axis) => value - center.position[axis]!);
      const moving = own.velocity.map((value, axis) => mass * (value - center.velocity[axis]!));
      const turn = quaternion.multiply([1, 0, 0, 0], states.bodyQuatW.subarray(4 * row, 4 * row + 4), axes);
      const spin = quaternion.rotateInverse([0, 0, 0], turn, threeOf(states.bodyAngVelW, row));
      const spinning = quaternion.rotate(
        [0, 0, 0],
        turn,
        spin.map((rate, axis) => inertia[axis]! * rate),
      );
      vector.add(out, out, vector.add(spinning, spinning, vector.cross([0, 0, 0], arm, moving)));
    }
    return out;
  }
}

/** Returns the position and the velocity of a point that moves with a body. @param at in the frame of the body, m */
export function pointOf(states: BodyStates, row: number, at: readonly number[]): PointMotion {
  const arm = quaternion.rotate([0, 0, 0], states.bodyQuatW.subarray(4 * row, 4 * row + 4), at);
  const turning = vector.cross([0, 0, 0], threeOf(states.bodyAngVelW, row), arm);
  return {
    position: vector.add(arm, arm, threeOf(states.bodyPosW, row)),
    velocity: vector.add(turning, turning, threeOf(states.bodyLinVelW, row)),
  };
}

function threeOf(values: ArrayLike<number>, row: number): [number, number, number] {
  return [values[3 * row]!, values[3 * row + 1]!, values[3 * row + 2]!];
}

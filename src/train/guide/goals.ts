import { conjugate, multiply, rotateInverse, toRotationVector } from '../../core/math/quaternion.ts';
import { cross } from '../../core/math/vector.ts';
import { ROOT_VELOCITIES } from '../../mdp/env/read-state.ts';
import type { EnvState } from '../../mdp/env-state.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { SolePoint } from './robot-dynamics.ts';

/** Stiffness 1/s² and damping 1/s of the accelerations that bring the robot back to its reference. */
const JOINTS = { stiffness: 136, damping: 26.8 };
const ROOT_TURN = { stiffness: 118, damping: 28.6 };
const FOOT_PLACE = { stiffness: 304, damping: 16.7 };
const FOOT_TURN = { stiffness: 106, damping: 30 };
/** Damping of a point on the ground, 1/s. */
const STANDING = 30.3;

/** Accelerations that a robot needs to follow its reference. */
export class Goals {
  readonly #library: MotionLibrary;
  /** rows of the frames before and after the current one, and their distance as a rate, 1/s */
  #before = 0;
  #after = 0;
  #rate = 0;

  constructor(library: MotionLibrary) {
    this.#library = library;
  }

  /** Computes the accelerations of the root's orientation and of the joints. The first three are 0.
   *  @param out (nv) in MuJoCo's degrees of freedom */
  motion(state: EnvState, env: number, out: Float64Array): void {
    const { joints, bodies } = state;
    const library = this.#library;
    this.#findFrames(state, env);
    const root = env * bodies;
    const spin = this.#turning(state, env, 0, ROOT_TURN);
    out.fill(0, 0, 3);
    out.set(rotateInverse(spin, state.bodyQuatW.subarray(4 * root, 4 * root + 4), spin), 3);
    for (let j = 0; j < joints; j++) {
      const at = env * joints + j;
      out[ROOT_VELOCITIES + j] =
        this.#slope(library.jointVel, joints, j) +
        JOINTS.stiffness * (state.refJointPos[at]! - state.jointPos[at]!) +
        JOINTS.damping * (state.refJointVel[at]! - state.jointVel[at]!);
    }
  }

  /** Returns the acceleration of a point on the ground, m/s². It takes the point to the velocity that it would have if
   *  the robot's foot moved and turned as that of the reference, so a foot may roll or pivot.
   *  @param velocity of the point, m/s */
  standing(state: EnvState, env: number, { body, position }: SolePoint, velocity: readonly number[]): number[] {
    const at = 3 * (env * state.bodies + body);
    const { bodyPosW, refBodyLinVelW, refBodyAngVelW } = state;
    const from = position.map((value, axis) => value - bodyPosW[at + axis]!);
    const turning = cross([0, 0, 0], refBodyAngVelW.subarray(at, at + 3), from);
    return velocity.map((value, axis) => STANDING * (refBodyLinVelW[at + axis]! + turning[axis]! - value));
  }

  /** Returns the accelerations of a foot in the air: of its position, m/s², and of its orientation, rad/s².
   *  @param step displacement from its place in the reference in x and y, m */
  swinging(state: EnvState, env: number, body: number, step: readonly number[]) {
    const { bodies, bodyPosW, bodyLinVelW, refBodyPosW, refBodyLinVelW } = state;
    const foot = 3 * (env * bodies + body);
    const place = [0, 1, 2].map(
      (axis) =>
        this.#slope(this.#library.bodyLinVelW, 3 * bodies, 3 * body + axis) +
        FOOT_PLACE.stiffness * (refBodyPosW[foot + axis]! + (step[axis] ?? 0) - bodyPosW[foot + axis]!) +
        FOOT_PLACE.damping * (refBodyLinVelW[foot + axis]! - bodyLinVelW[foot + axis]!),
    );
    return { place, turn: this.#turning(state, env, body, FOOT_TURN) };
  }

  /** Returns the acceleration of a body's orientation to that of the reference, rad/s², world axes. */
  #turning(state: EnvState, env: number, body: number, { stiffness, damping }: typeof ROOT_TURN): number[] {
    const row = env * state.bodies + body;
    const inverse = conjugate([1, 0, 0, 0], state.bodyQuatW.subarray(4 * row, 4 * row + 4));
    const turn = multiply([1, 0, 0, 0], state.refBodyQuatW.subarray(4 * row, 4 * row + 4), inverse);
    const error = toRotationVector([0, 0, 0], turn);
    return error.map(
      (angle, axis) =>
        this.#slope(this.#library.bodyAngVelW, 3 * state.bodies, 3 * body + axis) +
        stiffness * angle +
        damping * (state.refBodyAngVelW[3 * row + axis]! - state.bodyAngVelW[3 * row + axis]!),
    );
  }

  #findFrames(state: EnvState, env: number): void {
    const { clips, fps } = this.#library;
    const { first, frames } = clips[state.clip[env]!]!;
    const row = first + state.frame[env]!;
    this.#before = Math.max(first, row - 1);
    this.#after = Math.min(first + frames - 1, row + 1);
    this.#rate = fps / Math.max(1, this.#after - this.#before);
  }

  /** Derivative of one value of the reference by central differences. */
  #slope(values: Float32Array, width: number, column: number): number {
    return (values[this.#after * width + column]! - values[this.#before * width + column]!) * this.#rate;
  }
}

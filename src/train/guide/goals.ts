import { conjugate, multiply, rotateInverse, toRotationVector } from '../../core/math/quaternion.ts';
import { ROOT_VELOCITIES } from '../../mdp/env/read-state.ts';
import type { EnvState } from '../../mdp/env-state.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';

/** Stiffness 1/s² and damping 1/s of the accelerations that bring the robot back to its reference. */
const JOINTS = { stiffness: 250, damping: 25 };
const ROOT_POSITION = { stiffness: 60, damping: 14 };
const ROOT_TURN = { stiffness: 200, damping: 30 };
const SWINGING = { stiffness: 250, damping: 30 };
/** Damping of a point on the ground, 1/s. */
const STANDING = 10;
/** How far a swinging foot steps in the direction of the root's velocity error, s: about the time constant of a falling
 *  body of this height, so that the foot lands where the fall can be stopped (capture point, Pratt et al. 2006). */
const CAPTURE_S = 0.3;

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

  /** Computes the accelerations of the root and of the joints. @param out (nv) in MuJoCo's degrees of freedom */
  motion(state: EnvState, env: number, out: Float64Array): void {
    const { joints, bodies } = state;
    const library = this.#library;
    this.#findFrames(state, env);
    const root = env * bodies;
    const quat = state.bodyQuatW.subarray(4 * root, 4 * root + 4);
    const inverse = conjugate([1, 0, 0, 0], quat);
    const turn = multiply([1, 0, 0, 0], state.refBodyQuatW.subarray(4 * root, 4 * root + 4), inverse);
    const turnError = toRotationVector([0, 0, 0], turn);
    const spin = [0, 0, 0];
    for (let axis = 0; axis < 3; axis++) {
      const at = 3 * root + axis;
      out[axis] =
        this.#slope(library.bodyLinVelW, 3 * bodies, axis) +
        ROOT_POSITION.stiffness * (state.refBodyPosW[at]! - state.bodyPosW[at]!) +
        ROOT_POSITION.damping * (state.refBodyLinVelW[at]! - state.bodyLinVelW[at]!);
      spin[axis] =
        this.#slope(library.bodyAngVelW, 3 * bodies, axis) +
        ROOT_TURN.stiffness * turnError[axis]! +
        ROOT_TURN.damping * (state.refBodyAngVelW[at]! - state.bodyAngVelW[at]!);
    }
    out.set(rotateInverse(spin, quat, spin), 3);
    for (let j = 0; j < joints; j++) {
      const at = env * joints + j;
      out[ROOT_VELOCITIES + j] =
        this.#slope(library.jointVel, joints, j) +
        JOINTS.stiffness * (state.refJointPos[at]! - state.jointPos[at]!) +
        JOINTS.damping * (state.refJointVel[at]! - state.jointVel[at]!);
    }
  }

  /** Returns the acceleration of a point on the ground, m/s²: it comes to the velocity of its foot in the reference.
   *  @param velocity m/s  @param body without the world */
  standing(state: EnvState, env: number, body: number, velocity: readonly number[]): number[] {
    const at = 3 * (env * state.bodies + body);
    return velocity.map((value, axis) => STANDING * (state.refBodyLinVelW[at + axis]! - value));
  }

  /** Returns the acceleration of a foot in the air, m/s²: it follows the reference, moved by the error of the root in x
   *  and y, and by a step that catches the root's fall. */
  swinging(state: EnvState, env: number, body: number): number[] {
    const { bodies, bodyPosW, bodyLinVelW, refBodyPosW, refBodyLinVelW } = state;
    const root = 3 * env * bodies;
    const foot = root + 3 * body;
    return [0, 1, 2].map((axis) => {
      const level = axis < 2;
      const moved = level ? bodyPosW[root + axis]! - refBodyPosW[root + axis]! : 0;
      const drift = level ? bodyLinVelW[root + axis]! - refBodyLinVelW[root + axis]! : 0;
      const place = refBodyPosW[foot + axis]! + moved + CAPTURE_S * drift;
      return (
        this.#slope(this.#library.bodyLinVelW, 3 * bodies, 3 * body + axis) +
        SWINGING.stiffness * (place - bodyPosW[foot + axis]!) +
        SWINGING.damping * (refBodyLinVelW[foot + axis]! + drift - bodyLinVelW[foot + axis]!)
      );
    });
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

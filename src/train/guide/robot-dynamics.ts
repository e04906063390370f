import { rotate, rotateInverse } from '../../core/math/quaternion.ts';
import type { EnvironmentOptions } from '../../mdp/env/environment-options.ts';
import { type FootPoint, solePoints } from '../../mdp/env/light-contacts.ts';
import { PhysicsBatch } from '../../mdp/env/physics-batch.ts';
import { prepareModel } from '../../mdp/env/prepare-model.ts';
import { ROOT_VELOCITIES } from '../../mdp/env/read-state.ts';
import type { Environments } from '../../mdp/environments.ts';
import { findFeet, standingPose } from '../../robots/kinematics/feet.ts';
import type { DoubleBuffer } from '../../sim/mujoco.ts';
import { MassModel } from './mass-model.ts';

/** A point of a sole where it can touch the ground. */
export interface SolePoint {
  /** body of the foot, without the world */
  readonly body: number;
  /** m, world */
  readonly position: readonly number[];
}

/** The equations of motion of the robot of one environment: M q̈ + h = τ + Jᵀ f. Degrees of freedom are MuJoCo's: the
 *  root's velocity in the world, its angular velocity in its own frame, then the joints. */
export class RobotDynamics {
  /** number of degrees of freedom */
  readonly nv: number;
  /** bodies of the feet, without the world */
  readonly feet: readonly number[];
  /** (nv) velocities, and forces h without contacts: gravity, Coriolis and passive joint forces */
  readonly velocity: Float64Array;
  readonly bias: Float64Array;
  /** points where the soles can touch the ground */
  readonly footPoints: readonly FootPoint[];
  readonly masses: MassModel;
  readonly #physics: PhysicsBatch;
  readonly #mass: DoubleBuffer;
  readonly #linear: DoubleBuffer;
  readonly #angular: DoubleBuffer;

  constructor(options: EnvironmentOptions) {
    const { mj, physics, facts, config } = options;
    this.#physics = new PhysicsBatch(mj, physics, 1);
    const { model, nv } = this.#physics;
    const soles = { ...config, sim: { ...config.sim, contacts: 'soles' as const } };
    this.feet = facts.wiring.feet.map((name) => facts.bodies.findIndex((body) => body.name === name));
    const indices = { anchor: 0, keybodies: [], endEffectors: [], feet: this.feet };
    prepareModel({ ...options, config: soles }, this.#physics, indices);
    this.footPoints = solePoints(model, findFeet(mj, model, standingPose(facts), this.feet));
    this.masses = new MassModel(model);
    this.nv = nv;
    this.velocity = new Float64Array(nv);
    this.bias = new Float64Array(nv);
    this.#mass = new mj.DoubleBuffer(nv * nv);
    this.#linear = new mj.DoubleBuffer(3 * nv);
    this.#angular = new mj.DoubleBuffer(3 * nv);
  }

  /** Computes the equations in the current state of an environment. */
  load(envs: Environments, env: number): void {
    const { mj, model, data } = this.#physics;
    const { state } = envs;
    const root = env * state.bodies;
    const { velocity, bias } = this;
    const quat = state.bodyQuatW.subarray(4 * root, 4 * root + 4);
    const spin = rotateInverse([0, 0, 0], quat, state.bodyAngVelW.subarray(3 * root, 3 * root + 3));
    for (let axis = 0; axis < 3; axis++) {
      velocity[axis] = state.bodyLinVelW[3 * root + axis]!;
      velocity[3 + axis] = spin[axis]!;
    }
    for (let j = 0; j < state.joints; j++) velocity[ROOT_VELOCITIES + j] = state.jointVel[env * state.joints + j]!;
    (data.qpos as Float64Array).set(envs.qpos(env));
    (data.qvel as Float64Array).set(velocity);
    mj.mj_fwdPosition(model, data);
    mj.mj_fwdVelocity(model, data);
    mj.mj_fullM(model, data, this.#mass);
    const [forces, passive] = [data.qfrc_bias, data.qfrc_passive] as Float64Array[];
    for (let k = 0; k < this.nv; k++) bias[k] = forces![k]! - passive![k]!;
  }

  /** (nv, nv) mass matrix M, valid until the next {@link load} */
  get mass(): Float64Array {
    return this.#mass.GetView() as Float64Array;
  }

  /** The points of the soles in the loaded state. */
  soles(): SolePoint[] {
    const { xpos, xquat } = this.#physics.views;
    return this.footPoints.map(({ body, at }) => {
      const row = body + 1; // MuJoCo's body 0 is the world.
      const offset = rotate([0, 0, 0], xquat.subarray(4 * row, 4 * row + 4), at);
      return { body, position: offset.map((value, axis) => value + xpos[3 * row + axis]!) };
    });
  }

  /** Returns the Jacobian (3, nv) of the velocity of a point that moves with a body. */
  jacobian({ body, position }: SolePoint): Float64Array {
    const { mj, model, data } = this.#physics;
    mj.mj_jac(model, data, this.#linear, this.#angular, [...position], body + 1);
    return Float64Array.from(this.#linear.GetView() as Float64Array);
  }

  /** Returns the Jacobians (3, nv) of the velocity of a body's origin and of its angular velocity, world axes.
   *  @param body without the world */
  bodyJacobians(body: number): { readonly linear: Float64Array; readonly angular: Float64Array } {
    const { mj, model, data } = this.#physics;
    mj.mj_jacBody(model, data, this.#linear, this.#angular, body + 1);
    const [linear, angular] = [this.#linear, this.#angular].map((buffer) =>
      Float64Array.from(buffer.GetView() as Float64Array),
    );
    return { linear: linear!, angular: angular! };
  }

  delete(): void {
    for (const buffer of [this.#mass, this.#linear, this.#angular]) buffer.delete();
    this.#physics.delete();
  }
}

import { fromEulerXyz, multiply, rotateInverse } from '../../core/math/quaternion.ts';
import { leadFollowers, type RobotFacts } from '../../robots/robot-facts.ts';
import type { MotionCommand } from '../command/motion-command.ts';
import type { EnvState } from '../env-state.ts';
import type { EnvRandom } from '../random/env-random.ts';
import type { MotionCommandConfig, PoseRange } from '../task-config.ts';
import type { TerrainField } from '../terrain/terrain-field.ts';
import { offsetFactors } from './joint-offsets.ts';
import type { PhysicsBatch } from './physics-batch.ts';
import { ROOT_POSITIONS, ROOT_VELOCITIES } from './read-state.ts';
import type { SoftLimits } from './soft-limits.ts';

/** Offsets from the origin of a foot at which the ground height is sampled, m. */
const FOOT_REACH = [-0.15, 0, 0.15];
const AXES = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'] as const;

/** Draws a pose into `out` (6,): x y z, then roll pitch yaw. An axis without a range is set to 0 without drawing a
 *  random number. */
function drawPose(out: Float64Array, range: PoseRange, env: number, random: EnvRandom): void {
  for (let axis = 0; axis < AXES.length; axis++) {
    const bounds = range[AXES[axis]!];
    out[axis] = bounds ? random.uniform(env, bounds[0], bounds[1]) : 0;
  }
}

/** State and data that a reset reads and writes. */
export interface StateResetParts {
  readonly state: EnvState;
  readonly physics: PhysicsBatch;
  readonly command: MotionCommand;
  readonly config: MotionCommandConfig;
  readonly joints: RobotFacts['joints'];
  readonly softLimits: SoftLimits;
  readonly random: EnvRandom;
  /** null on a plane */
  readonly terrain: TerrainField | null;
  /** bodies without the world */
  readonly feet: readonly number[];
}

/** Resets robots to the state of their reference frame. The root gets the reference's pose and velocity plus a random
 *  offset (a rotation from Euler angles xyz, multiplied from the left). The joints get the reference's positions plus a
 *  random offset, clamped to the soft limits, and the reference's velocities. A joint that follows another one gets the
 *  position that belongs to that joint's: otherwise, the constraint between them would push both apart. Without ranges,
 *  the state is bit-identical to the reference. */
export class StateReset {
  readonly #state: EnvState;
  readonly #physics: PhysicsBatch;
  readonly #command: MotionCommand;
  readonly #config: MotionCommandConfig;
  readonly #joints: RobotFacts['joints'];
  /** (J) factors of the random offsets */
  readonly #factors: Float64Array;
  readonly #hasFollowers: boolean;
  readonly #softLower: Float64Array;
  readonly #softUpper: Float64Array;
  readonly #random: EnvRandom;
  readonly #terrain: TerrainField | null;
  readonly #feet: readonly number[];
  readonly #draw = new Float64Array(6);
  readonly #quaternion = new Float64Array(4);
  readonly #turn = new Float64Array(4);
  readonly #omega = new Float64Array(3);

  constructor({ state, physics, command, config, joints, softLimits, random, terrain, feet }: StateResetParts) {
    this.#terrain = terrain;
    this.#feet = feet;
    this.#state = state;
    this.#physics = physics;
    this.#command = command;
    this.#config = config;
    this.#joints = joints;
    this.#factors = offsetFactors(joints, config.joint_position_range);
    this.#hasFollowers = joints.some(({ follows }) => follows !== null);
    this.#softLower = softLimits.lower;
    this.#softUpper = softLimits.upper;
    this.#random = random;
  }

  apply(env: number): void {
    const { qpos, qvel, warmstart, nq, nv } = this.#physics;
    // Read the position from the library, because moving it to the origin of the environment and back would round it.
    const { bodyPosW, bodyQuatW, bodyLinVelW, bodyAngVelW, bodies } = this.#command.library;
    const vector = 3 * this.#command.row(env) * bodies;
    const quaternion = 4 * this.#command.row(env) * bodies;
    const p = env * nq;
    const v = env * nv;
    warmstart.fill(0, v, v + nv);
    drawPose(this.#draw, this.#config.pose_range, env, this.#random);
    for (let axis = 0; axis < 3; axis++) qpos[p + axis] = bodyPosW[vector + axis]! + this.#draw[axis]!;
    if (this.#terrain) qpos[p + 2] = qpos[p + 2]! + this.#groundHeight(env, this.#terrain);
    for (let k = 0; k < 4; k++) this.#quaternion[k] = bodyQuatW[quaternion + k]!;
    if (this.#draw[3] !== 0 || this.#draw[4] !== 0 || this.#draw[5] !== 0) {
      fromEulerXyz(this.#turn, this.#draw[3]!, this.#draw[4]!, this.#draw[5]!);
      multiply(this.#quaternion, this.#turn, this.#quaternion);
    }
    for (let k = 0; k < 4; k++) qpos[p + 3 + k] = this.#quaternion[k]!;
    drawPose(this.#draw, this.#config.velocity_range, env, this.#random);
    for (let axis = 0; axis < 3; axis++) {
      qvel[v + axis] = bodyLinVelW[vector + axis]! + this.#draw[axis]!;
      this.#omega[axis] = bodyAngVelW[vector + axis]! + this.#draw[3 + axis]!;
    }
    rotateInverse(this.#omega, this.#quaternion, this.#omega);
    for (let axis = 0; axis < 3; axis++) qvel[v + 3 + axis] = this.#omega[axis]!;
    this.#resetJoints(env, p + ROOT_POSITIONS, v + ROOT_VELOCITIES);
  }

  /** Returns the height of the highest ground under the root and the feet of the reference, m. At this height, the feet
   *  do not start inside the ground. */
  #groundHeight(env: number, terrain: TerrainField): number {
    const { envOrigin, refBodyPosW, bodies } = this.#state;
    let highest = envOrigin[3 * env + 2]!;
    for (const foot of this.#feet) {
      const at = 3 * (env * bodies + foot);
      for (const dx of FOOT_REACH)
        for (const dy of FOOT_REACH)
          highest = Math.max(highest, terrain.height(refBodyPosW[at]! + dx, refBodyPosW[at + 1]! + dy));
    }
    return highest;
  }

  #resetJoints(env: number, p: number, v: number): void {
    const { joints, refJointPos, refJointVel } = this.#state;
    const { qpos, qvel } = this.#physics;
    const [least, most] = this.#config.joint_position_range;
    const noisy = least !== 0 || most !== 0;
    for (let j = 0, at = env * joints; j < joints; j++, at++) {
      const reference = refJointPos[at]!;
      qpos[p + j] = noisy
        ? Math.max(
            this.#softLower[j]!,
            Math.min(this.#softUpper[j]!, reference + this.#factors[j]! * this.#random.uniform(env, least, most)),
          )
        : reference;
      qvel[v + j] = refJointVel[at]!;
    }
    if (noisy && this.#hasFollowers) leadFollowers(this.#joints, qpos.subarray(p, p + joints));
  }
}

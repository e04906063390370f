import { badInput } from '../../core/errors.ts';
import type { RobotFacts, TorqueSpeed } from '../../robots/robot-facts.ts';
import type { MjModel } from '../../sim/mujoco.ts';
import type { RobotOverrides } from '../task-config.ts';
import { torqueLimit } from '../torque-limit.ts';
import type { PhysicsViews } from './physics-batch.ts';
import { ROOT_POSITIONS, ROOT_VELOCITIES } from './read-state.ts';

/** Width of the smoothed sign of static friction, rad/s: tanh(q̇ / 0.01) replaces sign(q̇). */
const FRICTION_SMOOTHING = 0.01;
const UNBOUND = 1e10;

/** Gains and limits in joint order. Values of the policy override those of the robot. */
export interface JointGains {
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  /** Nm; ∞ if unknown */
  readonly effortLimit: Float64Array;
  readonly defaultPos: Float64Array;
}

/** @param torqueScale factor on the effort limits
 *  @throws StudioError bad_input for a list whose length differs from the number of joints */
export function jointGains(facts: RobotFacts, overrides: RobotOverrides = {}, torqueScale = 1): JointGains {
  const column = (key: keyof RobotOverrides, fallback: (joint: RobotFacts['joints'][number]) => number) => {
    const given = overrides[key];
    if (given && given.length !== facts.joints.length)
      throw badInput(`robot.${key}: has ${given.length} numbers, expected ${facts.joints.length}: one per joint`);
    return Float64Array.from(facts.joints, (joint, j) => given?.[j] ?? fallback(joint));
  };
  return {
    stiffness: column('stiffness', (joint) => joint.stiffness),
    damping: column('damping', (joint) => joint.damping),
    effortLimit: column('effort_limit', (joint) => joint.effortLimit ?? Number.POSITIVE_INFINITY).map(
      (limit) => torqueScale * limit,
    ),
    defaultPos: column('default_joint_pos', (joint) => joint.default),
  };
}

/** Converts joint targets to MuJoCo's controls.
 *
 *  A plain joint is a position servo inside MuJoCo: torque = kp (target − q) − kd q̇, clamped to the effort limit. For
 *  a joint with friction, or with a motor that loses torque with speed, this class computes the torque in every physics
 *  step: τ = kp (target − q) − kd q̇, clamped to y1 while driving and y2 while braking. From x1 rad/s on, these limits
 *  fall linearly to 0 at x2. Friction is then subtracted: τ −= static · tanh(q̇ / 0.01) + viscous · q̇. */
export class Actuators {
  readonly #gains: JointGains;
  /** joint of each actuator */
  readonly #jointOf: Int32Array;
  readonly #motors: { readonly actuator: number; readonly joint: number; readonly law: MotorLaw }[] = [];

  /** @param torqueScale factor on the torque-speed curves; `gains` has scaled limits already */
  constructor(model: MjModel, facts: RobotFacts, gains: JointGains, torqueScale = 1) {
    this.#gains = gains;
    const firstJoint = Array.from(model.jnt_qposadr as Int32Array).findIndex((address) => address >= ROOT_POSITIONS);
    const targets = model.actuator_trnid as Int32Array;
    this.#jointOf = Int32Array.from({ length: model.nu }, (_, actuator) => targets[2 * actuator]! - firstJoint);
    const { actuator_gainprm, actuator_biasprm, actuator_forcerange } = model as {
      actuator_gainprm: Float64Array;
      actuator_biasprm: Float64Array;
      actuator_forcerange: Float64Array;
    };
    const width = actuator_gainprm.length / Math.max(1, model.nu);
    for (const [actuator, joint] of this.#jointOf.entries()) {
      const { torqueSpeed, friction } = facts.joints[joint]!;
      const servo = torqueSpeed === null && friction === null;
      const kp = gains.stiffness[joint]!;
      const kd = gains.damping[joint]!;
      const limit = servo ? Math.min(UNBOUND, gains.effortLimit[joint]!) : UNBOUND;
      actuator_gainprm[width * actuator] = servo ? kp : 1;
      actuator_biasprm.set(servo ? [0, -kp, -kd] : [0, 0, 0], width * actuator);
      actuator_forcerange.set([-limit, limit], 2 * actuator);
      if (!servo)
        this.#motors.push({
          actuator,
          joint,
          law: new MotorLaw(torqueSpeed && scaled(torqueSpeed, torqueScale), friction, gains.effortLimit[joint]!),
        });
    }
  }

  /** Sets the controls of a control step. @param targets (n, J) rad */
  begin({ ctrl }: PhysicsViews, targets: Float64Array, env: number): void {
    const at = env * this.#gains.stiffness.length;
    for (let actuator = 0; actuator < this.#jointOf.length; actuator++)
      ctrl[actuator] = targets[at + this.#jointOf[actuator]!]!;
  }

  /** Sets the controls of one physics step. Call {@link begin} first. */
  beforeStep({ ctrl, qpos, qvel }: PhysicsViews, targets: Float64Array, env: number): void {
    const at = env * this.#gains.stiffness.length;
    for (let k = 0; k < this.#motors.length; k++) {
      const { actuator, joint, law } = this.#motors[k]!;
      const speed = qvel[ROOT_VELOCITIES + joint]!;
      const error = targets[at + joint]! - qpos[ROOT_POSITIONS + joint]!;
      ctrl[actuator] = law.torque(this.#gains.stiffness[joint]! * error - this.#gains.damping[joint]! * speed, speed);
    }
  }
}

function scaled({ y1, y2, x1, x2 }: TorqueSpeed, factor: number): TorqueSpeed {
  return { y1: factor * y1, y2: factor * y2, x1, x2 };
}

/** The torque of a motor at the joint, after limits and friction. */
export class MotorLaw {
  readonly #curve: TorqueSpeed | null;
  readonly #static: number;
  readonly #viscous: number;
  readonly #limit: number;

  /** @param limit Nm at any speed; used if the motor has no torque-speed curve */
  constructor(
    curve: TorqueSpeed | null,
    friction: { readonly static: number; readonly viscous: number } | null,
    limit: number,
  ) {
    this.#curve = curve;
    this.#static = friction?.static ?? 0;
    this.#viscous = friction?.viscous ?? 0;
    this.#limit = limit;
  }

  /** Returns the torque at the joint, Nm. @param requested Nm  @param speed rad/s */
  torque(requested: number, speed: number): number {
    const limit = this.#limitAt(requested, speed);
    const applied = Math.max(-limit, Math.min(limit, requested));
    return applied - frictionAt(this.#static, this.#viscous, speed);
  }

  #limitAt(requested: number, speed: number): number {
    if (!this.#curve) return this.#limit;
    return torqueLimit(this.#curve, requested * speed > 0 ? this.#curve.y1 : this.#curve.y2, speed);
  }
}

/** Returns the torque that the friction of a joint takes from its motor, Nm. @param fixed Nm  @param viscous Nm·s/rad
 *  @param speed rad/s */
export function frictionAt(fixed: number, viscous: number, speed: number): number {
  return fixed * Math.tanh(speed / FRICTION_SMOOTHING) + viscous * speed;
}

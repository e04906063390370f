import { badInput } from '../../core/errors.ts';
import type { RobotFacts, TorqueSpeed } from '../../robots/robot-facts.ts';
import type { MjModel } from '../../sim/mujoco.ts';
import type { RobotOverrides } from '../task-config.ts';
import { torqueLimit } from '../torque-limit.ts';
import type { PhysicsViews } from './physics-batch.ts';
import { ROOT_POSITIONS, ROOT_VELOCITIES } from './read-state.ts';

/** rad/s over which static friction changes its sign. */
const FRICTION_SMOOTHING = 0.01;
const UNBOUND = 1e10;

/** Gains and limits of joints, in their order: a policy's own numbers, else the robot's. */
export interface JointGains {
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  /** Nm; ∞ where unknown */
  readonly effortLimit: Float64Array;
  readonly defaultPos: Float64Array;
}

export function jointGains(facts: RobotFacts, overrides: RobotOverrides = {}): JointGains {
  const column = (key: keyof RobotOverrides, fallback: (joint: RobotFacts['joints'][number]) => number) => {
    const given = overrides[key];
    if (given && given.length !== facts.joints.length)
      throw badInput(`robot.${key}: has ${given.length} numbers, the robot has ${facts.joints.length} joints`);
    return Float64Array.from(facts.joints, (joint, j) => given?.[j] ?? fallback(joint));
  };
  return {
    stiffness: column('stiffness', (joint) => joint.stiffness),
    damping: column('damping', (joint) => joint.damping),
    effortLimit: column('effort_limit', (joint) => joint.effortLimit ?? Number.POSITIVE_INFINITY),
    defaultPos: column('default_joint_pos', (joint) => joint.default),
  };
}

/** Turns joint targets into MuJoCo's controls.
 *
 *  A plain joint is a position servo inside MuJoCo: torque = kp (target − q) − kd q̇, clamped to the effort limit. One
 *  whose motor loses torque with speed, or that has friction, is driven by a torque that is computed here for every
 *  physics step: τ = kp (target − q) − kd q̇, clamped to y1 while driving and y2 while braking, from x1 rad/s falling in
 *  a line to 0 at x2; then τ −= static · tanh(q̇ / 0.01) + viscous · q̇. */
export class Actuators {
  readonly #gains: JointGains;
  /** joint of each actuator */
  readonly #jointOf: Int32Array;
  readonly #motors: { readonly actuator: number; readonly joint: number; readonly law: MotorLaw }[] = [];

  constructor(model: MjModel, facts: RobotFacts, gains: JointGains) {
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
        this.#motors.push({ actuator, joint, law: new MotorLaw(torqueSpeed, friction, gains.effortLimit[joint]!) });
    }
  }

  /** Controls that hold for a whole control step. @param targets (n, J) rad, row `env` */
  begin({ ctrl }: PhysicsViews, targets: Float64Array, env: number): void {
    const at = env * this.#gains.stiffness.length;
    for (let actuator = 0; actuator < this.#jointOf.length; actuator++)
      ctrl[actuator] = targets[at + this.#jointOf[actuator]!]!;
  }

  /** Controls of one physics step; call after {@link begin}, before every step. */
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

/** What a motor makes of the torque asked of it. */
export class MotorLaw {
  readonly #curve: TorqueSpeed | null;
  readonly #static: number;
  readonly #viscous: number;
  readonly #limit: number;

  /** @param limit Nm at any speed, where there is no curve */
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

  /** Nm at the joint. @param asked Nm  @param speed rad/s */
  torque(asked: number, speed: number): number {
    const limit = this.#limitAt(asked, speed);
    const given = Math.max(-limit, Math.min(limit, asked));
    return given - this.#static * Math.tanh(speed / FRICTION_SMOOTHING) - this.#viscous * speed;
  }

  #limitAt(asked: number, speed: number): number {
    if (!this.#curve) return this.#limit;
    return torqueLimit(this.#curve, asked * speed > 0 ? this.#curve.y1 : this.#curve.y2, speed);
  }
}

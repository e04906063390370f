import { threadMs } from '../../core/thread-time.ts';
import { type ModelJoint, readJoints } from '../../robots/kinematics/posed-model.ts';
import { bodyContacts } from '../../sim/contacts.ts';
import type { MainModule, MjData, MjModel } from '../../sim/mujoco.ts';
import { angle } from '../number-text.ts';

/** Share of the effort limit from which a motor is considered saturated. */
const SATURATED = 0.999;
/** Physics steps between two readings of the clock. */
const STEPS_A_LOOK = 4;
/** Value of a joint coordinate, rad or m, beyond which the simulation has diverged. */
const DIVERGED = 1e4;

/** Deviation from the default pose from which a joint is considered not held, rad or m. */
const FULL_DRIFT = { hinge: 1, slide: 0.3 } as const;
const UNIT = { hinge: 'rad', slide: 'm' } as const;

/** The deviation of one joint. */
export interface Drift {
  readonly name: string;
  /** deviation as a share of the deviation at which a joint is considered not held: 1 rad, 0.3 m */
  readonly share: number;
  /** text with joint, value and unit */
  readonly text: string;
}
export const NO_DRIFT: Drift = { name: '', share: 0, text: 'no joint' };

/** Thrown if the simulation was stopped because it took too long to compute. */
export class TooSlow extends Error {}

/** A simulated robot whose servos hold its default pose. Owns its MjData. */
export class HeldRobot {
  readonly model: MjModel;
  /** joints with an actuator, in actuator order */
  readonly joints: readonly ModelJoint[];
  readonly #mj: MainModule;
  readonly #data: MjData;
  readonly #targets: readonly number[];
  readonly #limits: readonly number[];
  readonly #deadline: number;
  #steps = 0;

  /** @param rootZ m, height of the free root; null for a fixed base
   *  @param defaults rad or m by joint name; other joints start at zero
   *  @param deadline `threadMs()` at which stepping ends with TooSlow */
  constructor(
    mj: MainModule,
    model: MjModel,
    rootZ: number | null,
    defaults: ReadonlyMap<string, number>,
    deadline: number,
  ) {
    this.#mj = mj;
    this.model = model;
    this.#deadline = deadline;
    const joints = readJoints(model);
    const actuated: number[] = Array.from(
      { length: model.nu },
      (_, actuator) => model.actuator_trnid[2 * actuator] as number,
    );
    this.joints = actuated.map((id) => joints.find((joint) => joint.id === id)!);
    this.#targets = this.joints.map(({ name }) => defaults.get(name) ?? 0);
    this.#limits = this.joints.map((_, actuator) => model.actuator_forcerange[2 * actuator + 1] as number);
    this.#data = new mj.MjData(model);
    const { qpos } = this.#data;
    if (rootZ !== null) qpos.set([0, 0, rootZ, 1, 0, 0, 0]);
    for (const { name, id } of joints) qpos[model.jnt_qposadr[id]] = defaults.get(name) ?? 0;
    this.#data.ctrl.set(this.#targets);
    try {
      mj.mj_forward(model, this.#data);
    } catch (error) {
      this.#data.delete();
      throw error;
    }
  }

  /** s */
  get timestep(): number {
    return this.model.opt.timestep;
  }

  /** Takes one physics step. @throws TooSlow after the deadline, or MuJoCo's error, such as an arena that is too
   *  small */
  step(): void {
    this.#steps += 1;
    if (this.#steps % STEPS_A_LOOK === 0 && threadMs() > this.#deadline) throw new TooSlow();
    this.#mj.mj_step(this.model, this.#data);
  }

  /** Returns whether all positions and velocities are finite and below 1e4. */
  isFinite(): boolean {
    const { qpos, qvel } = this.#data;
    const sane = (value: number) => Number.isFinite(value) && Math.abs(value) < DIVERGED;
    return (qpos as Float64Array).every(sane) && (qvel as Float64Array).every(sane);
  }

  /** Returns the actuated joint with the largest distance from its target, relative to the limit of its type. */
  drift(): Drift | null {
    const off = (joint: ModelJoint, k: number) =>
      Math.abs(this.#data.qpos[this.model.jnt_qposadr[joint.id]] - this.#targets[k]!);
    const most = this.#most((joint, k) => off(joint, k) / FULL_DRIFT[joint.type]);
    if (most === null) return null;
    const { name, type } = most.joint;
    return { share: most.value, text: `${name} by ${angle(most.value * FULL_DRIFT[type])} ${UNIT[type]}`, name };
  }

  /** Returns the fastest actuated joint and its speed, rad/s or m/s. */
  speed(): { readonly joint: ModelJoint; readonly value: number } | null {
    return this.#most((joint) => Math.abs(this.#data.qvel[this.model.jnt_dofadr[joint.id]]));
  }

  /** Returns the joints whose motors are at their effort limit. */
  saturated(): ModelJoint[] {
    const force = this.#data.actuator_force as Float64Array;
    return this.joints.filter((_, actuator) => Math.abs(force[actuator]!) >= SATURATED * this.#limits[actuator]!);
  }

  /** m */
  rootZ(): number {
    return this.#data.qpos[2];
  }

  /** Returns the z component of the root's z axis: 1 upright, 0 lying. */
  up(): number {
    const [, , , , x, y] = this.#data.qpos as Float64Array;
    return 1 - 2 * (x! ** 2 + y! ** 2);
  }

  contacts() {
    return bodyContacts(this.model, this.#data);
  }

  delete(): void {
    this.#data.delete();
  }

  #most(measure: (joint: ModelJoint, actuator: number) => number) {
    let most: { joint: ModelJoint; value: number } | null = null;
    this.joints.forEach((joint, actuator) => {
      const value = measure(joint, actuator);
      if (most === null || value > most.value) most = { joint, value };
    });
    return most as { readonly joint: ModelJoint; readonly value: number } | null;
  }
}

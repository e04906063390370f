import { HeapViews } from '../../sim/heap-views.ts';
import type { MainModule, MjData, MjModel } from '../../sim/mujoco.ts';

/** Size of MuJoCo's arena, which all environments share, bytes. A robot collapsed on the floor used 0.15 MB. */
const ARENA_BYTES = 4 << 20;
/** If a velocity (m/s, rad/s) or position (m, rad) exceeds this value, the robot is treated as diverged. */
const DIVERGED = 1e6;

/** MuJoCo's arrays for the loaded environment. Row 0 of body arrays is the world. */
export interface PhysicsViews {
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  readonly qacc: Float64Array;
  readonly warmstart: Float64Array;
  readonly ctrl: Float64Array;
  /** (nbody + 1, 6) external force, N, and torque, Nm, at the body's centre of mass, world axes */
  readonly xfrc: Float64Array;
  readonly qfrcActuator: Float64Array;
  readonly xpos: Float64Array;
  readonly xquat: Float64Array;
  readonly cvel: Float64Array;
  readonly subtreeCom: Float64Array;
  readonly subtreeAngmom: Float64Array;
  /** MuJoCo's arena, at whose start the contacts are stored */
  readonly arena: Uint8Array;
  readonly geomFriction: Float64Array;
  readonly bodyIpos: Float64Array;
}

/** A body on which an external wrench acts. */
export interface WrenchSlot {
  readonly body: number;
  /** (n, 6) force N and torque Nm at the body's centre of mass, world axes */
  readonly values: Float64Array;
}

/** Values of the model that differ between environments. */
interface ModelVariation {
  readonly array: 'geomFriction' | 'bodyIpos';
  readonly addresses: Int32Array;
  /** (n, addresses) */
  readonly values: Float64Array;
}

/** The physics of `n` robots that do not collide with each other. One compiled model and one MjData serve all robots:
 *  their states are loaded into it one after another. A step of MuJoCo depends on configuration, velocity, warm start,
 *  controls and external wrenches. These are a few hundred numbers, copied in and out in less than 1 µs. Memory
 *  therefore contains one workspace instead of one per robot, and this workspace stays in the CPU's cache.
 *
 *  Positions are local to the environment. On a plane, the position in the grid does not influence the motion. */
export class PhysicsBatch {
  readonly mj: MainModule;
  readonly model: MjModel;
  readonly data: MjData;
  readonly n: number;
  readonly nq: number;
  readonly nv: number;
  readonly nu: number;
  /** (n, nq) root x y z, quaternion wxyz, joints; (n, nv) root linear velocity in the world, angular in the root's
   *  frame */
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  /** (n, nv) */
  readonly warmstart: Float64Array;
  /** (n, 3) m, centre of mass of the whole robot at the last {@link forwardKinematics} */
  readonly com: Float64Array;
  /** (n, 2) m, origin of the environment in the loaded terrain; 0 on a plane */
  readonly shift: Float64Array;
  #tile = 0;
  #origins: Float64Array = new Float64Array(0);
  readonly #wrenches: WrenchSlot[] = [];
  readonly #variations: ModelVariation[] = [];
  readonly #views: HeapViews<PhysicsViews>;

  /** @param physics a compiled model (MJB) */
  constructor(mj: MainModule, physics: Uint8Array, n: number) {
    this.mj = mj;
    const model = loadModel(mj, physics);
    this.model = model;
    this.n = n;
    model.narena = ARENA_BYTES;
    this.data = new mj.MjData(model);
    this.nq = model.nq;
    this.nv = model.nv;
    this.nu = model.nu;
    this.qpos = new Float64Array(n * this.nq);
    this.qvel = new Float64Array(n * this.nv);
    this.warmstart = new Float64Array(n * this.nv);
    this.com = new Float64Array(3 * n);
    this.shift = new Float64Array(2 * n);
    this.#views = new HeapViews(() => this.#fetchViews());
  }

  /** Valid until the next call of MuJoCo. Read it again after each step. */
  get views(): PhysicsViews {
    return this.#views.current;
  }

  /** Repeats the terrain endlessly. The model contains one tile and its surroundings.
   *  @param tile period of the terrain, m  @param origins (n, 3) origins of the environments in the world, m */
  repeatGround(tile: number, origins: Float64Array): void {
    this.#tile = tile;
    this.#origins = origins;
  }

  /** Adds a wrench on a body. Wrenches on the same body are summed. @param body without the world */
  wrenchOn(body: number): WrenchSlot {
    const slot = { body, values: new Float64Array(6 * this.n) };
    this.#wrenches.push(slot);
    return slot;
  }

  /** Sets all wrenches of an environment to 0. */
  clearWrenches(env: number): void {
    for (let k = 0; k < this.#wrenches.length; k++) this.#wrenches[k]!.values.fill(0, 6 * env, 6 * env + 6);
  }

  /** Allows values of the model to differ between environments. Initially they equal the values of the model.
   *  @returns (n, addresses); a change takes effect at the next {@link load} */
  vary(array: ModelVariation['array'], addresses: readonly number[]): Float64Array {
    const known = this.#variations.find(
      (variation) => variation.array === array && addresses.every((address, k) => variation.addresses[k] === address),
    );
    if (known) return known.values;
    const initial = addresses.map((address) => this.views[array][address]!);
    const values = Float64Array.from({ length: this.n * addresses.length }, (_, k) => initial[k % initial.length]!);
    this.#variations.push({ array, addresses: Int32Array.from(addresses), values });
    return values;
  }

  /** Loads the state of one robot into MuJoCo. */
  load(env: number): PhysicsViews {
    const views = this.views;
    const { nq, nv } = this;
    copy(views.qpos, this.qpos, env * nq, nq);
    copy(views.qvel, this.qvel, env * nv, nv);
    copy(views.warmstart, this.warmstart, env * nv, nv);
    if (this.#tile > 0) this.#shiftToTile(env);
    views.qpos[0] = views.qpos[0]! + this.shift[2 * env]!;
    views.qpos[1] = views.qpos[1]! + this.shift[2 * env + 1]!;
    this.#loadWrenches(views.xfrc, env);
    for (let k = 0; k < this.#variations.length; k++) {
      const { array, addresses, values } = this.#variations[k]!;
      const target = views[array];
      const from = env * addresses.length;
      for (let i = 0; i < addresses.length; i++) target[addresses[i]!] = values[from + i]!;
    }
    return views;
  }

  /** Takes one physics step of the loaded robot. @returns false if MuJoCo failed */
  step(): boolean {
    try {
      this.mj.mj_step(this.model, this.data);
      return true;
    } catch {
      // The arena was full, or a factorisation failed. The state cannot be used, so reset the data.
      this.mj.mj_resetData(this.model, this.data);
      return false;
    }
  }

  /** Computes poses and velocities of all bodies of the loaded robot. After a step, the poses in MuJoCo's data are one
   *  step old. */
  forwardKinematics(env: number): void {
    const { mj, model, data, com, shift } = this;
    mj.mj_kinematics(model, data);
    mj.mj_comPos(model, data);
    mj.mj_comVel(model, data);
    mj.mj_subtreeVel(model, data);
    const { subtreeCom } = this.views;
    com[3 * env] = subtreeCom[3]! - shift[2 * env]!;
    com[3 * env + 1] = subtreeCom[4]! - shift[2 * env + 1]!;
    com[3 * env + 2] = subtreeCom[5]!;
  }

  /** Saves the state of the loaded robot. @returns false if it is not finite or diverged */
  save(env: number): boolean {
    const { nq, nv } = this;
    const { qpos, qvel, warmstart } = this.views;
    let valid = true;
    for (let k = 0, at = env * nq; k < nq; k++, at++) {
      const value = qpos[k]!;
      this.qpos[at] = value;
      if (!(Math.abs(value) < DIVERGED)) valid = false;
    }
    for (let k = 0, at = env * nv; k < nv; k++, at++) {
      const value = qvel[k]!;
      this.qvel[at] = value;
      this.warmstart[at] = warmstart[k]!;
      if (!(Math.abs(value) < DIVERGED)) valid = false;
    }
    this.qpos[env * nq] = this.qpos[env * nq]! - this.shift[2 * env]!;
    this.qpos[env * nq + 1] = this.qpos[env * nq + 1]! - this.shift[2 * env + 1]!;
    return valid;
  }

  delete(): void {
    this.data.delete();
    this.model.delete();
  }

  #loadWrenches(xfrc: Float64Array, env: number): void {
    const wrenches = this.#wrenches;
    for (let k = 0; k < wrenches.length; k++) {
      const at = 6 * (wrenches[k]!.body + 1);
      xfrc.fill(0, at, at + 6);
    }
    for (let k = 0; k < wrenches.length; k++) {
      const { body, values } = wrenches[k]!;
      const at = 6 * (body + 1);
      for (let axis = 0; axis < 6; axis++) xfrc[at + axis] = xfrc[at + axis]! + values[6 * env + axis]!;
    }
  }

  #shiftToTile(env: number): void {
    for (let axis = 0; axis < 2; axis++) {
      const origin = this.#origins[3 * env + axis]!;
      const world = this.qpos[env * this.nq + axis]! + origin;
      this.shift[2 * env + axis] = origin - this.#tile * Math.round(world / this.#tile);
    }
  }

  #fetchViews(): PhysicsViews {
    const { data, model } = this;
    return {
      qpos: data.qpos,
      qvel: data.qvel,
      qacc: data.qacc,
      warmstart: data.qacc_warmstart,
      ctrl: data.ctrl,
      xfrc: data.xfrc_applied,
      qfrcActuator: data.qfrc_actuator,
      xpos: data.xpos,
      xquat: data.xquat,
      cvel: data.cvel,
      subtreeCom: data.subtree_com,
      subtreeAngmom: data.subtree_angmom,
      arena: data.arena,
      geomFriction: model.geom_friction,
      bodyIpos: model.body_ipos,
    };
  }
}

function copy(out: Float64Array, from: Float64Array, at: number, count: number): void {
  for (let k = 0; k < count; k++) out[k] = from[at + k]!;
}

function loadModel(mj: MainModule, bytes: Uint8Array): MjModel {
  const file = '/environments.mjb';
  mj.FS.writeFile(file, bytes);
  const noFiles = new mj.MjVFS();
  try {
    return mj.MjModel.from_binary_path(file, noFiles);
  } finally {
    noFiles.delete();
    mj.FS.unlink(file);
  }
}

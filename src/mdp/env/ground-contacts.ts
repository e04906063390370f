import type { MjData, MjModel } from '../../sim/mujoco.ts';
import type { EnvState } from '../env-state.ts';

/** Layout of mjContact in MuJoCo 3.14, offsets in bytes. test/mdp/env checks it against the engine's own accessors. */
const CONTACT_BYTES = 584;
const FRAME = 32;
const FRICTION = 112;
const DIM = 528;
const GEOM1 = 532;
const EFC_ADDRESS = 576;
/** value of mjCONE_ELLIPTIC */
const ELLIPTIC = 1;
const F64 = 8;
const I32 = 4;

/** Reads the contact forces between the ground and the keybodies, and whether the feet touch the ground.
 *
 *  Reads contacts directly from the start of MuJoCo's arena. Through the object handles of the MuJoCo package, reading
 *  one contact takes 4 µs, a twentieth of a physics step, and every robot has ten to twenty contacts. */
export class GroundContacts {
  /** body index of each geom; 0 is the world */
  readonly #bodyOfGeom: Int32Array;
  /** index of the key body or foot for each body of the model; −1 for others */
  readonly #keybodyOfBody: Int32Array;
  readonly #footOfBody: Int32Array;
  readonly #keybodies: number;
  readonly #feet: number;
  readonly #elliptic: boolean;
  #arena: Uint8Array | null = null;
  #doubles: Float64Array = new Float64Array(0);
  #integers: Int32Array = new Int32Array(0);
  readonly #force = new Float64Array(3);

  /** @param keybodies  @param feet bodies without the world */
  constructor(model: MjModel, keybodies: readonly number[], feet: readonly number[]) {
    this.#bodyOfGeom = Int32Array.from(model.geom_bodyid as Int32Array);
    this.#keybodyOfBody = new Int32Array(model.nbody).fill(-1);
    this.#footOfBody = new Int32Array(model.nbody).fill(-1);
    for (const [k, body] of keybodies.entries()) this.#keybodyOfBody[body + 1] = k;
    for (const [k, body] of feet.entries()) this.#footOfBody[body + 1] = k;
    this.#keybodies = keybodies.length;
    this.#feet = feet.length;
    this.#elliptic = model.opt.cone === ELLIPTIC;
  }

  /** Adds up the contacts of the last physics step in the state. @param arena MuJoCo's arena after that step */
  read(state: EnvState, env: number, data: MjData, arena: Uint8Array): void {
    this.clear(state, env);
    const count = data.ncon as number;
    if (count === 0) return;
    this.#map(arena);
    const efcForce = data.efc_force as Float64Array;
    const force = this.#force;
    for (let contact = 0; contact < count; contact++) {
      const at = contact * CONTACT_BYTES;
      const integers = at / I32;
      const address = this.#integers[integers + EFC_ADDRESS / I32]!;
      if (address < 0) continue; // the geoms are close to each other, but there is no contact force
      const body1 = this.#bodyAt(integers + GEOM1 / I32);
      const body2 = this.#bodyAt(integers + GEOM1 / I32 + 1);
      if ((body1 === 0) === (body2 === 0)) continue;
      const body = body1 === 0 ? body2 : body1;
      const keybody = this.#keybodyOfBody[body]!;
      const foot = this.#footOfBody[body]!;
      if (foot >= 0) state.footContact[env * this.#feet + foot] = 1;
      if (keybody < 0) continue;
      this.#contactForce(force, at / F64, this.#integers[integers + DIM / I32]!, efcForce, address);
      // MuJoCo's force acts on the second geom. The state contains the force that the body exerts on the ground.
      const sign = body1 === 0 ? -1 : 1;
      const out = 3 * (env * this.#keybodies + keybody);
      for (let axis = 0; axis < 3; axis++)
        state.contactForce[out + axis] = state.contactForce[out + axis]! + sign * force[axis]!;
    }
  }

  /** Clears the contacts of an environment. */
  clear(state: EnvState, env: number): void {
    for (let k = 0, at = 3 * env * this.#keybodies; k < 3 * this.#keybodies; k++) state.contactForce[at + k] = 0;
    for (let k = 0, at = env * this.#feet; k < this.#feet; k++) state.footContact[at + k] = 0;
  }

  #bodyAt(index: number): number {
    const geom = this.#integers[index]!;
    return geom < 0 ? 0 : this.#bodyOfGeom[geom]!;
  }

  /** Computes the force of one contact in the world frame. With a friction pyramid it is the sum over its edges: normal
   *  Σ f, tangents μ (f⁺ − f⁻). With an elliptic cone, MuJoCo stores normal and tangents themselves. */
  #contactForce(out: Float64Array, contact: number, dim: number, efcForce: Float64Array, address: number): void {
    const doubles = this.#doubles;
    const frame = contact + FRAME / F64;
    let normal = 0;
    let tangent1 = 0;
    let tangent2 = 0;
    if (dim === 1) normal = efcForce[address]!;
    else if (this.#elliptic) {
      normal = efcForce[address]!;
      tangent1 = efcForce[address + 1]!;
      tangent2 = efcForce[address + 2]!;
    } else {
      for (let edge = 0; edge < 2 * (dim - 1); edge++) normal += efcForce[address + edge]!;
      const friction = contact + FRICTION / F64;
      tangent1 = doubles[friction]! * (efcForce[address]! - efcForce[address + 1]!);
      tangent2 = doubles[friction + 1]! * (efcForce[address + 2]! - efcForce[address + 3]!);
    }
    for (let axis = 0; axis < 3; axis++)
      out[axis] =
        normal * doubles[frame + axis]! + tangent1 * doubles[frame + 3 + axis]! + tangent2 * doubles[frame + 6 + axis]!;
  }

  #map(arena: Uint8Array): void {
    if (this.#arena === arena) return;
    this.#arena = arena;
    this.#doubles = new Float64Array(arena.buffer, arena.byteOffset, Math.floor(arena.byteLength / F64));
    this.#integers = new Int32Array(arena.buffer, arena.byteOffset, Math.floor(arena.byteLength / I32));
  }
}

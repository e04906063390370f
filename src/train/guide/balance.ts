import type { FootPoint } from '../../mdp/env/light-contacts.ts';
import type { EnvState } from '../../mdp/env-state.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import { BalancePlan } from './balance-plan.ts';
import { ContactPhases } from './contact-phases.ts';
import type { MassModel } from './mass-model.ts';

/** Rate at which the divergent component returns to the plan, 1/s. */
const RETURN = 4;
/** Stiffness 1/s² and damping 1/s of the height of the centre of mass. */
const HEIGHT = { stiffness: 43.2, damping: 10.7 };
/** A foot that lands keeps this share of the displacement of the foot on the ground. */
const KEPT = 0.9;
/** The centre of pressure takes back an error of the divergent component of this size, m; an error grows by what
 *  exceeds it. A step catches this many times the grown error, foreseen for at most this time, s, up to this length,
 *  m. */
const CORRECTED = 0.0573;
const CAUGHT = 1.48;
const FORESEEN_S = 0.135;
const LONGEST = 0.75;

/** What keeps the robot of an environment on its feet. */
export interface BalanceGoal {
  /** acceleration of the centre of mass, m/s² */
  readonly acceleration: readonly number[];
  /** error of the divergent component in x and y, m */
  readonly error: readonly number[];
  /** 1/s */
  readonly rate: number;
  /** displacement of the last foot that landed, in x and y, m */
  readonly shift: readonly number[];
}

/** Compares the motion of a robot's centre of mass with the {@link BalancePlan} of its clip. A robot whose feet stand
 *  elsewhere than those of the reference balances over its own feet, so the plan moves with them. */
export class Balance {
  readonly #library: MotionLibrary;
  readonly #mass: MassModel;
  readonly #feet: readonly number[];
  readonly #soles: readonly FootPoint[];
  readonly #plans = new Map<number, BalancePlan>();

  /** @param feet bodies without the world */
  constructor(library: MotionLibrary, mass: MassModel, feet: readonly number[], soles: readonly FootPoint[]) {
    this.#library = library;
    this.#mass = mass;
    this.#feet = feet;
    this.#soles = soles;
  }

  /** Returns whether the reference has a foot on the ground, and otherwise after what time it lands, s.
   *  @param foot number of the foot */
  phase(
    { clip, frame }: EnvState,
    env: number,
    foot: number,
  ): { readonly touching: boolean; readonly landsIn: number } {
    const { phases } = this.#plan(clip[env]!);
    const at = frame[env]! * this.#feet.length + foot;
    return { touching: phases.touching[at] === 1, landsIn: phases.landsIn[at]! };
  }

  goal(state: EnvState, env: number): BalanceGoal {
    const plan = this.#plan(state.clip[env]!);
    const frame = state.frame[env]!;
    const { position, velocity } = this.#mass.center(state, env * state.bodies);
    const rate = plan.rate[frame]!;
    const { newest, now, later } = this.#shifts(state, env, plan);
    const origin = this.#origin(state, env);
    const error = [0, 1].map((axis) => {
      const planned = plan.divergent[2 * frame + axis]! + origin[axis]! + later[axis]!;
      return position[axis]! + velocity[axis]! / rate - planned;
    });
    const acceleration = [0, 1].map((axis) => {
      const pivot = plan.pivot[2 * frame + axis]! + origin[axis]! + now[axis]! + (1 + RETURN / rate) * error[axis]!;
      return rate ** 2 * (position[axis]! - pivot);
    });
    const height = plan.position[3 * frame + 2]! + state.envOrigin[3 * env + 2]!;
    const rising =
      plan.acceleration[3 * frame + 2]! +
      HEIGHT.stiffness * (height - position[2]!) +
      HEIGHT.damping * (plan.velocity[3 * frame + 2]! - velocity[2]!);
    return { acceleration: [...acceleration, rising], error, rate, shift: newest };
  }

  /** Returns how far from its place in the reference a foot in the air lands, in x and y, m: the fall is caught where
   *  the divergent component will be (capture point, Pratt et al. 2006). @param landsIn s */
  step({ error, rate, shift }: BalanceGoal, landsIn: number): number[] {
    const growth = Math.exp(rate * Math.min(landsIn, FORESEEN_S));
    const size = Math.hypot(...error);
    const length = CAUGHT * Math.max(0, size * growth - (growth - 1) * CORRECTED);
    const factor = Math.min(LONGEST, length) / Math.max(Number.MIN_VALUE, size);
    return shift.map((value, axis) => KEPT * value + factor * error[axis]!);
  }

  /** Returns displacements from the reference in x and y, m: of the foot that landed last, of p (by the shares of the
   *  feet), and of ξ. Feet that will land later are displaced as the last one. In the air, the root counts. */
  #shifts(state: EnvState, env: number, { phases, share, carried }: BalancePlan) {
    const at = state.frame[env]! * this.#feet.length;
    const standing = this.#feet.map((_, foot) => foot).filter((foot) => phases.touching[at + foot] === 1);
    const shiftOf = (body: number) => {
      const row = 3 * (env * state.bodies + body);
      return [0, 1].map((axis) => state.bodyPosW[row + axis]! - state.refBodyPosW[row + axis]!);
    };
    if (standing.length === 0) {
      const root = shiftOf(0);
      return { newest: root, now: root, later: root };
    }
    const shifts = this.#feet.map(shiftOf);
    const last = standing.reduce((a, b) => (phases.since[at + b]! > phases.since[at + a]! ? b : a));
    const newest = shifts[last]!;
    const now = newest.map((_, axis) => standing.reduce((sum, k) => sum + share[at + k]! * shifts[k]![axis]!, 0));
    const later = newest.map(
      (value, axis) => value + standing.reduce((sum, k) => sum + carried[at + k]! * (shifts[k]![axis]! - value), 0),
    );
    return { newest, now, later };
  }

  /** Returns the origin of the clip's frame in the world, x and y, m. */
  #origin(state: EnvState, env: number): number[] {
    const { bodies, bodyPosW, clips } = this.#library;
    const row = clips[state.clip[env]!]!.first + state.frame[env]!;
    return [0, 1].map((axis) => state.refBodyPosW[3 * env * bodies + axis]! - bodyPosW[3 * row * bodies + axis]!);
  }

  /** Plans a clip when it is first needed. */
  #plan(clip: number): BalancePlan {
    const known = this.#plans.get(clip);
    if (known) return known;
    const library = this.#library;
    const phases = new ContactPhases(library, library.clips[clip]!, this.#feet, this.#soles);
    const plan = new BalancePlan(library, library.clips[clip]!, this.#mass, phases, this.#feet.length);
    this.#plans.set(clip, plan);
    return plan;
  }
}

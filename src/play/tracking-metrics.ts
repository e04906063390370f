import { angleBetween } from '../core/math/quaternion.ts';
import type { TermIndices } from '../mdp/env-state.ts';
import type { Environments } from '../mdp/environments.ts';
import { jointRmse, keybodyError } from '../mdp/tracking-errors.ts';
import { METRICS } from './play-memory.ts';

/** Time constant of the exponential moving averages, s. */
const MEAN_S = 1;
/** Share of its limit from which a torque is "at the limit". */
const AT_LIMIT = 0.999;

/** Measures how closely each environment tracks its reference. Writes exponential moving averages over one second to
 *  shared memory. */
export class TrackingMetrics {
  readonly #envs: Environments;
  readonly #indices: Pick<TermIndices, 'anchor' | 'keybodies'>;
  readonly #effortLimit: Float64Array;
  readonly #rate: number;
  readonly #robot = new Float64Array(4);
  readonly #reference = new Float64Array(4);

  /** @param effortLimit (J) Nm; ∞ if unknown */
  constructor(envs: Environments, indices: Pick<TermIndices, 'anchor' | 'keybodies'>, effortLimit: Float64Array) {
    this.#envs = envs;
    this.#indices = indices;
    this.#effortLimit = effortLimit;
    this.#rate = Math.min(1, envs.stepS / MEAN_S);
  }

  /** Adds the state of one environment to its averages. The first step of an episode restarts the averages.
   *  @param at index of the environment's first metric in `out` */
  update(env: number, out: Float32Array, at: number): void {
    const { state } = this.#envs;
    const rate = state.episodeStep[env]! <= 1 ? 1 : this.#rate;
    this.#mean(out, at, keybodyError(state, this.#indices.keybodies, env), rate);
    this.#mean(out, at + 1, jointRmse(state, env), rate);
    this.#mean(out, at + 2, this.#anchorRotation(env), rate);
    this.#mean(out, at + 3, this.#torqueAtLimit(env), rate);
    out[at + METRICS.indexOf('clip')] = state.clip[env]!;
    out[at + METRICS.indexOf('frame')] = state.frame[env]!;
    out[at + METRICS.indexOf('step')] = state.episodeStep[env]!;
  }

  #mean(out: Float32Array, at: number, value: number, rate: number): void {
    const before = out[at]!;
    // The values of a diverged state must not enter the average of the next episode.
    out[at] = Number.isFinite(before) ? before + rate * (value - before) : value;
  }

  /** Returns the angle between the anchor body and its reference, rad. */
  #anchorRotation(env: number): number {
    const { bodies, bodyQuatW, refBodyQuatW } = this.#envs.state;
    const at = 4 * (env * bodies + this.#indices.anchor);
    for (let k = 0; k < 4; k += 1) {
      this.#robot[k] = bodyQuatW[at + k]!;
      this.#reference[k] = refBodyQuatW[at + k]!;
    }
    return angleBetween(this.#robot, this.#reference);
  }

  /** Returns the share of the joints whose torque is at its limit. */
  #torqueAtLimit(env: number): number {
    const { joints, torque } = this.#envs.state;
    let count = 0;
    for (let k = 0; k < joints; k += 1)
      if (Math.abs(torque[env * joints + k]!) >= AT_LIMIT * this.#effortLimit[k]!) count += 1;
    return joints === 0 ? 0 : count / joints;
  }
}

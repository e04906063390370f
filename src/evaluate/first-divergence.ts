import type { EnvState, TermIndices } from '../mdp/env-state.ts';

/** Errors from which on a joint, rad, or a key body, m (after the alignment with the robot's anchor), counts as
 *  diverged. It counts until its error is below half of the limit again. */
export const DIVERGED = { joint: 0.5, body: 0.3 } as const;

/** What left the reference first. */
export interface Divergence {
  readonly kind: 'joint' | 'body';
  /** joint, or body without the world */
  readonly index: number;
  /** present error and limit, rad or m */
  readonly value: number;
  readonly limit: number;
}

/** Remembers since when the joints and key bodies of one environment have been away from the reference. */
export class FirstDivergence {
  readonly #state: EnvState;
  readonly #env: number;
  readonly #keybodies: readonly number[];
  /** step since which each joint, then each key body, has been diverged; −1: it is not */
  readonly #since: Int32Array;
  #step = 0;

  constructor(state: EnvState, env: number, { keybodies }: Pick<TermIndices, 'keybodies'>) {
    this.#state = state;
    this.#env = env;
    this.#keybodies = keybodies;
    this.#since = new Int32Array(state.joints + keybodies.length).fill(-1);
  }

  /** Adds the state after a control step. */
  add(): void {
    const { joints } = this.#state;
    for (let k = 0; k < this.#since.length; k++) {
      const limit = k < joints ? DIVERGED.joint : DIVERGED.body;
      const error = this.#errorOf(k);
      if (this.#since[k]! < 0 && error > limit) this.#since[k] = this.#step;
      else if (this.#since[k]! >= 0 && error < limit / 2) this.#since[k] = -1;
    }
    this.#step += 1;
  }

  /** Returns what has been diverged for the longest time, of equals what is farthest beyond its limit. Null if nothing
   *  diverged before the last step. */
  first(): Divergence | null {
    const { joints } = this.#state;
    let best: (Divergence & { readonly since: number }) | null = null;
    for (let k = 0; k < this.#since.length; k++) {
      const since = this.#since[k]!;
      if (since < 0 || since >= this.#step - 1) continue;
      const value = this.#errorOf(k);
      const isJoint = k < joints;
      const limit = isJoint ? DIVERGED.joint : DIVERGED.body;
      if (best && (since > best.since || (since === best.since && value / limit <= best.value / best.limit))) continue;
      const index = isJoint ? k : this.#keybodies[k - joints]!;
      best = { kind: isJoint ? 'joint' : 'body', index, value, limit, since };
    }
    return best;
  }

  #errorOf(k: number): number {
    const { joints, bodies, jointPos, refJointPos, bodyPosW, relBodyPosW } = this.#state;
    if (k < joints) return Math.abs(jointPos[this.#env * joints + k]! - refJointPos[this.#env * joints + k]!);
    const place = k - joints;
    const p = 3 * (this.#env * bodies + this.#keybodies[place]!);
    const r = 3 * (this.#env * this.#keybodies.length + place);
    return Math.hypot(
      bodyPosW[p]! - relBodyPosW[r]!,
      bodyPosW[p + 1]! - relBodyPosW[r + 1]!,
      bodyPosW[p + 2]! - relBodyPosW[r + 2]!,
    );
  }
}

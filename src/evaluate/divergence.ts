import type { EnvState, TermIndices } from '../mdp/env-state.ts';

/** Time before a failure that is searched, without its end, in which everything falls, s. */
const WINDOW = { from: 1, to: 0.2 } as const;
/** Mean errors over that time from which on a joint, rad, or a key body, m (aligned with the robot's anchor), has
 *  diverged. Measured with a policy that tracks well: wrists up to 0.44 rad, other joints 0.3 rad, bodies 0.1 m. With the
 *  sign of one leg joint turned: 0.44 to 1.6 rad for that joint. */
const DIVERGED = { joint: 0.4, body: 0.15 } as const;

/** What left the reference before a failure. */
export interface Divergence {
  readonly kind: 'joint' | 'body';
  /** joint, or body without the world */
  readonly index: number;
  /** mean error and limit, rad or m */
  readonly value: number;
  readonly limit: number;
}

/** Remembers the recent errors of the joints and key bodies of one environment. */
export class RecentErrors {
  readonly #state: EnvState;
  readonly #env: number;
  readonly #keybodies: readonly number[];
  readonly #slots: number;
  readonly #fall: number;
  /** (slots, joints + key bodies) rad and m */
  readonly #errors: Float32Array;
  #steps = 0;

  constructor(state: EnvState, env: number, { keybodies }: Pick<TermIndices, 'keybodies'>, controlHz: number) {
    this.#state = state;
    this.#env = env;
    this.#keybodies = keybodies;
    this.#slots = Math.max(2, Math.round(WINDOW.from * controlHz));
    this.#fall = Math.max(1, Math.round(WINDOW.to * controlHz));
    this.#errors = new Float32Array(this.#slots * this.#width);
  }

  /** Adds the state after a control step. */
  add(): void {
    const at = (this.#steps % this.#slots) * this.#width;
    for (let k = 0; k < this.#width; k++) this.#errors[at + k] = this.#errorOf(k);
    this.#steps += 1;
  }

  /** Returns the joint that was farthest off before the fall, else the key body; null if neither was beyond its limit.
   *  Joints come first, because they move the bodies. */
  diverged(): Divergence | null {
    const { joints } = this.#state;
    const joint = this.#largest(0, joints, DIVERGED.joint);
    if (joint) return { kind: 'joint', index: joint.place, value: joint.value, limit: DIVERGED.joint };
    const body = this.#largest(joints, this.#width, DIVERGED.body);
    if (!body) return null;
    return { kind: 'body', index: this.#keybodies[body.place - joints]!, value: body.value, limit: DIVERGED.body };
  }

  get #width(): number {
    return this.#state.joints + this.#keybodies.length;
  }

  #largest(from: number, to: number, limit: number): { readonly place: number; readonly value: number } | null {
    const first = Math.max(0, this.#steps - this.#slots);
    // A short episode has no time before the fall: only its last step is left out.
    const last = this.#steps - this.#fall > first ? this.#steps - this.#fall : this.#steps - 1;
    if (last <= first) return null;
    let best: { readonly place: number; readonly value: number } | null = null;
    for (let place = from; place < to; place++) {
      let sum = 0;
      for (let step = first; step < last; step++) sum += this.#errors[(step % this.#slots) * this.#width + place]!;
      const value = sum / (last - first);
      if (value > limit && value > (best?.value ?? 0)) best = { place, value };
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

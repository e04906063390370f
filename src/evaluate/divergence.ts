import type { EnvState, TermIndices } from '../mdp/env-state.ts';

/** A joint has diverged if its error stays above `limit`, rad, for at least `lasting`, s, within the last `within`, s,
 *  before a failure. Measured with a policy that tracks well: 95 % of the errors are below 0.12 to 0.32 rad, of wrists
 *  below 0.65. docs/evaluation.md shows the results for policies with one wrong joint. */
const SUSTAINED = { limit: 0.6, lasting: 0.2, within: 2 } as const;
/** Time window before a failure over which smaller errors are averaged, s. The window ends before the failure, because
 *  during the fall all errors are large. */
const WINDOW = { from: 1, to: 0.2 } as const;
/** Mean errors in that window from which a joint (rad) or a key body (m, aligned with the robot's anchor) has diverged.
 *  Measured with a policy that tracks well: wrists up to 0.44 rad, other joints 0.3 rad, bodies 0.1 m. */
const DIVERGED = { joint: 0.4, body: 0.15 } as const;

/** The joint or body that left the reference before a failure. */
export interface Divergence {
  readonly kind: 'joint' | 'body';
  /** index of the joint, or of the body without counting the world */
  readonly index: number;
  /** mean error and limit, rad or m */
  readonly value: number;
  readonly limit: number;
}

/** Stores the recent errors of the joints and key bodies of one environment. */
export class RecentErrors {
  readonly #state: EnvState;
  readonly #env: number;
  readonly #keybodies: readonly number[];
  readonly #slots: number;
  /** number of steps in the times above */
  readonly #lasting: number;
  readonly #window: number;
  readonly #fall: number;
  /** (slots, joints + key bodies) errors, rad and m */
  readonly #errors: Float32Array;
  #steps = 0;

  constructor(state: EnvState, env: number, { keybodies }: Pick<TermIndices, 'keybodies'>, controlHz: number) {
    const steps = (seconds: number) => Math.max(1, Math.round(seconds * controlHz));
    this.#state = state;
    this.#env = env;
    this.#keybodies = keybodies;
    this.#slots = steps(SUSTAINED.within);
    this.#lasting = steps(SUSTAINED.lasting);
    this.#window = steps(WINDOW.from);
    this.#fall = steps(WINDOW.to);
    this.#errors = new Float32Array(this.#slots * this.#width);
  }

  /** Adds the state after a control step. */
  add(): void {
    const at = (this.#steps % this.#slots) * this.#width;
    for (let k = 0; k < this.#width; k++) this.#errors[at + k] = this.#errorOf(k);
    this.#steps += 1;
  }

  /** Returns the cause of a fall, the first of these that exists: the joint whose error was the first to stay above its
   *  limit; the joint with the largest mean error before the fall, if that is above its limit; the same for key bodies.
   *  Joints come first, because they move the bodies. @returns null if all errors were below their limits */
  diverged(): Divergence | null {
    const { joints } = this.#state;
    const first = this.#firstJoint();
    if (first) return { kind: 'joint', index: first.place, value: first.value, limit: SUSTAINED.limit };
    const joint = this.#largest(0, joints, DIVERGED.joint);
    if (joint) return { kind: 'joint', index: joint.place, value: joint.value, limit: DIVERGED.joint };
    const body = this.#largest(joints, this.#width, DIVERGED.body);
    if (!body) return null;
    return { kind: 'body', index: this.#keybodies[body.place - joints]!, value: body.value, limit: DIVERGED.body };
  }

  get #width(): number {
    return this.#state.joints + this.#keybodies.length;
  }

  /** Returns the joint whose error first stayed above its limit. If several did so in the same step, returns the one
   *  with the largest mean error over that time. */
  #firstJoint(): Place | null {
    let best: (Place & { readonly step: number }) | null = null;
    for (let joint = 0; joint < this.#state.joints; joint++) {
      const found = this.#sustained(joint);
      if (found === null) continue;
      if (best === null || found.step < best.step || (found.step === best.step && found.value > best.value))
        best = { place: joint, ...found };
    }
    return best;
  }

  /** Returns the step from which the error of a joint stayed above its limit, and its mean error from then on. */
  #sustained(joint: number): { readonly step: number; readonly value: number } | null {
    let above = 0;
    let sum = 0;
    for (let step = Math.max(0, this.#steps - this.#slots); step < this.#steps; step++) {
      const error = this.#at(step, joint);
      above = error > SUSTAINED.limit ? above + 1 : 0;
      sum = above === 0 ? 0 : sum + error;
      if (above === this.#lasting) return { step: step + 1 - above, value: sum / above };
    }
    return null;
  }

  #largest(from: number, to: number, limit: number): Place | null {
    const first = Math.max(0, this.#steps - this.#window);
    // In a short episode there is no time before the fall, so omit only the last step.
    const last = this.#steps - this.#fall > first ? this.#steps - this.#fall : this.#steps - 1;
    if (last <= first) return null;
    let best: Place | null = null;
    for (let place = from; place < to; place++) {
      let sum = 0;
      for (let step = first; step < last; step++) sum += this.#at(step, place);
      const value = sum / (last - first);
      if (value > limit && value > (best?.value ?? 0)) best = { place, value };
    }
    return best;
  }

  #at(step: number, place: number): number {
    return this.#errors[(step % this.#slots) * this.#width + place]!;
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

/** A joint or key body, by its column among the errors, and its mean error. */
interface Place {
  readonly place: number;
  readonly value: number;
}

import { angleBetweenRows } from '../core/math/rows.ts';
import type { EnvState, TermIndices } from '../mdp/env-state.ts';
import { jointRmse, keybodyError } from '../mdp/tracking-errors.ts';
import type { EpisodeResult } from './episode-result.ts';

/** Percentile of the jerk that is reported. */
const PERCENTILE = 0.95;
/** Number of positions needed for a third difference. */
const JERK_POINTS = 4;

type Sums = Omit<EpisodeResult, 'clip' | 'start' | 'possible' | 'failure' | 'jerk' | 'jerk_steps'>;

/** Measures the episode of one environment, step by step. docs/evaluation.md defines the metrics. */
export class EpisodeMetrics {
  readonly #state: EnvState;
  readonly #env: number;
  readonly #indices: Pick<TermIndices, 'anchor' | 'keybodies'>;
  readonly #rate: number;
  /** (4, K, 3) the last positions of the key bodies, m */
  readonly #positions: Float64Array;
  #points = 0;
  /** (steps, K) jerk, m/s³ */
  readonly #jerks: Float32Array;
  #jerkSteps = 0;
  readonly #sums: { -readonly [K in keyof Sums]: number } = {
    steps: 0,
    body_pos: 0,
    body_pos_local: 0,
    body_rot: 0,
    joint_pos: 0,
    joint_vel: 0,
    anchor_pos: 0,
    anchor_rot: 0,
    action: 0,
    action_steps: 0,
  };

  /** Begins at the start of an episode, before its first step.
   *  @param steps control steps of the whole episode  @param controlHz control steps per second */
  constructor(
    state: EnvState,
    env: number,
    indices: Pick<TermIndices, 'anchor' | 'keybodies'>,
    { steps, controlHz }: { readonly steps: number; readonly controlHz: number },
  ) {
    this.#state = state;
    this.#env = env;
    this.#indices = indices;
    this.#rate = controlHz;
    const { length } = indices.keybodies;
    this.#positions = new Float64Array(JERK_POINTS * 3 * length);
    this.#jerks = new Float32Array(steps * length);
    this.#addPositions();
  }

  /** Adds the state after a control step that did not fail. */
  add(): void {
    const [state, env, sums] = [this.#state, this.#env, this.#sums];
    const { anchor, keybodies } = this.#indices;
    const { bodies, bodyPosW, bodyQuatW, refBodyPosW, refBodyQuatW } = state;
    sums.steps += 1;
    let distance = 0;
    let angle = 0;
    for (let k = 0; k < keybodies.length; k++) {
      const row = env * bodies + keybodies[k]!;
      distance += distanceOf(bodyPosW, refBodyPosW, 3 * row);
      angle += angleBetweenRows(bodyQuatW, 4 * row, refBodyQuatW, 4 * row);
    }
    const count = Math.max(1, keybodies.length);
    sums.body_pos += distance / count;
    sums.body_rot += angle / count;
    sums.body_pos_local += keybodyError(state, keybodies, env);
    sums.joint_pos += jointRmse(state, env) ** 2;
    sums.joint_vel += meanSquare(state.jointVel, state.refJointVel, state.joints, env);
    const row = env * bodies + anchor;
    sums.anchor_pos += distanceOf(bodyPosW, refBodyPosW, 3 * row);
    sums.anchor_rot += angleBetweenRows(bodyQuatW, 4 * row, refBodyQuatW, 4 * row);
    // The first action has no previous action.
    if (sums.steps > 1) {
      sums.action += meanSquare(state.actions, state.previousActions, state.joints, env);
      sums.action_steps += 1;
    }
    this.#addPositions();
  }

  /** The sums over the steps so far. */
  get result(): Omit<EpisodeResult, 'clip' | 'start' | 'possible' | 'failure'> {
    const { length } = this.#indices.keybodies;
    const jerks = this.#jerks.slice(0, this.#jerkSteps * length).sort();
    const jerk = jerks.length === 0 ? 0 : jerks[Math.ceil(PERCENTILE * jerks.length) - 1]!;
    return { ...this.#sums, jerk, jerk_steps: this.#jerkSteps };
  }

  /** Stores the positions of the key bodies and computes their third differences. */
  #addPositions(): void {
    const { bodies, bodyPosW } = this.#state;
    const { keybodies } = this.#indices;
    const p = this.#positions;
    const width = 3 * keybodies.length;
    p.copyWithin(0, width);
    for (let k = 0; k < keybodies.length; k++)
      for (let axis = 0; axis < 3; axis++)
        p[3 * width + 3 * k + axis] = bodyPosW[3 * (this.#env * bodies + keybodies[k]!) + axis]!;
    this.#points += 1;
    if (this.#points < JERK_POINTS) return;
    const cube = this.#rate ** 3;
    for (let k = 0; k < keybodies.length; k++) {
      let squares = 0;
      for (let at = 3 * k; at < 3 * k + 3; at++)
        squares += (p[3 * width + at]! - 3 * p[2 * width + at]! + 3 * p[width + at]! - p[at]!) ** 2;
      this.#jerks[this.#jerkSteps * keybodies.length + k] = Math.sqrt(squares) * cube;
    }
    this.#jerkSteps += 1;
  }
}

function distanceOf(a: Float64Array, b: Float64Array, at: number): number {
  return Math.hypot(a[at]! - b[at]!, a[at + 1]! - b[at + 1]!, a[at + 2]! - b[at + 2]!);
}

/** Returns the mean over the joints of the squared differences. */
function meanSquare(a: Float64Array, b: Float64Array, joints: number, env: number): number {
  let sum = 0;
  for (let at = env * joints; at < (env + 1) * joints; at++) sum += (a[at]! - b[at]!) ** 2;
  return joints === 0 ? 0 : sum / joints;
}

import type { Environments } from '../../mdp/environments.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import { createPolicy } from '../../policy/create-policy.ts';
import type { Policy, PolicyWeights } from '../../policy/policy.ts';

/** Maximum number of rows that one expert computes in one call. */
const ROWS = 96;

/** The experts of a library. The current frame of the motion decides which expert controls the robot. */
export class Experts {
  readonly inputs: number;
  readonly outputs: number;
  readonly #policies: readonly Policy[];
  /** rows of the current call by expert */
  readonly #rowsOf: number[][];
  readonly #input: Float32Array;
  readonly #output: Float32Array;

  /** @param weights at least one, with the same numbers of inputs and outputs */
  constructor(weights: readonly PolicyWeights[]) {
    // Chunks that have no expert of their own share the base policy.
    const made = new Map<PolicyWeights, Policy>();
    for (const each of weights) if (!made.has(each)) made.set(each, createPolicy(each, ROWS));
    this.#policies = weights.map((each) => made.get(each)!);
    const [{ inputs, outputs }] = this.#policies as [Policy];
    this.inputs = inputs;
    this.outputs = outputs;
    this.#rowsOf = weights.map(() => []);
    this.#input = new Float32Array(ROWS * inputs);
    this.#output = new Float32Array(ROWS * outputs);
  }

  /** Computes the mean actions of rows, each by its expert.
   *  @param observations (n, inputs)  @param expertOf (n) index of the expert  @param out (n, outputs) */
  label(observations: Float32Array, expertOf: ArrayLike<number>, out: Float32Array, n: number): void {
    for (const rows of this.#rowsOf) rows.length = 0;
    for (let row = 0; row < n; row++) this.#rowsOf[expertOf[row]!]!.push(row);
    for (const [k, rows] of this.#rowsOf.entries())
      for (let from = 0; from < rows.length; from += ROWS)
        this.#labelPart(this.#policies[k]!, observations, out, rows.slice(from, from + ROWS));
  }

  #labelPart(policy: Policy, observations: Float32Array, out: Float32Array, rows: readonly number[]): void {
    const { inputs, outputs } = this;
    for (const [k, row] of rows.entries())
      this.#input.set(observations.subarray(row * inputs, (row + 1) * inputs), k * inputs);
    policy.evaluate(this.#input, this.#output, rows.length);
    for (const [k, row] of rows.entries())
      out.set(this.#output.subarray(k * outputs, (k + 1) * outputs), row * outputs);
  }
}

/** Writes the expert of each environment at its current frame. @param rows of `expertRows`  @param out (n) */
export function expertsOf(
  { state, active }: Pick<Environments, 'state' | 'active'>,
  { clips }: MotionLibrary,
  rows: Int16Array,
  out: Int16Array,
): void {
  for (let env = 0; env < active; env++) out[env] = rows[clips[state.clip[env]!]!.first + state.frame[env]!]!;
}

/** Combines the experts into one policy: each environment is controlled by the expert of its frame. Control changes to
 *  the next expert in the middle of an overlap. */
export function handedOver(experts: Experts, envs: Environments, library: MotionLibrary, rows: Int16Array): Policy {
  const expertOf = new Int16Array(envs.n);
  return {
    inputs: experts.inputs,
    outputs: experts.outputs,
    evaluate(observations, out, n) {
      expertsOf(envs, library, rows, expertOf);
      experts.label(observations, expertOf, out, n);
    },
  };
}

import type { Environments } from '../../mdp/environments.ts';
import { EnvRandom } from '../../mdp/random/env-random.ts';
import type { AgentConfig } from '../../mdp/task-config.ts';
import type { ActorCritic } from './actor-critic.ts';
import { bootstrapTruncated, computeReturns } from './advantages.ts';
import type { Labels } from './imitation-loss.ts';
import { logNormaliser, logProbability } from './ppo-loss.ts';
import type { RunningNormalizer } from './running-normalizer.ts';

/** Names of the observation groups of the two networks. */
export const ACTOR_GROUP = 'actor';
export const CRITIC_GROUP = 'critic';
/** Number of the random stream for actions; environments use other numbers. */
const PURPOSE = 102;

/** Labels states with the actions of a better controller. */
export interface Labeller {
  /** Labels some of the current states. @param labels (n, A) raw actions  @param given (n) 1 for those with a label */
  label(envs: Environments, labels: Float32Array, given: Uint8Array): void;
}

/** The experience of one thread's environments in one iteration. Rows are step-major: row t·n + i is environment i at
 *  step t. */
export class Rollout {
  readonly rows: number;
  /** (rows, dim) raw observations */
  readonly actorObs: Float32Array;
  readonly criticObs: Float32Array;
  /** (rows, dim) normalised observations */
  readonly actorInput: Float32Array;
  readonly criticInput: Float32Array;
  /** (rows, A) */
  readonly actions: Float32Array;
  readonly means: Float32Array;
  /** (A) standard deviations of the acting policy */
  readonly std: Float32Array;
  /** (rows) */
  readonly logProb: Float32Array;
  readonly values: Float32Array;
  readonly advantages: Float32Array;
  readonly returns: Float32Array;
  /** of all rows; null in an iteration without a labeller */
  labels: Labels | null = null;
  /** (rows) returns by the λ of the advantages, not used */
  readonly #otherReturns: Float32Array;
  readonly #rewards: Float32Array;
  readonly #dones: Uint8Array;
  readonly #truncated: Uint8Array;
  readonly #lastInput: Float32Array;
  readonly #lastValues: Float32Array;
  readonly #envs: Environments;
  readonly #agent: AgentConfig;
  readonly #random: EnvRandom;
  readonly #maxRows: number;

  /** @param first index of environment 0 among all environments of the training
   *  @param maxRows rows that a network computes at once */
  constructor(envs: Environments, agent: AgentConfig, first: number, seed: number, maxRows: number) {
    const { n, actionDim } = envs;
    const rows = n * agent.num_steps_per_env;
    const actorDim = groupOf(envs, ACTOR_GROUP).dim;
    const criticDim = groupOf(envs, CRITIC_GROUP).dim;
    this.rows = rows;
    this.#envs = envs;
    this.#agent = agent;
    this.#maxRows = maxRows;
    this.#random = new EnvRandom(n, { first, stride: 1, seed, purpose: PURPOSE });
    this.actorObs = new Float32Array(rows * actorDim);
    this.actorInput = new Float32Array(rows * actorDim);
    this.criticObs = new Float32Array(rows * criticDim);
    this.criticInput = new Float32Array(rows * criticDim);
    this.actions = new Float32Array(rows * actionDim);
    this.means = new Float32Array(rows * actionDim);
    this.std = new Float32Array(actionDim);
    this.logProb = new Float32Array(rows);
    this.values = new Float32Array(rows);
    this.advantages = new Float32Array(rows);
    this.returns = new Float32Array(rows);
    this.#otherReturns = new Float32Array(rows);
    this.#rewards = new Float32Array(rows);
    this.#dones = new Uint8Array(rows);
    this.#truncated = new Uint8Array(rows);
    this.#lastInput = new Float32Array(n * criticDim);
    this.#lastValues = new Float32Array(n);
  }

  /** Steps the environments with actions drawn from the policy, then computes advantages and returns.
   *  @param onStep called after each step, for episode statistics
   *  @param labeller labels states before each step; null: the rollout has no labels
   *  @param isStopped called before each step; once it returns true, the rollout stays incomplete and must not be
   *  used */
  collect(
    networks: ActorCritic,
    onStep: () => void,
    labeller: Labeller | null = null,
    isStopped: () => boolean = () => false,
  ): void {
    const { rows, actions } = this;
    this.labels = labeller && { actions: new Float32Array(actions.length), given: new Uint8Array(rows) };
    if (this.#act(networks, onStep, labeller, isStopped)) this.#evaluate(networks);
  }

  /** @returns false if it was stopped before the last step */
  #act(
    { actor, actorNormalizer }: ActorCritic,
    onStep: () => void,
    labeller: Labeller | null,
    isStopped: () => boolean,
  ): boolean {
    const envs = this.#envs;
    const { n, actionDim } = envs;
    const { num_steps_per_env: steps } = this.#agent;
    const actorGroup = groupOf(envs, ACTOR_GROUP);
    const criticGroup = groupOf(envs, CRITIC_GROUP);
    this.std.set(actor.std);
    const normaliser = logNormaliser(this.std);
    for (let t = 0; t < steps; t++) {
      if (isStopped()) return false;
      const [from, to] = [t * n, (t + 1) * n];
      this.actorObs.set(actorGroup.values, from * actorGroup.dim);
      this.criticObs.set(criticGroup.values, from * criticGroup.dim);
      const input = this.actorInput.subarray(from * actorGroup.dim, to * actorGroup.dim);
      normalise(actorNormalizer, actorGroup.values, input);
      const means = this.means.subarray(from * actionDim, to * actionDim);
      const actions = this.actions.subarray(from * actionDim, to * actionDim);
      this.#inParts(n, (a, b) => {
        const rows = input.subarray(a * actorGroup.dim, b * actorGroup.dim);
        actor.forward(rows, means.subarray(a * actionDim, b * actionDim), b - a);
      });
      this.#draw(means, actions);
      for (let env = 0; env < n; env++) {
        this.logProb[from + env] = logProbability(actions, means, this.std, normaliser, env * actionDim);
      }
      if (labeller && this.labels) {
        const labels = this.labels.actions.subarray(from * actionDim, to * actionDim);
        labeller.label(envs, labels, this.labels.given.subarray(from, to));
      }
      envs.step(actions);
      this.#rewards.set(envs.rewards, from);
      for (let env = 0; env < n; env++) {
        const failed = envs.terminated[env]!;
        // After the end of a clip the robot continues at another frame, whose value is unrelated to the earlier
        // actions. A state in which the robot has failed has no value, even if the time ended in the same step.
        this.#truncated[from + env] = (envs.timedOut[env]! | envs.clipEnded[env]!) & ~failed;
        this.#dones[from + env] = failed | this.#truncated[from + env]!;
      }
      onStep();
    }
    return true;
  }

  /** Computes the values of all states, then the advantages and returns of all actions. */
  #evaluate({ critic, criticNormalizer }: ActorCritic): void {
    const { algorithm } = this.#agent;
    const criticGroup = groupOf(this.#envs, CRITIC_GROUP);
    normalise(criticNormalizer, this.criticObs, this.criticInput);
    normalise(criticNormalizer, criticGroup.values, this.#lastInput);
    const evaluate = (input: Float32Array, out: Float32Array) =>
      this.#inParts(out.length, (a, b) =>
        critic.forward(input.subarray(a * criticGroup.dim, b * criticGroup.dim), out.subarray(a, b), b - a),
      );
    evaluate(this.criticInput, this.values);
    evaluate(this.#lastInput, this.#lastValues);
    const { gamma, lam, advantage_lam: advantageLam = lam } = algorithm;
    bootstrapTruncated(this.#rewards, this.values, this.#truncated, gamma);
    const valued = { rewards: this.#rewards, values: this.values, dones: this.#dones, lastValues: this.#lastValues };
    computeReturns(this, valued, gamma, lam);
    if (advantageLam !== lam)
      computeReturns({ advantages: this.advantages, returns: this.#otherReturns }, valued, gamma, advantageLam);
  }

  /** Draws actions around their means from the random stream of each environment (Box–Muller). */
  #draw(means: Float32Array, actions: Float32Array): void {
    const dim = this.std.length;
    for (let env = 0; env < this.#envs.n; env++) {
      for (let j = 0; j < dim; j += 2) {
        const radius = Math.sqrt(-2 * Math.log(1 - this.#random.next(env)));
        const angle = 2 * Math.PI * this.#random.next(env);
        const at = env * dim + j;
        actions[at] = means[at]! + this.std[j]! * radius * Math.cos(angle);
        if (j + 1 < dim) actions[at + 1] = means[at + 1]! + this.std[j + 1]! * radius * Math.sin(angle);
      }
    }
  }

  #inParts(rows: number, work: (from: number, to: number) => void): void {
    for (let from = 0; from < rows; from += this.#maxRows) work(from, Math.min(rows, from + this.#maxRows));
  }
}

/** Returns an observation group of the environments. @throws Error if the task does not have the group, which
 *  `checkTask` reports earlier */
export function groupOf(envs: Pick<Environments, 'observations'>, name: string) {
  const group = envs.observations.get(name);
  if (!group) throw new Error(`the task has no observation group ${name}`);
  return group;
}

function normalise(normalizer: RunningNormalizer | null, rows: Float32Array, out: Float32Array): void {
  if (normalizer) normalizer.apply(rows, out);
  else out.set(rows);
}

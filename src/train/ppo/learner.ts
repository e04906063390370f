import { EnvRandom } from '../../mdp/random/env-random.ts';
import type { AgentConfig, PpoConfig } from '../../mdp/task-config.ts';
import type { TrainableNetwork } from '../../policy/training/trainable-network.ts';
import type { SymmetricNetworks } from '../symmetry/network-symmetry.ts';
import { mirrorMoments } from '../symmetry/signed-permutation.ts';
import type { ActorCritic } from './actor-critic.ts';
import { imitationLoss } from './imitation-loss.ts';
import {
  adaptedRate,
  addEntropyGradient,
  entropyOf,
  type LossGradients,
  type LossRows,
  MIN_STD,
  type NetworkOutputs,
  ppoLoss,
} from './ppo-loss.ts';
import type { Rollout } from './rollout.ts';
import { RunningNormalizer } from './running-normalizer.ts';
import type { WorkerGroup } from './worker-group.ts';

/** Number of the random stream for shuffling; environments use other numbers. */
const PURPOSE = 103;
/** Keeps the division by the standard deviation of the advantages finite, as in rsl_rl. */
const ADVANTAGE_EPSILON = 1e-8;
/** Least number of epochs over a rollout with labels: unlike advantages, labels stay valid when the policy changes. */
const IMITATING_EPOCHS = 6;
/** Losses that are summed over threads together with the gradients: surrogate, value, kl. */
const SUMMED_LOSSES = 3;

/** Mean losses over the minibatches of one iteration. */
export interface Losses {
  readonly surrogate: number;
  readonly value: number;
  readonly entropy: number;
  /** Kullback-Leibler divergence between the policy that acted and the learned policy */
  readonly kl: number;
  /** learning rate after the iteration */
  readonly learningRate: number;
}

export interface LearnerOptions {
  readonly networks: ActorCritic;
  readonly agent: AgentConfig;
  readonly group: WorkerGroup;
  /** of one rollout of this thread */
  readonly rows: number;
  readonly seed: number;
  /** keeps symmetric networks symmetric; null: the robot has no symmetry, or it is not used */
  readonly symmetry: SymmetricNetworks | null;
}

/** Learns from rollouts together with the learners of the other threads. All learners have the same networks. Each
 *  learner computes the gradients of its own rows; the gradients are summed over threads before each step. */
export class Learner {
  #learningRate: number;
  /** settings of PPO; may be replaced between rollouts, but the number of minibatches must stay the same */
  algorithm: PpoConfig;
  readonly #networks: ActorCritic;
  readonly #group: WorkerGroup;
  readonly #random: EnvRandom;
  /** shuffled row indices */
  readonly #order: Uint32Array;
  readonly #summed: Float32Array;
  readonly #batch: LossRows;
  readonly #labels: { readonly actions: Float32Array; readonly given: Uint8Array };
  readonly #rowsIn: { readonly actor: Float32Array; readonly critic: Float32Array };
  readonly #outputs: NetworkOutputs;
  readonly #slopes: LossGradients;

  readonly #symmetry: SymmetricNetworks | null;
  #isSymmetric: boolean;

  constructor({ networks, agent, group, rows, seed, symmetry }: LearnerOptions) {
    const { actor, critic } = networks;
    this.#symmetry = symmetry;
    this.#isSymmetric = symmetry?.choosePasses() ?? false;
    this.#networks = networks;
    this.#group = group;
    this.algorithm = agent.algorithm;
    this.#learningRate = agent.algorithm.learning_rate;
    this.#random = new EnvRandom(1, { first: group.rank, stride: 1, seed, purpose: PURPOSE });
    this.#order = Uint32Array.from({ length: rows }, (_, k) => k);
    this.#summed = new Float32Array(Learner.summedFloats(actor, critic));
    const batch = Learner.batchRows(rows, agent);
    const dim = actor.outputs;
    this.#batch = {
      rows: batch,
      actionDim: dim,
      actions: new Float32Array(batch * dim),
      oldMeans: new Float32Array(batch * dim),
      oldStd: new Float32Array(dim),
      oldLogProb: new Float32Array(batch),
      advantages: new Float32Array(batch),
      returns: new Float32Array(batch),
      oldValues: new Float32Array(batch),
    };
    this.#labels = { actions: new Float32Array(batch * dim), given: new Uint8Array(batch) };
    this.#rowsIn = { actor: new Float32Array(batch * actor.inputs), critic: new Float32Array(batch * critic.inputs) };
    this.#outputs = { means: new Float32Array(batch * dim), std: actor.std, values: new Float32Array(batch) };
    this.#slopes = {
      means: new Float32Array(batch * dim),
      std: new Float32Array(dim),
      values: new Float32Array(batch),
    };
  }

  /** Learning rate of the actor. With `schedule: fixed`, it is that of the settings and assignments are ignored. */
  get learningRate(): number {
    const { schedule, learning_rate: given } = this.algorithm;
    return schedule === 'fixed' ? given : this.#learningRate;
  }

  set learningRate(rate: number) {
    this.#learningRate = rate;
  }

  /** Whether the networks are symmetric, and are kept so. */
  get isSymmetric(): boolean {
    return this.#isSymmetric;
  }

  /** Checks whether the networks are symmetric, and selects their passes. Call it after their parameters were replaced.
   *  @returns whether they are; the learner then keeps them symmetric */
  checkSymmetry(): boolean {
    this.#isSymmetric = this.#symmetry?.choosePasses() ?? false;
    return this.#isSymmetric;
  }

  /** Returns the number of rows in one minibatch of one thread. As in rsl_rl, remaining rows are not used. */
  static batchRows(rows: number, agent: AgentConfig): number {
    return Math.max(1, Math.floor(rows / agent.algorithm.num_mini_batches));
  }

  /** Returns the number of float32 values in one sum over threads. */
  static summedFloats(actor: TrainableNetwork, critic: TrainableNetwork): number {
    return actor.gradients.length + critic.gradients.length + SUMMED_LOSSES;
  }

  /** Runs all epochs of minibatches over a rollout. The networks of all threads change in the same way. If the rollout
   *  has labels, the policy imitates them at the first learning rate, and only the critic learns as usual. */
  learn(rollout: Rollout): Losses {
    const { algorithm } = this;
    this.#normaliseAdvantages(rollout.advantages);
    this.#shuffle();
    this.#batch.oldStd.set(rollout.std);
    const batches = algorithm.num_mini_batches;
    const sums = { surrogate: 0, value: 0, entropy: 0, kl: 0 };
    const epochs = rollout.labels
      ? Math.max(IMITATING_EPOCHS, algorithm.num_learning_epochs)
      : algorithm.num_learning_epochs;
    for (let epoch = 0; epoch < epochs; epoch++) {
      for (let k = 0; k < batches; k++) {
        const losses = this.#step(rollout, k * this.#batch.rows);
        sums.surrogate += losses.surrogate;
        sums.value += losses.value;
        sums.entropy += losses.entropy;
        sums.kl += losses.kl;
      }
    }
    const count = batches * epochs;
    if (rollout.labels === null) this.learningRate = adaptedRate(this.learningRate, sums.kl / count, algorithm);
    return {
      surrogate: sums.surrogate / count,
      value: sums.value / count,
      entropy: sums.entropy / count,
      kl: sums.kl / count,
      learningRate: this.learningRate,
    };
  }

  /** Updates the normalisers by the observations of all threads' rollouts, and by their mirror images if the networks
   *  are symmetric. */
  updateNormalizers(rollout: Pick<Rollout, 'actorObs' | 'criticObs'>): void {
    const { actorNormalizer, criticNormalizer } = this.#networks;
    const symmetry = this.#isSymmetric ? this.#symmetry?.symmetry : null;
    for (const [normalizer, rows, permutation] of [
      [actorNormalizer, rollout.actorObs, symmetry?.actor],
      [criticNormalizer, rollout.criticObs, symmetry?.critic],
    ] as const) {
      if (!normalizer) continue;
      const moments = new Float64Array(RunningNormalizer.momentsLength(normalizer.dim));
      const mirrored = new Float64Array(moments.length);
      RunningNormalizer.momentsOf(rows, normalizer.dim, moments);
      for (const given of this.#group.gather(moments)) {
        normalizer.merge(given);
        if (!permutation) continue;
        mirrorMoments(given, permutation, mirrored);
        normalizer.merge(mirrored);
      }
    }
  }

  /** Processes one minibatch: losses, gradients, one step of Adam. @param first index of its first row in the shuffled
   *  order */
  #step(rollout: Rollout, first: number): Omit<Losses, 'learningRate'> {
    const { actor, critic } = this.#networks;
    const { algorithm } = this;
    const batch = this.#batch;
    const total = batch.rows * this.#group.ranks;
    this.#gatherRows(rollout, first);
    actor.forward(this.#rowsIn.actor, this.#outputs.means, batch.rows);
    critic.forward(this.#rowsIn.critic, this.#outputs.values, batch.rows);
    const slopes = this.#slopes;
    slopes.std.fill(0);
    const losses = ppoLoss(batch, this.#outputs, algorithm, total, slopes);
    if (rollout.labels) imitationLoss(batch, this.#labels, this.#outputs, total, slopes);
    // Each thread contributes an equal share of the gradient of the entropy.
    else addEntropyGradient(slopes.std, actor.std, algorithm.entropy_coef / this.#group.ranks);
    actor.zeroGradients();
    critic.zeroGradients();
    actor.backward(slopes.means, batch.rows);
    critic.backward(slopes.values, batch.rows);
    actor.stdGradients.set(slopes.std);

    const summed = this.#summed;
    const lossesAt = summed.length - SUMMED_LOSSES;
    summed.set(actor.gradients);
    summed.set(critic.gradients, actor.gradients.length);
    summed.set([losses.surrogate / total, losses.value / total, losses.kl / total], lossesAt);
    this.#group.sum(summed);
    actor.gradients.set(summed.subarray(0, actor.gradients.length));
    critic.gradients.set(summed.subarray(actor.gradients.length, lossesAt));
    // A step along symmetric gradients keeps the networks symmetric.
    if (this.#isSymmetric) this.#symmetry?.averageGradients();
    const kl = summed[lossesAt + 2]!;
    const entropy = entropyOf(actor.std);
    // The critic has no trust region, so its rate is constant.
    for (const [network, rate] of [
      [actor, rollout.labels ? algorithm.learning_rate : this.learningRate],
      [critic, algorithm.learning_rate],
    ] as const) {
      const norm = network.gradientNorm;
      network.step(rate, norm > algorithm.max_grad_norm ? algorithm.max_grad_norm / norm : 1);
    }
    for (let j = 0; j < actor.std.length; j++) actor.std[j] = Math.max(MIN_STD, actor.std[j]!);
    return { surrogate: summed[lossesAt]!, value: summed[lossesAt + 1]!, entropy, kl };
  }

  #gatherRows(rollout: Rollout, first: number): void {
    const { actor, critic } = this.#networks;
    const batch = this.#batch;
    const dim = batch.actionDim;
    for (let k = 0; k < batch.rows; k++) {
      const row = this.#order[first + k]!;
      copyRow(rollout.actorInput, row, this.#rowsIn.actor, k, actor.inputs);
      copyRow(rollout.criticInput, row, this.#rowsIn.critic, k, critic.inputs);
      copyRow(rollout.actions, row, batch.actions, k, dim);
      copyRow(rollout.means, row, batch.oldMeans, k, dim);
      batch.oldLogProb[k] = rollout.logProb[row]!;
      batch.advantages[k] = rollout.advantages[row]!;
      batch.returns[k] = rollout.returns[row]!;
      batch.oldValues[k] = rollout.values[row]!;
      if (rollout.labels === null) continue;
      copyRow(rollout.labels.actions, row, this.#labels.actions, k, dim);
      this.#labels.given[k] = rollout.labels.given[row]!;
    }
  }

  /** Shifts and scales advantages to mean 0 and standard deviation 1 over the rows of all threads. */
  #normaliseAdvantages(advantages: Float32Array): void {
    const own = new Float64Array(3);
    own[0] = advantages.length;
    for (const advantage of advantages) own[1]! += advantage;
    const [count, sum] = this.#group.total(own);
    const mean = sum! / count!;
    for (const advantage of advantages) own[2]! += (advantage - mean) ** 2;
    const [, , squares] = this.#group.total(own);
    // Use the sample standard deviation, as torch.std does.
    const std = Math.sqrt(squares! / Math.max(1, count! - 1));
    for (let k = 0; k < advantages.length; k++) advantages[k] = (advantages[k]! - mean) / (std + ADVANTAGE_EPSILON);
  }

  /** Shuffles the rows (Fisher–Yates). */
  #shuffle(): void {
    const order = this.#order;
    for (let k = order.length - 1; k > 0; k--) {
      const other = this.#random.below(0, k + 1);
      const kept = order[k]!;
      order[k] = order[other]!;
      order[other] = kept;
    }
  }
}

function copyRow(from: Float32Array, row: number, to: Float32Array, at: number, width: number): void {
  for (let k = 0; k < width; k++) to[at * width + k] = from[row * width + k]!;
}

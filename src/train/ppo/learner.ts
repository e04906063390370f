import { EnvRandom } from '../../mdp/random/env-random.ts';
import type { AgentConfig, PpoConfig } from '../../mdp/task-config.ts';
import type { TrainableNetwork } from '../../policy/training/trainable-network.ts';
import type { ActorCritic } from './actor-critic.ts';
import { adaptedRate, addEntropyGradient, entropyOf, type LossRows, MIN_STD, ppoLoss } from './ppo-loss.ts';
import type { Rollout } from './rollout.ts';
import { RunningNormalizer } from './running-normalizer.ts';
import type { WorkerGroup } from './worker-group.ts';

/** Random numbers of shuffling, apart from those of environments. */
const PURPOSE = 103;
/** As rsl_rl: keeps the division by the spread of advantages finite. */
const ADVANTAGE_EPSILON = 1e-8;
/** Figures that travel with the gradients. */
const FIGURES = 3;

/** Means over one iteration's minibatches. */
export interface LearningFigures {
  readonly surrogate: number;
  readonly value: number;
  readonly entropy: number;
  readonly kl: number;
  readonly learningRate: number;
}

/** Learns from rollouts, in step with the learners of the other threads: all hold the same networks, each works through
 *  its own rows, gradients are summed before each step. */
export class Learner {
  learningRate: number;
  /** may change from one rollout to the next, but for epochs and minibatches */
  algorithm: PpoConfig;
  readonly #networks: ActorCritic;
  readonly #group: WorkerGroup;
  readonly #random: EnvRandom;
  readonly #order: Uint32Array;
  readonly #summed: Float32Array;
  readonly #batch: LossRows;
  readonly #rowsIn: { readonly actor: Float32Array; readonly critic: Float32Array };
  readonly #means: Float32Array;
  readonly #values: Float32Array;
  readonly #slopes: { readonly means: Float32Array; readonly std: Float32Array; readonly values: Float32Array };

  /** @param rows of a rollout of this thread */
  constructor(networks: ActorCritic, agent: AgentConfig, group: WorkerGroup, rows: number, seed: number) {
    const { actor, critic } = networks;
    this.#networks = networks;
    this.#group = group;
    this.algorithm = agent.algorithm;
    this.learningRate = agent.algorithm.learning_rate;
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
    this.#rowsIn = { actor: new Float32Array(batch * actor.inputs), critic: new Float32Array(batch * critic.inputs) };
    this.#means = new Float32Array(batch * dim);
    this.#values = new Float32Array(batch);
    this.#slopes = {
      means: new Float32Array(batch * dim),
      std: new Float32Array(dim),
      values: new Float32Array(batch),
    };
  }

  /** Rows of a minibatch of one thread: what does not fill one is left out, as rsl_rl does. */
  static batchRows(rows: number, agent: AgentConfig): number {
    return Math.max(1, Math.floor(rows / agent.algorithm.num_mini_batches));
  }

  /** float32 values of one sum over threads. */
  static summedFloats(actor: TrainableNetwork, critic: TrainableNetwork): number {
    return actor.gradients.length + critic.gradients.length + FIGURES;
  }

  /** Epochs of minibatches over a rollout. Changes the networks, the same way in every thread. */
  learn(rollout: Rollout): LearningFigures {
    const { algorithm } = this;
    this.#normaliseAdvantages(rollout.advantages);
    this.#shuffle();
    this.#batch.oldStd.set(rollout.std);
    const batches = algorithm.num_mini_batches;
    const sums = { surrogate: 0, value: 0, entropy: 0, kl: 0 };
    for (let epoch = 0; epoch < algorithm.num_learning_epochs; epoch++) {
      for (let k = 0; k < batches; k++) {
        const figures = this.#step(rollout, k * this.#batch.rows);
        sums.surrogate += figures.surrogate;
        sums.value += figures.value;
        sums.entropy += figures.entropy;
        sums.kl += figures.kl;
      }
    }
    const count = batches * algorithm.num_learning_epochs;
    return {
      surrogate: sums.surrogate / count,
      value: sums.value / count,
      entropy: sums.entropy / count,
      kl: sums.kl / count,
      learningRate: this.learningRate,
    };
  }

  /** Takes the observations of a rollout into the normalisers, with those of all threads. */
  updateNormalizers(rollout: Pick<Rollout, 'actorObs' | 'criticObs'>): void {
    const { actorNormalizer, criticNormalizer } = this.#networks;
    for (const [normalizer, rows] of [
      [actorNormalizer, rollout.actorObs],
      [criticNormalizer, rollout.criticObs],
    ] as const) {
      const moments = new Float64Array(RunningNormalizer.momentsLength(normalizer.dim));
      RunningNormalizer.momentsOf(rows, normalizer.dim, moments);
      for (const given of this.#group.gather(moments)) normalizer.merge(given);
    }
  }

  #step(rollout: Rollout, first: number): { surrogate: number; value: number; entropy: number; kl: number } {
    const { actor, critic } = this.#networks;
    const { algorithm } = this;
    const batch = this.#batch;
    const total = batch.rows * this.#group.ranks;
    this.#gatherRows(rollout, first);
    actor.forward(this.#rowsIn.actor, this.#means, batch.rows);
    critic.forward(this.#rowsIn.critic, this.#values, batch.rows);
    const slopes = this.#slopes;
    slopes.std.fill(0);
    const losses = ppoLoss(batch, this.#means, actor.extra, this.#values, algorithm, total, slopes);
    // Each thread brings its part of the entropy's gradient.
    addEntropyGradient(slopes.std, actor.extra, algorithm.entropy_coef / this.#group.ranks);
    actor.zeroGradients();
    critic.zeroGradients();
    actor.backward(slopes.means, batch.rows);
    critic.backward(slopes.values, batch.rows);
    actor.extraGradients.set(slopes.std);

    const summed = this.#summed;
    const figuresAt = summed.length - FIGURES;
    summed.set(actor.gradients);
    summed.set(critic.gradients, actor.gradients.length);
    summed.set([losses.surrogate / total, losses.value / total, losses.kl / total], figuresAt);
    this.#group.sum(summed);
    actor.gradients.set(summed.subarray(0, actor.gradients.length));
    critic.gradients.set(summed.subarray(actor.gradients.length, figuresAt));
    const kl = summed[figuresAt + 2]!;
    this.learningRate = adaptedRate(this.learningRate, kl, algorithm);
    const entropy = entropyOf(actor.extra);
    for (const network of [actor, critic]) {
      const norm = network.gradientNorm;
      network.step(this.learningRate, norm > algorithm.max_grad_norm ? algorithm.max_grad_norm / norm : 1);
    }
    for (let j = 0; j < actor.extra.length; j++) actor.extra[j] = Math.max(MIN_STD, actor.extra[j]!);
    return { surrogate: summed[figuresAt]!, value: summed[figuresAt + 1]!, entropy, kl };
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
    }
  }

  /** To mean 0 and spread 1 over the rows of all threads. */
  #normaliseAdvantages(advantages: Float32Array): void {
    const own = new Float64Array(3);
    own[0] = advantages.length;
    for (const advantage of advantages) own[1]! += advantage;
    const [count, sum] = addUp(this.#group.gather(own));
    const mean = sum! / count!;
    for (const advantage of advantages) own[2]! += (advantage - mean) ** 2;
    const [, , squares] = addUp(this.#group.gather(own));
    // The sample's spread, as torch's std.
    const std = Math.sqrt(squares! / Math.max(1, count! - 1));
    for (let k = 0; k < advantages.length; k++) advantages[k] = (advantages[k]! - mean) / (std + ADVANTAGE_EPSILON);
  }

  /** Fisher–Yates. */
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

function addUp(parts: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(parts[0]!.length);
  for (const part of parts) for (let k = 0; k < sum.length; k++) sum[k]! += part[k]!;
  return sum;
}

import { EnvRandom } from '../../mdp/random/env-random.ts';
import type { MotionLibrary } from '../../motion/library/motion-library.ts';
import type { Training } from '../create-training.ts';
import { Learner } from '../ppo/learner.ts';
import { ACTOR_GROUP, groupOf } from '../ppo/rollout.ts';
import type { Experts } from './expert-policy.ts';
import { expertsOf } from './expert-policy.ts';

/** Numbers of the random streams for actions and for the rows of minibatches; environments use other numbers. */
const PURPOSE = { actions: 105, rows: 106 };
/** Standard deviation of the noise that is added to the student's actions, so that labels also cover the states around
 *  those that it reaches. In units of raw action. */
const NOISE = 0.1;
/** Maximum number of rollouts that are kept for learning. */
export const KEPT_ROLLOUTS = 48;
/** Number of minibatches per rollout. */
const STEPS = 24;
const RATE = { first: 1e-3, last: 1e-4 };

/** The experts, and the rows of the motion in which each expert acts. */
export interface Teaching {
  readonly experts: Experts;
  readonly library: MotionLibrary;
  /** `expertRows` of the library */
  readonly rows: Int16Array;
}

/** One thread's part of a distillation of experts into one policy (DAgger, Ross et al. 2011). The student acts, the
 *  expert of the current frame labels each state with its mean action, and the student learns the labels of the last
 *  rollouts by their mean squared error. There is no value network in the loss. */
export class Distiller {
  readonly #training: Training;
  readonly #teaching: Teaching;
  readonly #random: EnvRandom;
  readonly #pick: EnvRandom;
  /** rows of one rollout of this thread, and of one minibatch of this thread */
  readonly #rows: number;
  readonly #batch: number;
  /** (KEPT_ROLLOUTS · rows, …) a ring of rollouts: raw observations and labels */
  readonly #observations: Float32Array;
  readonly #labels: Float32Array;
  readonly #expertOf: Int16Array;
  readonly #summed: Float32Array;
  #rollouts = 0;

  /** Creates a distiller. Resets Adam of the actor. @param first index of environment 0 among all environments of the
   *  training @param iterations maximum number of rollouts */
  constructor(training: Training, teaching: Teaching, first: number, iterations: number, seed: number) {
    const { envs, networks, task, group } = training;
    const { actor } = networks;
    this.#training = training;
    this.#teaching = teaching;
    this.#random = new EnvRandom(envs.n, { first, stride: 1, seed, purpose: PURPOSE.actions });
    this.#pick = new EnvRandom(1, { first: group.rank, stride: 1, seed, purpose: PURPOSE.rows });
    this.#rows = envs.n * task.agent.num_steps_per_env;
    this.#batch = Learner.batchRows(this.#rows, task.agent);
    const kept = Math.min(KEPT_ROLLOUTS, iterations) * this.#rows;
    this.#observations = new Float32Array(kept * actor.inputs);
    this.#labels = new Float32Array(kept * actor.outputs);
    this.#expertOf = new Int16Array(this.#rows);
    this.#summed = new Float32Array(actor.gradients.length + 1);
    actor.steps = 0;
    for (const moments of actor.moments) moments.fill(0);
  }

  /** Steps the environments with the student's actions and labels the states. */
  collect(): void {
    const { envs, task, statistics, learner } = this.#training;
    const { n, actionDim } = envs;
    const group = groupOf(envs, ACTOR_GROUP);
    const slot = this.#slot();
    const input = new Float32Array(n * group.dim);
    const actions = new Float32Array(n * actionDim);
    for (let t = 0; t < task.agent.num_steps_per_env; t++) {
      slot.observations.set(group.values, t * n * group.dim);
      expertsOf(envs, this.#teaching.library, this.#teaching.rows, this.#expertOf.subarray(t * n));
      this.#normalise(group.values, input);
      this.#forward(input, actions, n);
      this.#addNoise(actions);
      envs.step(actions);
      statistics.step();
    }
    this.#teaching.experts.label(slot.observations, this.#expertOf, slot.labels, this.#rows);
    this.#rollouts += 1;
    learner.updateNormalizers({ actorObs: slot.observations, criticObs: new Float32Array(0) });
  }

  /** Learns from the kept rollouts. The networks of all threads change in the same way.
   *  @param progress 0..1 of the distillation  @returns mean squared error of the actions, and the learning rate */
  learn(progress: number): { readonly loss: number; readonly rate: number } {
    const { actor } = this.#training.networks;
    const filled = this.#labels.length / actor.outputs;
    const count = Math.min(filled, this.#rollouts * this.#rows);
    const rate = RATE.first * (RATE.last / RATE.first) ** progress;
    let loss = 0;
    for (let step = 0; step < STEPS; step++) loss += this.#step(count, rate) / STEPS;
    return { loss, rate };
  }

  /** @param count number of labelled rows  @returns the loss of one minibatch */
  #step(count: number, rate: number): number {
    const { networks, group, task, learner } = this.#training;
    const { actor } = networks;
    const [batch, inputs, outputs] = [this.#batch, actor.inputs, actor.outputs];
    const input = new Float32Array(batch * inputs);
    const labels = new Float32Array(batch * outputs);
    for (let k = 0; k < batch; k++) {
      const row = this.#pick.below(0, count);
      input.set(this.#observations.subarray(row * inputs, (row + 1) * inputs), k * inputs);
      labels.set(this.#labels.subarray(row * outputs, (row + 1) * outputs), k * outputs);
    }
    this.#normalise(input, input);
    const means = new Float32Array(batch * outputs);
    actor.forward(input, means, batch);
    const scale = 1 / (batch * group.ranks * outputs);
    let loss = 0;
    for (let k = 0; k < means.length; k++) {
      const off = means[k]! - labels[k]!;
      loss += off * off * scale;
      means[k] = 2 * off * scale;
    }
    actor.zeroGradients();
    actor.backward(means, batch);
    const summed = this.#summed;
    summed.set(actor.gradients);
    summed[summed.length - 1] = loss;
    group.sum(summed);
    actor.gradients.set(summed.subarray(0, summed.length - 1));
    learner.averageGradients();
    const norm = actor.gradientNorm;
    const { max_grad_norm: most } = task.agent.algorithm;
    actor.step(rate, norm > most ? most / norm : 1);
    return summed[summed.length - 1]!;
  }

  /** Returns the part of the ring buffer for the next rollout. */
  #slot(): { readonly observations: Float32Array; readonly labels: Float32Array } {
    const { inputs, outputs } = this.#training.networks.actor;
    const slots = this.#labels.length / outputs / this.#rows;
    const from = (this.#rollouts % slots) * this.#rows;
    const to = from + this.#rows;
    return {
      observations: this.#observations.subarray(from * inputs, to * inputs),
      labels: this.#labels.subarray(from * outputs, to * outputs),
    };
  }

  #normalise(rows: Float32Array, out: Float32Array): void {
    const { actorNormalizer } = this.#training.networks;
    if (actorNormalizer) actorNormalizer.apply(rows, out);
    else if (rows !== out) out.set(rows);
  }

  #forward(input: Float32Array, out: Float32Array, n: number): void {
    const { actor } = this.#training.networks;
    for (let from = 0; from < n; from += this.#batch) {
      const to = Math.min(n, from + this.#batch);
      actor.forward(
        input.subarray(from * actor.inputs, to * actor.inputs),
        out.subarray(from * actor.outputs, to * actor.outputs),
        to - from,
      );
    }
  }

  /** Adds Gaussian noise from the random stream of each environment (Box–Muller). */
  #addNoise(actions: Float32Array): void {
    const { n, actionDim } = this.#training.envs;
    for (let env = 0; env < n; env++)
      for (let j = 0; j < actionDim; j++) {
        const radius = Math.sqrt(-2 * Math.log(1 - this.#random.next(env)));
        actions[env * actionDim + j]! += NOISE * radius * Math.cos(2 * Math.PI * this.#random.next(env));
      }
  }
}

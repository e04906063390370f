import type { DenseLayer } from '../../policy/policy.ts';
import type { TrainableNetwork } from '../../policy/training/trainable-network.ts';

/** Number of iterations over which the parameters are averaged: this share of the iterations so far, because a policy
 *  changes fastest at first, and at most `MOST`. */
const SHARE = 0.1;
const MOST = 100;

/** The parameters of an actor, as `policyOf` and `takeSnapshot` read them. */
export interface ActorParameters {
  layers(): DenseLayer[];
  readonly std: Float32Array;
}

/** The exponential moving average of an actor's parameters over the latest iterations (Polyak and Juditsky 1992).
 *
 *  With the small batches of a CPU, most of each step of PPO is noise, so a policy moves randomly around its mean. Late
 *  in a training, the mean usually tracks a motion longer. Measured with the equal mean of three checkpoints of a
 *  dance, on the soles: 8.5 to 8.9 s of 10 each, 9.9 s for the mean. Early in a training it gains nothing. */
export class AveragedActor implements ActorParameters {
  readonly #actor: TrainableNetwork;
  readonly #mean: Float32Array;
  #count: number;

  /** @param actor is read only; it continues to learn from its own parameters
   *  @param iterations number of iterations that the parameters already average, as in a checkpoint */
  constructor(actor: TrainableNetwork, iterations = 0) {
    this.#actor = actor;
    this.#count = iterations;
    this.#mean = actor.parameters.slice();
  }

  /** Adds the parameters after one iteration. */
  add(): void {
    this.#count += 1;
    const weight = 1 / Math.max(1, Math.min(MOST, SHARE * this.#count));
    const mean = this.#mean;
    const { parameters } = this.#actor;
    for (let k = 0; k < mean.length; k++) mean[k] = mean[k]! + weight * (parameters[k]! - mean[k]!);
  }

  /** Begins a new average with the present parameters, after the actor was replaced by another one. */
  restart(): void {
    this.#count = 0;
    this.#mean.set(this.#actor.parameters);
  }

  layers(): DenseLayer[] {
    return this.#actor.layers(this.#mean);
  }

  /** (A) standard deviations */
  get std(): Float32Array {
    return this.#actor.stdOf(this.#mean);
  }
}

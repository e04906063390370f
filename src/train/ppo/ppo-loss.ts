import type { PpoConfig } from '../../mdp/task-config.ts';

/** Lower bound of the policy's standard deviations, in units of raw action. Near 0, learning would stop. */
export const MIN_STD = 0.02;
/** Bounds of the adaptive learning rate. */
const [MIN_RATE, MAX_RATE] = [1e-5, 2e-3];
const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

/** Sums over the rows of a minibatch. Divide by the number of rows for means. */
export interface LossSums {
  surrogate: number;
  value: number;
  /** Kullback-Leibler divergence from the acting policy */
  kl: number;
}

/** One minibatch of rows with A actions each. */
export interface LossRows {
  readonly rows: number;
  readonly actionDim: number;
  /** (rows, A) taken actions, and the acting policy's means */
  readonly actions: Float32Array;
  readonly oldMeans: Float32Array;
  /** (A) the acting policy's standard deviations */
  readonly oldStd: Float32Array;
  /** (rows) log-probability and value when the action was taken, normalised advantage, return */
  readonly oldLogProb: Float32Array;
  readonly advantages: Float32Array;
  readonly returns: Float32Array;
  readonly oldValues: Float32Array;
}

/** Outputs of the current networks for a minibatch. */
export interface NetworkOutputs {
  /** (rows, A) */
  readonly means: Float32Array;
  /** (A) standard deviations */
  readonly std: Float32Array;
  /** (rows) */
  readonly values: Float32Array;
}

/** Gradients of the mean loss with respect to {@link NetworkOutputs}. */
export interface LossGradients {
  /** (rows, A) */
  readonly means: Float32Array;
  /** (A), accumulated */
  readonly std: Float32Array;
  /** (rows) */
  readonly values: Float32Array;
}

/** The part of a diagonal Gaussian's log-probability that does not depend on the action: Σ ln σ + ½ ln 2π. */
export function logNormaliser(std: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < std.length; j++) sum += Math.log(std[j]!) + HALF_LOG_2PI;
  return sum;
}

/** Log-probability of one row of actions under a diagonal Gaussian: Σ −½((a − μ)/σ)² − ln σ − ½ ln 2π.
 *  @param std (A)  @param normaliser {@link logNormaliser} of `std`, computed once per batch
 *  @param at index of the row's first value in `actions` and `means` */
export function logProbability(
  actions: Float32Array,
  means: Float32Array,
  std: ArrayLike<number>,
  normaliser: number,
  at: number,
): number {
  let squares = 0;
  for (let j = 0; j < std.length; j++) {
    const z = (actions[at + j]! - means[at + j]!) / std[j]!;
    squares += z * z;
  }
  return -0.5 * squares - normaliser;
}

/** Entropy of a diagonal Gaussian: Σ ½ + ½ ln 2π + ln σ. */
export function entropyOf(std: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < std.length; j++) sum += 0.5 + HALF_LOG_2PI + Math.log(std[j]!);
  return sum;
}

/** Computes PPO's loss over a part of a minibatch, and its gradients: clipped surrogate + c_v · clipped value loss −
 *  c_e · entropy (Schulman et al. 2017, equation 9; the clipped value loss as in rsl_rl). {@link addEntropyGradient}
 *  adds the gradient of the entropy.
 *  @param total rows of the whole minibatch, over which the mean is taken
 *  @param out `means` and `values` are overwritten; gradients are added to `std`  @returns sums over these rows */
export function ppoLoss(
  batch: LossRows,
  { means, std, values }: NetworkOutputs,
  config: PpoConfig,
  total: number,
  out: LossGradients,
): LossSums {
  const { rows, actionDim: dim, actions, oldMeans, oldStd, advantages, returns, oldValues, oldLogProb } = batch;
  const { clip_param: clip, value_loss_coef: valueWeight, use_clipped_value_loss: clipsValue } = config;
  const sums: LossSums = { surrogate: 0, value: 0, kl: 0 };
  const normaliser = logNormaliser(std);
  let logStdRatios = 0;
  for (let j = 0; j < dim; j++) logStdRatios += Math.log(std[j]! / oldStd[j]!);
  for (let row = 0; row < rows; row++) {
    const at = row * dim;
    const advantage = advantages[row]!;
    const ratio = Math.exp(logProbability(actions, means, std, normaliser, at) - oldLogProb[row]!);
    const bounded = Math.min(1 + clip, Math.max(1 - clip, ratio));
    const plain = -advantage * ratio;
    const clipped = -advantage * bounded;
    sums.surrogate += Math.max(plain, clipped);
    // Outside of the clipping range the clipped branch is larger, and its gradient is 0.
    const toLogProb = plain >= clipped ? (-advantage * ratio) / total : 0;

    let divergence = logStdRatios - 0.5 * dim;
    for (let j = 0; j < dim; j++) {
      const sigma = std[j]!;
      const variance = sigma * sigma;
      const off = actions[at + j]! - means[at + j]!;
      out.means[at + j] = (toLogProb * off) / variance;
      out.std[j]! += toLogProb * ((off * off) / (variance * sigma) - 1 / sigma);
      const moved = oldMeans[at + j]! - means[at + j]!;
      divergence += (oldStd[j]! * oldStd[j]! + moved * moved) / (2 * variance);
    }
    sums.kl += divergence;

    const value = values[row]!;
    const error = value - returns[row]!;
    let squared = error * error;
    let slope = 2 * error;
    if (clipsValue) {
      const change = value - oldValues[row]!;
      const kept = oldValues[row]! + Math.min(clip, Math.max(-clip, change)) - returns[row]!;
      if (kept * kept > squared) {
        squared = kept * kept;
        slope = Math.abs(change) < clip ? 2 * kept : 0;
      }
    }
    sums.value += squared;
    out.values[row] = (valueWeight * slope) / total;
  }
  return sums;
}

/** Adds the gradient of −`weight` · entropy: −`weight` / σ. */
export function addEntropyGradient(out: Float32Array, std: Float32Array, weight: number): void {
  for (let j = 0; j < std.length; j++) out[j]! -= weight / std[j]!;
}

/** Returns the learning rate of the actor for the next iteration. It changes by at most a third per iteration, toward
 *  the rate at which the policy would have changed by the desired divergence. rsl_rl adapts the rate after each
 *  minibatch instead: with small batches the rate then varies by a factor of 100 within an iteration, and a few
 *  minibatches determine the whole step. @param kl mean divergence over the minibatches of the iteration */
export function adaptedRate(rate: number, kl: number, config: PpoConfig): number {
  if (config.schedule === 'fixed' || !(kl > 0)) return rate;
  const factor = Math.min(1.3, Math.max(1 / 1.5, Math.sqrt(config.desired_kl / kl)));
  return Math.min(MAX_RATE, Math.max(MIN_RATE, rate * factor));
}

import type { Environments } from '../../mdp/environments.ts';
import { EVALUATED } from '../evaluation-interval.ts';
import { mayFold, parametersOf, type TrainingSize } from './training-bytes.ts';

/** Minimum wall time and number of batches of the measurement. One batch is a step of all environments. */
const MEASURED = { ms: 250, batches: 15 } as const;
/** Number of environment steps before the measurement, and maximum wall time for them, ms. Code is still being compiled
 *  then: the first 800 steps of a G1 take 1.9 times as long as later ones. */
const WARM_UP = { steps: 1600, ms: 700 } as const;
/** Floating-point operations per second of the kernels in one thread, with the minibatches of a training. */
const FLOPS = 3e10;
/** Floating-point operations per parameter and row: forward and backward pass in each epoch, and the forward pass of
 *  the rollout. */
const LEARNING_OPERATIONS = 6;
const ROLLOUT_OPERATIONS = 2;
/** Time of learning with the folded passes of symmetric networks, which need half of the multiplications, as a share of
 *  the time with the usual ones. Measured: 0.62 with wide networks, 0.72 with the default ones. */
const FOLDED = 0.68;

/** Measures the time of an environment step with zero actions in this thread, s: the median of many batches, because a
 *  busy machine can interrupt one of them for longer than all others take. Blocks the thread for about a second. */
export function measureStep(envs: Environments): number {
  const actions = new Float32Array(envs.n * envs.actionDim);
  envs.reset();
  const warmUntil = performance.now() + WARM_UP.ms;
  for (let k = 0; k < WARM_UP.steps && performance.now() < warmUntil; k += envs.n) envs.step(actions);
  const began = performance.now();
  const batches: number[] = [];
  let last = began;
  while (last - began < MEASURED.ms || batches.length < MEASURED.batches) {
    envs.step(actions);
    const now = performance.now();
    batches.push(now - last);
    last = now;
  }
  batches.sort((a, b) => a - b);
  return batches[batches.length >> 1]! / 1e3 / envs.n;
}

/** Estimates the time of a training per environment step in all threads together, s: physics, learning, evaluations.
 *  @param stepS from {@link measureStep} */
export function trainingStepS(stepS: number, size: TrainingSize): number {
  const { agent, threads } = size;
  const operations = LEARNING_OPERATIONS * agent.algorithm.num_learning_epochs + ROLLOUT_OPERATIONS;
  const learningS = (parametersOf(size) * operations * (mayFold(agent) ? FOLDED : 1)) / FLOPS;
  return ((stepS + learningS) * (1 + EVALUATED)) / threads;
}

import type { Environments } from '../../mdp/environments.ts';

/** Wall time of the measurement, ms. */
const MEASURED_MS = 250;
/** Number of environment steps before the measurement, and maximum wall time for them, ms. Code is still being compiled
 *  then: the first 800 steps of a G1 take 1.9 times as long as later ones. */
const WARM_UP = { steps: 1600, ms: 700 } as const;
/** Floating-point operations per second of the kernels in one thread, with the minibatches of a training. */
const FLOPS = 2e10;
/** Floating-point operations per parameter and row: forward and backward pass in each epoch, and the forward pass of
 *  the rollout. */
const LEARNING_OPERATIONS = 6;
const ROLLOUT_OPERATIONS = 2;
/** Time of evaluations as a share of the training time, see `evaluationInterval`. */
const EVALUATIONS = 0.15;

/** Measures the time of an environment step with zero actions in this thread, s. Blocks it for about a second. */
export function measureStep(envs: Environments): number {
  const actions = new Float32Array(envs.n * envs.actionDim);
  envs.reset();
  const warmUntil = performance.now() + WARM_UP.ms;
  for (let k = 0; k < WARM_UP.steps && performance.now() < warmUntil; k += envs.n) envs.step(actions);
  const began = performance.now();
  let steps = 0;
  do {
    envs.step(actions);
    steps += envs.n;
  } while (performance.now() - began < MEASURED_MS);
  return (performance.now() - began) / 1e3 / steps;
}

/** Estimates the time of a training per environment step in all threads together, s: physics, learning, evaluations.
 *  @param stepS from {@link measureStep}  @param parameters of both networks */
export function trainingStepS(stepS: number, parameters: number, epochs: number, threads: number): number {
  const learningS = (parameters * (LEARNING_OPERATIONS * epochs + ROLLOUT_OPERATIONS)) / FLOPS;
  return ((stepS + learningS) * (1 + EVALUATIONS)) / threads;
}

import type { AgentConfig } from '../../mdp/task-config.ts';

const FLOAT = 4;
/** A thread with MuJoCo, kernels and code loaded: measured with sessions, rounded up. */
const THREAD_BYTES = 140 * 2 ** 20;
/** The process itself. */
const PROCESS_BYTES = 120 * 2 ** 20;
/** Weights, both moments of Adam, gradients, their sum over threads. */
const COPIES = 5;
/** Of a checkpoint: weights and both moments. */
const SAVED_COPIES = 3;
/** Names, shapes and normalisers of a checkpoint. */
const CHECKPOINT_HEAD = 64 * 1024;
/** Rows of a rollout keep actions, their means, values, returns and the like beside what the networks see. */
const VALUES_A_ROW = 8;

export interface TrainingSize {
  readonly agent: AgentConfig;
  readonly actorDim: number;
  readonly criticDim: number;
  readonly actions: number;
  readonly numEnvs: number;
  /** of one environment */
  readonly envBytes: number;
  readonly threads: number;
  readonly libraryBytes: number;
}

/** Numbers that a training learns. */
export function parametersOf({ agent, actorDim, criticDim, actions }: Omit<TrainingSize, 'envBytes'>): number {
  const network = (inputs: number, hidden: readonly number[], outputs: number) =>
    [...hidden, outputs].reduce(({ sum, before }, width) => ({ sum: sum + (before + 1) * width, before: width }), {
      sum: 0,
      before: inputs,
    }).sum;
  return (
    network(actorDim, agent.actor.hidden_dims, actions) + actions + network(criticDim, agent.critic.hidden_dims, 1)
  );
}

/** Memory that the built-in trainer takes, about: its threads with their copies of the networks, environments, what they
 *  did in an iteration as seen and as normalised, minibatches with what lies between layers, and the library. */
export function trainingBytes(size: TrainingSize): number {
  const { agent, actorDim, criticDim, actions, numEnvs, envBytes, threads, libraryBytes } = size;
  const rows = numEnvs * agent.num_steps_per_env;
  const rollout = FLOAT * rows * (2 * (actorDim + criticDim) + 2 * actions + VALUES_A_ROW);
  const layers = [...agent.actor.hidden_dims, ...agent.critic.hidden_dims].reduce((sum, width) => sum + width, 0);
  const batch = (FLOAT * rows * (actorDim + criticDim + 3 * layers)) / agent.algorithm.num_mini_batches;
  const networks = threads * FLOAT * COPIES * parametersOf(size);
  return PROCESS_BYTES + threads * THREAD_BYTES + networks + numEnvs * envBytes + rollout + batch + libraryBytes;
}

/** Bytes of one checkpoint. */
export function checkpointBytes(size: Omit<TrainingSize, 'envBytes'>): number {
  return CHECKPOINT_HEAD + FLOAT * SAVED_COPIES * parametersOf(size);
}

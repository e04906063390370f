import type { AgentConfig } from '../../mdp/task-config.ts';
import { TrainableNetwork } from '../../policy/training/trainable-network.ts';
import { FORWARD_ROWS } from '../create-training.ts';
import { SymmetricPasses } from '../symmetry/symmetric-passes.ts';

const FLOAT = 4;
/** Memory of a thread with MuJoCo, kernels and code, bytes. Measured in play sessions and rounded up. */
const THREAD_BYTES = 140 * 2 ** 20;
/** Bytes of the process without its threads. */
const PROCESS_BYTES = 120 * 2 ** 20;
/** Number of arrays per thread with the size of the parameters: weights, both moments of Adam, gradients, their sum
 *  over threads and the part of this thread, the weights packed for both passes, pairs of symmetric parameters, their
 *  folded weights and gradients, the mean of the policies, and three candidates for the best checkpoint with weights
 *  and both moments each. */
const COPIES = 21;
/** Number of such arrays of a training that copies networks of another run: the checkpoint, the new networks and the
 *  trained copies, with weights and both moments each. */
const START_COPIES = 9;
/** Number of arrays in a checkpoint with the size of the parameters: weights and both moments. */
const SAVED_COPIES = 3;
/** Bytes of names, shapes and normalisers of a checkpoint. */
const CHECKPOINT_HEAD = 64 * 1024;
/** Number of values per row of a rollout, in addition to observations and actions: log-probability, value, return and
 *  others. */
const VALUES_A_ROW = 8;
/** Number of arrays with the size of the actions in a minibatch: actions, old and new means, labels, gradients. */
const ACTIONS_A_BATCH = 5;
/** Number of values per row of a minibatch, in addition to observations, actions and the networks' own. */
const VALUES_A_BATCH_ROW = 6;

/** The sizes on which the memory and the speed of a training depend. */
export interface TrainingSize {
  readonly agent: AgentConfig;
  readonly actorDim: number;
  readonly criticDim: number;
  readonly actions: number;
  readonly numEnvs: number;
  /** memory of one environment, bytes */
  readonly envBytes: number;
  readonly threads: number;
  readonly libraryBytes: number;
  /** whether it begins with networks of another run */
  readonly copies?: boolean;
}

/** Returns whether the passes of the networks are folded, if the robot is symmetric. */
export function mayFold({ actor, critic, algorithm }: AgentConfig): boolean {
  return algorithm.symmetry === true && SymmetricPasses.canFold([...actor.hidden_dims, ...critic.hidden_dims]);
}

/** Returns the number of trainable parameters of both networks. */
export function parametersOf({
  agent,
  actorDim,
  criticDim,
  actions,
}: Pick<TrainingSize, 'agent' | 'actorDim' | 'criticDim' | 'actions'>): number {
  const network = (inputs: number, hidden: readonly number[], outputs: number) =>
    [...hidden, outputs].reduce(({ sum, before }, width) => ({ sum: sum + (before + 1) * width, before: width }), {
      sum: 0,
      before: inputs,
    }).sum;
  return (
    network(actorDim, agent.actor.hidden_dims, actions) + actions + network(criticDim, agent.critic.hidden_dims, 1)
  );
}

/** Estimates the memory of the built-in trainer, bytes: threads with their copies of the networks, environments,
 *  rollouts (raw and normalised), minibatches with the activations of the layers, and the motion library. */
export function trainingBytes(size: TrainingSize): number {
  const { agent, actorDim, criticDim, actions, numEnvs, envBytes, threads, libraryBytes } = size;
  const rows = numEnvs * agent.num_steps_per_env;
  const rollout = FLOAT * rows * (2 * (actorDim + criticDim) + 2 * actions + VALUES_A_ROW);
  const batchRows = Math.max(rows / agent.algorithm.num_mini_batches, threads * FORWARD_ROWS);
  const passes = mayFold(agent) ? [TrainableNetwork, SymmetricPasses] : [TrainableNetwork];
  const ofNetworks = passes.reduce(
    (sum, { floatsPerRow }) =>
      sum +
      floatsPerRow({ ...agent.actor, sizes: [actorDim, ...agent.actor.hidden_dims, actions] }) +
      floatsPerRow({ ...agent.critic, sizes: [criticDim, ...agent.critic.hidden_dims, 1] }),
    0,
  );
  const batch =
    FLOAT * batchRows * (actorDim + criticDim + ACTIONS_A_BATCH * actions + VALUES_A_BATCH_ROW + ofNetworks);
  const networks = threads * FLOAT * (COPIES + (size.copies ? START_COPIES : 0)) * parametersOf(size);
  return PROCESS_BYTES + threads * THREAD_BYTES + networks + numEnvs * envBytes + rollout + batch + libraryBytes;
}

/** Returns the size of one checkpoint, bytes. */
export function checkpointBytes(size: Omit<TrainingSize, 'envBytes'>): number {
  return CHECKPOINT_HEAD + FLOAT * SAVED_COPIES * parametersOf(size);
}

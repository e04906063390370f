import type { DenseLayer } from '../../policy/policy.ts';
import type { TrainableNetwork } from '../../policy/training/trainable-network.ts';
import type { Checkpoint, NetworkMoments, NetworkState } from '../../runs/checkpoint/write-checkpoint.ts';
import type { ActorCritic } from './actor-critic.ts';
import type { ActorParameters } from './averaged-actor.ts';
import type { RunningNormalizer } from './running-normalizer.ts';

/** Progress of a training that is saved beside its networks. */
export interface TrainingState {
  readonly iteration: number;
  readonly envSteps: number;
  readonly learningRate: number;
}

/** Copies networks, normalisers and optimiser state into a checkpoint.
 *  @param parameters of the actor in the checkpoint; default: those of the networks */
export function takeSnapshot(
  networks: ActorCritic,
  state: TrainingState,
  parameters: ActorParameters = networks.actor,
): Checkpoint {
  const { actor, critic, actorNormalizer, criticNormalizer } = networks;
  return {
    iteration: state.iteration,
    envSteps: state.envSteps,
    actor: { ...networkState(parameters, actorNormalizer), std: parameters.std.slice() },
    critic: { ...networkState(critic, criticNormalizer), std: null },
    optimizer: {
      steps: actor.steps,
      learningRate: state.learningRate,
      actor: { ...moments(actor), std: [actor.stdMoments[0].slice(), actor.stdMoments[1].slice()] },
      critic: { ...moments(critic), std: null },
    },
  };
}

/** Restores networks, normalisers and optimiser state. @throws RangeError for a checkpoint of another shape, or if only
 *  one of checkpoint and task normalises observations */
export function restoreSnapshot(networks: ActorCritic, snapshot: Checkpoint): void {
  const { actor, critic, actorNormalizer, criticNormalizer } = networks;
  restoreNetwork(actor, actorNormalizer, snapshot.actor, snapshot.optimizer.actor, snapshot.optimizer.steps);
  restoreNetwork(critic, criticNormalizer, snapshot.critic, snapshot.optimizer.critic, snapshot.optimizer.steps);
  const { std } = snapshot.actor;
  if (!std) return;
  if (std.length !== actor.std.length)
    throw new RangeError(
      `the checkpoint has ${std.length} standard deviations, the task has ${actor.std.length} actions`,
    );
  actor.std.set(std);
}

function networkState(
  network: Pick<ActorParameters, 'layers'>,
  normalizer: RunningNormalizer | null,
): Omit<NetworkState, 'std'> {
  const layers = network.layers();
  if (!normalizer) return { layers, normalizer: null };
  const { mean, variance, count } = normalizer;
  return { layers, normalizer: { mean: mean.slice(), variance: variance.slice(), count } };
}

function moments(network: TrainableNetwork): Pick<NetworkMoments, 'layers'> {
  const [first, second] = network.moments;
  return { layers: [network.layers(first), network.layers(second)] };
}

function restoreNetwork(
  network: TrainableNetwork,
  normalizer: RunningNormalizer | null,
  state: NetworkState,
  { layers, std }: NetworkMoments,
  steps: number,
): void {
  const own = network.layers();
  checkShapes(own, state.layers);
  network.load(state.layers);
  network.steps = steps;
  for (const k of [0, 1] as const) {
    checkShapes(own, layers[k]);
    network.restore(network.moments[k], layers[k]);
    if (std) network.stdMoments[k].set(std[k]);
  }
  if (!state.normalizer && !normalizer) return;
  const sizes = [state.normalizer?.mean.length ?? 0, normalizer?.dim ?? 0];
  if (!state.normalizer || !normalizer || sizes[0] !== sizes[1])
    throw new RangeError(`the checkpoint's normaliser has ${sizes[0]} values, the task's has ${sizes[1]}`);
  normalizer.mean.set(state.normalizer.mean);
  normalizer.variance.set(state.normalizer.variance);
  normalizer.count = state.normalizer.count;
}

function checkShapes(own: readonly DenseLayer[], given: readonly DenseLayer[]): void {
  const shape = (layers: readonly DenseLayer[]) =>
    [layers[0]?.inputs, ...layers.map(({ outputs }) => outputs)].join('-');
  if (shape(own) !== shape(given))
    throw new RangeError(`the checkpoint's network is ${shape(given)}, the task's is ${shape(own)}`);
}

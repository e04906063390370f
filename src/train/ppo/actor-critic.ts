import { EnvRandom } from '../../mdp/random/env-random.ts';
import type { AgentConfig } from '../../mdp/task-config.ts';
import type { DenseLayer, PolicyWeights } from '../../policy/policy.ts';
import { TrainableNetwork } from '../../policy/training/trainable-network.ts';
import type { ActorParameters } from './averaged-actor.ts';
import { RunningNormalizer } from './running-normalizer.ts';

/** Number of the random stream for the initial weights; environments use other numbers. */
const PURPOSE = 101;

/** The networks of PPO: the actor computes the mean of the actions and has one standard deviation per action; the
 *  critic computes the value of a state. Each network has its own observation normaliser, or null if the task does not
 *  normalise its observations. */
export interface ActorCritic {
  readonly actor: TrainableNetwork;
  readonly critic: TrainableNetwork;
  readonly actorNormalizer: RunningNormalizer | null;
  readonly criticNormalizer: RunningNormalizer | null;
}

export interface ActorCriticOptions {
  readonly agent: AgentConfig;
  /** values of an actor and a critic observation */
  readonly actorDim: number;
  readonly criticDim: number;
  readonly actionDim: number;
  /** largest number of rows in one call */
  readonly maxRows: number;
  readonly seed: number;
}

/** Creates the networks with the initial weights of torch's Linear: weights and biases uniform in ±1/√inputs. The
 *  actor's last layer is multiplied by `last_layer_scale`, so that the first actions are small. Deterministic for a
 *  seed. */
export function createActorCritic(options: ActorCriticOptions): ActorCritic {
  const { agent, actorDim, criticDim, actionDim, maxRows, seed } = options;
  const random = new EnvRandom(1, { first: 0, stride: 1, seed, purpose: PURPOSE });
  const make = (
    sizes: readonly number[],
    activation: AgentConfig['actor']['activation'],
    scale: number,
    stdDim: number,
  ) => {
    const network = new TrainableNetwork({ sizes, activation, maxRows, stdDim });
    network.load(
      sizes.slice(1).map((outputs, k): DenseLayer => {
        const inputs = sizes[k]!;
        const bound = (k === sizes.length - 2 ? scale : 1) / Math.sqrt(inputs);
        const draw = (length: number) => Float32Array.from({ length }, () => random.uniform(0, -bound, bound));
        return { inputs, outputs, weight: draw(inputs * outputs), bias: draw(outputs) };
      }),
    );
    return network;
  };
  const { actor, critic } = agent;
  const actorNetwork = make(
    [actorDim, ...actor.hidden_dims, actionDim],
    actor.activation,
    actor.last_layer_scale,
    actionDim,
  );
  actorNetwork.std.fill(actor.init_std);
  return {
    actor: actorNetwork,
    critic: make([criticDim, ...critic.hidden_dims, 1], critic.activation, 1, 0),
    actorNormalizer: actor.obs_normalization ? new RunningNormalizer(actorDim) : null,
    criticNormalizer: critic.obs_normalization ? new RunningNormalizer(criticDim) : null,
  };
}

/** Returns an actor as a policy without noise, whose actions are the means, for play and evaluation.
 *  @param actor parameters of the policy; default: the actor of the networks */
export function policyOf(
  networks: ActorCritic,
  { actor: config }: AgentConfig,
  actor: Pick<ActorParameters, 'layers'> = networks.actor,
): PolicyWeights {
  const { actorNormalizer } = networks;
  return {
    normalizer: actorNormalizer && {
      mean: Float32Array.from(actorNormalizer.mean),
      std: Float32Array.from(actorNormalizer.variance, Math.sqrt),
      epsilon: RunningNormalizer.EPSILON,
    },
    layers: actor.layers(),
    activation: config.activation,
  };
}

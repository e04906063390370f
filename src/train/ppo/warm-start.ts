import type { AgentConfig } from '../../mdp/task-config.ts';
import type { DenseLayer } from '../../policy/policy.ts';
import type { Checkpoint, NetworkMoments, NetworkState } from '../../runs/checkpoint/write-checkpoint.ts';

/** Number of observations that the copied normalisers represent. The moments of the new motion outweigh them after
 *  about thirty iterations. With the full count of a long training they would hardly change. */
const NORMALIZER_COUNT = 100_000;
/** Every action starts with at least this share of the task's initial standard deviation. A trained policy has a
 *  smaller one, because the entropy bonus ends late in a training. */
const EXPLORATION = 0.75;
/** Learning rate of the first minibatches. It is small because Adam has no moments yet, and the critic's values belong
 *  to another motion. The adaptive schedule raises it within a few iterations if the steps are too small. */
const LEARNING_RATE = 1e-4;

/** Returns the checkpoint with which a training starts from the networks of another run. Networks and normalisers are
 *  copied; iteration, environment steps and Adam's moments are 0. */
export function warmStart({ actor, critic }: Checkpoint, { actor: config }: AgentConfig): Checkpoint {
  const least = EXPLORATION * config.init_std;
  return {
    iteration: 0,
    envSteps: 0,
    actor: { ...lighter(actor), std: actor.std?.map((std) => Math.max(least, std)) ?? null },
    critic: lighter(critic),
    optimizer: {
      steps: 0,
      learningRate: LEARNING_RATE,
      actor: {
        ...noMoments(actor),
        std: actor.std && [new Float32Array(actor.std.length), new Float32Array(actor.std.length)],
      },
      critic: { ...noMoments(critic), std: null },
    },
  };
}

function lighter(state: NetworkState): NetworkState {
  const { normalizer } = state;
  return {
    ...state,
    normalizer: normalizer && { ...normalizer, count: Math.min(NORMALIZER_COUNT, normalizer.count) },
  };
}

function noMoments({ layers }: NetworkState): Pick<NetworkMoments, 'layers'> {
  const zeros = () =>
    layers.map(
      ({ inputs, outputs, weight, bias }): DenseLayer => ({
        inputs,
        outputs,
        weight: new Float32Array(weight.length),
        bias: new Float32Array(bias.length),
      }),
    );
  return { layers: [zeros(), zeros()] };
}

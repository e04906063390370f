import { checkWeights } from '../check-weights.ts';
import type { Activation, PolicyWeights } from '../policy.ts';
import type { Checkpoint } from './read-checkpoint.ts';

/** ε that is added to the standard deviations before the division, as in rsl_rl. */
export const NORMALIZER_EPSILON = 0.01;

/** Converts the actor of a checkpoint to a policy that computes mean actions. @param activation from `agent.yaml`; the
 *  checkpoint does not contain it  @throws StudioError bad_input for weights that do not fit together */
export function checkpointPolicy({ actor }: Checkpoint, activation: Activation): PolicyWeights {
  const { layers, normalizer } = actor;
  const weights: PolicyWeights = {
    layers,
    activation,
    normalizer: normalizer && { mean: normalizer.mean, std: normalizer.std, epsilon: NORMALIZER_EPSILON },
  };
  checkWeights(weights);
  return weights;
}

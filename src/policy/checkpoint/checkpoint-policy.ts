import { checkWeights } from '../check-weights.ts';
import type { Activation, PolicyWeights } from '../policy.ts';
import type { Checkpoint } from './read-checkpoint.ts';

/** What rsl_rl adds to standard deviations before it divides by them. */
export const NORMALIZER_EPSILON = 0.01;

/** The actor of a checkpoint as a policy: mean actions. @param activation as its `agent.yaml` has it: the file itself
 *  does not say  @throws bad_input for weights that do not fit together */
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

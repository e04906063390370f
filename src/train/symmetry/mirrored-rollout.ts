import type { AgentConfig } from '../../mdp/task-config.ts';
import type { ActorCritic } from '../ppo/actor-critic.ts';
import { logNormaliser, logProbability } from '../ppo/ppo-loss.ts';
import { normalise, type Rollout } from '../ppo/rollout.ts';
import { mirrorValues, type Symmetry } from './signed-permutation.ts';

/** The mirror images of a rollout's rows, from which a policy learns as from its own experience: what is good on the
 *  left is good on the right (data augmentation by symmetry, Mittal et al. 2024).
 *
 *  A mirrored action was not drawn by the policy in the mirrored state. Its probability ratio is therefore relative to
 *  the policy before the update, so that an update begins at a ratio of 1. And its advantage counts less if it is
 *  negative and the policy would not have taken the action: pushing the policy further away from it teaches nothing and
 *  makes the training diverge. A positive advantage counts fully, because it pulls the policy to a symmetric action. */
export class MirroredRollout {
  readonly symmetry: Symmetry;
  /** (rows, dim) normalised observations */
  readonly actorInput: Float32Array;
  readonly criticInput: Float32Array;
  /** (rows, A) */
  readonly actions: Float32Array;
  readonly means: Float32Array;
  /** (rows) */
  readonly logProb: Float32Array;
  readonly values: Float32Array;
  readonly advantages: Float32Array;
  /** (rows, A) actions to imitate, where the rollout has labels */
  readonly labels: Float32Array;
  readonly #agent: AgentConfig;
  readonly #maxRows: number;

  /** @param maxRows rows that a network computes at once */
  constructor(rollout: Rollout, symmetry: Symmetry, agent: AgentConfig, maxRows: number) {
    const like = (values: Float32Array) => new Float32Array(values.length);
    this.actorInput = like(rollout.actorInput);
    this.criticInput = like(rollout.criticInput);
    this.actions = like(rollout.actions);
    this.means = like(rollout.means);
    this.labels = like(rollout.actions);
    this.logProb = like(rollout.logProb);
    this.values = like(rollout.values);
    this.advantages = like(rollout.advantages);
    this.symmetry = symmetry;
    this.#agent = agent;
    this.#maxRows = maxRows;
  }

  /** Mirrors a rollout. Call it before the networks learn from the rollout, and after its advantages were normalised. */
  fill(rollout: Rollout, { actor, critic, actorNormalizer, criticNormalizer }: ActorCritic): void {
    const { actorInput, criticInput, actions, means, values, advantages, logProb } = this;
    const { actor: actorMirror, critic: criticMirror, action } = this.symmetry;
    const { actor: actorConfig, critic: criticConfig } = this.#agent;
    mirrorValues(rollout.actorObs, actorMirror, actorInput);
    mirrorValues(rollout.criticObs, criticMirror, criticInput);
    mirrorValues(rollout.actions, action, actions);
    if (rollout.labels) mirrorValues(rollout.labels.actions, action, this.labels);
    normalise(actorConfig.obs_normalization ? actorNormalizer : null, actorInput, actorInput);
    normalise(criticConfig.obs_normalization ? criticNormalizer : null, criticInput, criticInput);
    const { rows, std } = rollout;
    const part = <T extends Float32Array>(array: T, from: number, to: number) => {
      const dim = array.length / rows;
      return array.subarray(from * dim, to * dim);
    };
    for (let from = 0; from < rows; from += this.#maxRows) {
      const to = Math.min(rows, from + this.#maxRows);
      actor.forward(part(actorInput, from, to), part(means, from, to), to - from);
      critic.forward(part(criticInput, from, to), part(values, from, to), to - from);
    }
    const normaliser = logNormaliser(std);
    for (let row = 0; row < rows; row++) {
      logProb[row] = logProbability(actions, means, std, normaliser, row * std.length);
      const advantage = rollout.advantages[row]!;
      const taken = Math.min(1, Math.exp(logProb[row]! - rollout.logProb[row]!));
      advantages[row] = advantage > 0 ? advantage : taken * advantage;
    }
  }
}

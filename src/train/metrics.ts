import type { AdaptiveSampling } from '../mdp/command/adaptive-sampling.ts';
import type { Evaluation } from './evaluate.ts';
import type { Losses } from './ppo/learner.ts';

/** Metrics of one iteration by tag, in the order in which event files and the console show them. */
export type Metrics = Map<string, number>;

/** Adds the losses of an iteration and the mean standard deviation of the policy. @param std (A) */
export function addLosses(metrics: Metrics, losses: Losses, std: Float32Array): void {
  metrics.set('Loss/value', losses.value);
  metrics.set('Loss/surrogate', losses.surrogate);
  metrics.set('Loss/entropy', losses.entropy);
  metrics.set('Loss/learning_rate', losses.learningRate);
  metrics.set('Loss/kl', losses.kl);
  metrics.set('Policy/mean_std', std.reduce((sum, value) => sum + value, 0) / std.length);
}

/** Adds metrics that show how evenly the starts of episodes are distributed. */
export function addSampling(metrics: Metrics, sampling: AdaptiveSampling): void {
  const { entropy, topProbability, topBin } = sampling.metrics();
  metrics.set('Metrics/motion/sampling_entropy', entropy);
  metrics.set('Metrics/motion/sampling_top1_prob', topProbability);
  metrics.set('Metrics/motion/sampling_top1_bin', topBin);
}

/** Adds the results of an evaluation and, for comparison, those of a policy whose action is always zero. */
export function addEvaluation(metrics: Metrics, evaluation: Evaluation, baseline: Evaluation): void {
  metrics.set('Eval/mean_episode_length', evaluation.meanLength);
  metrics.set('Eval/full_episodes', evaluation.full);
  metrics.set('Eval/tracking', evaluation.tracking);
  metrics.set('Eval/error_body_pos', evaluation.bodyError);
  metrics.set('Eval/error_joint_pos', evaluation.jointError);
  metrics.set('Eval/zero_action_mean_episode_length', baseline.meanLength);
  metrics.set('Eval/zero_action_full_episodes', baseline.full);
  metrics.set('Eval/zero_action_tracking', baseline.tracking);
  metrics.set('Eval/zero_action_error_body_pos', baseline.bodyError);
  metrics.set('Eval/zero_action_error_joint_pos', baseline.jointError);
}

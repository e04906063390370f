import { badInput } from '../../core/errors.ts';
import type { RewardValues } from '../managers/reward-values.ts';
import type { ReferenceStateInitConfig } from '../task-config.ts';
import type { ComputeReward, TermContext, TermLibrary } from '../term.ts';
import type { AdaptiveSampling } from './adaptive-sampling.ts';
import type { MotionCommand } from './motion-command.ts';

/** Reward whose kernel a similarity uses, by the similarity's name in a task. */
const SIMILARITIES: Readonly<Record<string, string>> = {
  joint_pos: 'motion_joint_pos',
  joint_vel: 'motion_joint_vel',
  anchor_pos: 'motion_global_root_pos',
  anchor_ori: 'motion_global_root_ori',
  body_pos: 'motion_body_pos',
  body_ori: 'motion_body_ori',
  body_lin_vel: 'motion_body_lin_vel',
  body_ang_vel: 'motion_body_ang_vel',
};
/** Prefix of the rewards that are kernels of a tracking error. */
const TRACKING = 'motion_';

type Rewards = Pick<RewardValues, 'names' | 'weights' | 'lastReward'>;

/** Measures the failure of each episode and records it for the bin in which the episode started. With starts
 *  before failures, it records whether and at which frame the episode failed.
 *
 *  The failure is 1 − Σ s / d over the steps of the episode. The similarity s is the weighted mean of the tracking
 *  rewards or of separate kernels. d is the number of steps that the episode had or could have had. With the strategy
 *  `binary_failure`, the failure is 1 for a failed episode, otherwise 0. Source: rsi of wbc_mjlab's motion command;
 *  here, steps are counted for both strategies. */
export class FailureTracker {
  readonly #config: ReferenceStateInitConfig;
  readonly #context: TermContext;
  readonly #command: MotionCommand;
  readonly #sampling: AdaptiveSampling;
  readonly #rewards: Rewards;
  readonly #tracking: readonly number[];
  readonly #kernels: { readonly weight: number; readonly compute: ComputeReward }[] = [];
  readonly #kernelWeight: number;
  /** (n) sum of similarities and number of steps since the start of the episode */
  readonly #sum: Float64Array;
  readonly #steps: Int32Array;

  /** @throws StudioError bad_input for an unknown similarity term */
  constructor(
    config: ReferenceStateInitConfig,
    library: TermLibrary['rewards'],
    context: TermContext,
    parts: { readonly command: MotionCommand; readonly sampling: AdaptiveSampling; readonly rewards: Rewards },
  ) {
    this.#config = config;
    this.#context = context;
    this.#command = parts.command;
    this.#sampling = parts.sampling;
    this.#rewards = parts.rewards;
    this.#tracking = parts.rewards.names.flatMap((name, k) => (name.startsWith(TRACKING) ? [k] : []));
    this.#sum = new Float64Array(context.state.n);
    this.#steps = new Int32Array(context.state.n);
    if (!config.similarity_from_rewards)
      for (const [name, { weight, std }] of Object.entries(config.similarity_terms)) {
        const reward = Object.hasOwn(SIMILARITIES, name) ? library[SIMILARITIES[name]!] : undefined;
        if (!reward)
          throw badInput(
            `commands.motion.rsi.similarity_terms: unknown similarity "${name}", expected one of ${Object.keys(SIMILARITIES).join(', ')}`,
          );
        this.#kernels.push({ weight, compute: reward.make(context, { std }) });
      }
    this.#kernelWeight = this.#kernels.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** Adds a step. Call it after the rewards are computed. @param valid false: the state has diverged, so it is not
   *  similar to the reference at all */
  step(env: number, valid: boolean): void {
    this.#steps[env] = this.#steps[env]! + 1;
    if (this.#config.strategy === 'binary_failure' || !valid) return;
    const similarity = this.#config.similarity_from_rewards ? this.#ofRewards(env) : this.#ofKernels(env);
    this.#sum[env] = this.#sum[env]! + Math.max(0, Math.min(1, similarity));
  }

  /** Records an episode after it ended, or after its clip ended. Call it before the next start is sampled.
   *  @param failed whether a termination ended the episode */
  finish(env: number, failed: boolean): void {
    const bin = this.#command.startBin[env]!;
    const steps = this.#steps[env]!;
    if (bin >= 0 && steps > 0) {
      const { clip, frame } = this.#context.state;
      if (this.#sampling.settings.before_failures)
        this.#sampling.recordEnd(bin, { clip: clip[env]!, frame: frame[env]!, failed });
      else this.#sampling.record(bin, this.#failure(env, steps, failed));
    }
    this.forget(env);
  }

  /** Discards the current episode without recording it. */
  forget(env: number): void {
    this.#sum[env] = 0;
    this.#steps[env] = 0;
  }

  #failure(env: number, steps: number, failed: boolean): number {
    if (this.#config.strategy === 'binary_failure') return failed ? 1 : 0;
    const { similarity_norm_by_remaining_clip: byRest } = this.#config;
    const possible = byRest ? Math.min(this.#command.possibleSteps(env), this.#context.maxEpisodeSteps) : steps;
    return 1 - Math.max(0, Math.min(1, this.#sum[env]! / Math.max(1, possible)));
  }

  #ofRewards(env: number): number {
    let sum = 0;
    let weights = 0;
    for (let k = 0; k < this.#tracking.length; k++) {
      const reward = this.#tracking[k]!;
      weights += this.#rewards.weights[reward]!;
      sum += this.#rewards.lastReward(this.#rewards.names[reward]!, env);
    }
    return weights > 0 ? sum / weights : 0;
  }

  #ofKernels(env: number): number {
    let sum = 0;
    for (let k = 0; k < this.#kernels.length; k++) sum += this.#kernels[k]!.weight * this.#kernels[k]!.compute(env);
    return this.#kernelWeight > 0 ? sum / this.#kernelWeight : 0;
  }
}

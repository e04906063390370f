import type { Environments } from '../mdp/environments.ts';
import { bounded, jointRmse, keybodyError } from '../mdp/tracking-errors.ts';
import type { Metrics } from './metrics.ts';
import type { WorkerGroup } from './ppo/worker-group.ts';

/** Number of episodes in the running means, over all threads. */
const WINDOW = 100;

/** Computes the episode metrics of rsl_rl over the environments of one thread: means of the last 100 episodes, sums of
 *  each reward per second of a full episode, ends by cause, tracking errors at the end of episodes. */
export class EpisodeStatistics {
  readonly #envs: Environments;
  readonly #group: WorkerGroup;
  readonly #keybodies: readonly number[];
  readonly #episodeS: number;
  /** (n), (n) and (n, R): sums of the current episodes */
  readonly #reward: Float64Array;
  readonly #length: Int32Array;
  readonly #terms: Float64Array;
  readonly #window: number;
  readonly #recent: { readonly reward: number; readonly length: number }[] = [];
  /** of this iteration: number of episodes, R reward sums, T ends by cause, sums of two errors */
  readonly #sums: Float64Array;

  /** @param episodeS duration of a full episode, s */
  constructor(envs: Environments, keybodies: readonly number[], episodeS: number, group: WorkerGroup) {
    const { n, rewardNames, terminationNames } = envs;
    this.#envs = envs;
    this.#group = group;
    this.#keybodies = keybodies;
    this.#episodeS = episodeS;
    this.#reward = new Float64Array(n);
    this.#length = new Int32Array(n);
    this.#terms = new Float64Array(n * rewardNames.length);
    this.#window = Math.ceil(WINDOW / group.ranks);
    this.#sums = new Float64Array(1 + rewardNames.length + terminationNames.length + 2);
    // The errors are those of the last state of an episode. The reset in the same step overwrites that state.
    envs.onEnd = (env) => {
      if (envs.terminated[env] === 0 && envs.timedOut[env] === 0) return; // Only the clip ended; the episode continues.
      const at = 1 + rewardNames.length + terminationNames.length;
      this.#sums[at]! += bounded(keybodyError(envs.state, this.#keybodies, env));
      this.#sums[at + 1]! += bounded(jointRmse(envs.state, env));
    };
  }

  /** Adds the last step of the environments. */
  step(): void {
    const envs = this.#envs;
    const { n, rewardNames, terminationNames, rewardTerms } = envs;
    const count = rewardNames.length;
    for (let env = 0; env < n; env++) {
      this.#reward[env]! += envs.rewards[env]!;
      this.#length[env]! += 1;
      for (let k = 0; k < count; k++) this.#terms[env * count + k]! += rewardTerms[env * count + k]!;
      if (envs.terminated[env] === 0 && envs.timedOut[env] === 0) continue;
      this.#recent.push({ reward: this.#reward[env]!, length: this.#length[env]! });
      if (this.#recent.length > this.#window) this.#recent.shift();
      this.#sums[0]! += 1;
      for (let k = 0; k < count; k++) {
        this.#sums[1 + k]! += this.#terms[env * count + k]!;
        this.#terms[env * count + k] = 0;
      }
      const cause = envs.cause[env]!;
      if (cause >= 0 && cause < terminationNames.length) this.#sums[1 + count + cause]! += 1;
      this.#reward[env] = 0;
      this.#length[env] = 0;
    }
  }

  /** Returns the metrics of the ended training iteration, summed over all threads, and starts the next iteration. The
   *  means are absent until an episode has ended. */
  collect(): Metrics {
    const { rewardNames, terminationNames } = this.#envs;
    const own = new Float64Array(3 + this.#sums.length);
    own[0] = this.#recent.length;
    for (const { reward, length } of this.#recent) {
      own[1]! += reward;
      own[2]! += length;
    }
    own.set(this.#sums, 3);
    this.#sums.fill(0);
    const all = this.#group.total(own);
    const metrics: Metrics = new Map();
    if (all[0]! > 0) {
      metrics.set('Train/mean_reward', all[1]! / all[0]!);
      metrics.set('Train/mean_episode_length', all[2]! / all[0]!);
    }
    const ended = all[3]!;
    if (ended > 0) {
      for (const [k, name] of rewardNames.entries()) {
        metrics.set(`Episode_Reward/${name}`, all[4 + k]! / ended / this.#episodeS);
      }
      const errorsAt = 4 + rewardNames.length + terminationNames.length;
      metrics.set('Metrics/motion/error_body_pos', all[errorsAt]! / ended);
      metrics.set('Metrics/motion/error_joint_pos', all[errorsAt + 1]! / ended);
    }
    for (const [k, name] of terminationNames.entries()) {
      metrics.set(`Episode_Termination/${name}`, all[4 + rewardNames.length + k]!);
    }
    return metrics;
  }
}

import { createEnvironments } from '../mdp/env/create-environments.ts';
import type { Environments } from '../mdp/environments.ts';
import type { TaskConfig } from '../mdp/task-config.ts';
import { createPolicy } from '../policy/create-policy.ts';
import type { Policy, PolicyWeights } from '../policy/policy.ts';
import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import { evaluationConfig } from './builtin-profile.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { horizonOf } from './evaluation-horizon.ts';
import { evaluationInterval } from './evaluation-interval.ts';
import { ALL_CONTACTS, CANDIDATES, comparedPolicies, EVALUATION, type EvaluationSizes } from './evaluation-sizes.ts';
import type { WorkerGroup } from './ppo/worker-group.ts';
import { environmentOptions, type RankOptions, shareOf } from './rank-options.ts';

/** These numbers are added to the seed of the training. Evaluations therefore use other starts than training episodes,
 *  and the final evaluation uses other starts than the evaluations and the comparison that chose the checkpoint. */
const EVALUATION_SEED = 1_000_003;
const FINAL_SEED = 2_000_003;
const CHOICE_SEED = 3_000_003;
/** A policy of the training with the score of its evaluation. */
interface Candidate {
  readonly score: number;
  readonly checkpoint: Checkpoint;
}

/** Data of the training that a judge needs. */
export interface JudgeOptions {
  readonly rank: RankOptions;
  readonly group: WorkerGroup;
  /** task of the training; evaluations use a changed copy */
  readonly task: TaskConfig;
  /** indices of the key bodies, without counting the world */
  readonly keybodies: readonly number[];
}

/** Evaluates policies without noise and keeps the best checkpoints. The environments are separate from those of the
 *  training; each thread simulates a share of them. Every evaluation throws StopRequested if a stop was requested. */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #sizes: { readonly every: number } & EvaluationSizes;
  readonly #task: TaskConfig;
  readonly #envs: Environments;
  /** control steps of a full episode */
  readonly #maxSteps: number;
  /** iteration of the last evaluation, and number of steps that it took */
  #lastAt = 0;
  #lastSteps = 0;
  /** time of the slowest evaluation so far, ms per episode */
  #episodeMs = 0;
  /** best first */
  #best: readonly Candidate[] = [];

  constructor(options: JudgeOptions) {
    const { rank, task } = options;
    this.#options = options;
    this.#sizes = rank.order.evaluation ?? EVALUATION;
    this.#task = evaluationConfig(task);
    // Evaluations during the training use its contacts, which are faster. The final evaluation uses all contacts.
    // With contacts of the soles alone, the two may rank policies differently.
    const between = { ...this.#task, sim: task.sim };
    this.#envs = this.#environments(between, this.#sizes.episodes, EVALUATION_SEED);
    this.#maxSteps = Math.max(1, Math.round(horizonOf(task) / this.#envs.stepS));
  }

  /** The best checkpoint so far; null before the first evaluation. */
  get best(): Checkpoint | null {
    return this.#best[0]?.checkpoint ?? null;
  }

  /** Returns whether to evaluate after `done` iterations. The first evaluation is due after the least interval. */
  isDue(done: number): boolean {
    const { scene, agent } = this.#task;
    const evaluated = this.#lastAt === 0 ? 0 : this.#lastSteps;
    const collected = scene.num_envs * agent.num_steps_per_env;
    if (done < this.#lastAt + evaluationInterval(this.#sizes.every, evaluated, collected)) return false;
    this.#lastAt = done;
    return true;
  }

  /** Evaluates the policy of an iteration. @param takeSnapshot called if this policy is one of the best so far */
  evaluate(weights: PolicyWeights, takeSnapshot: () => Checkpoint): Evaluation {
    const evaluation = this.#evaluate(this.#envs, createPolicy(weights, this.#envs.n));
    this.#lastSteps = evaluation.meanLength * evaluation.episodes;
    const score = scoreOf(evaluation, this.#maxSteps);
    const better = this.#best.filter((other) => other.score >= score);
    if (better.length < CANDIDATES) {
      const worse = this.#best.slice(better.length);
      this.#best = [...better, { score, checkpoint: takeSnapshot() }, ...worse].slice(0, CANDIDATES);
    }
    return evaluation;
  }

  /** Evaluates the baseline: zero actions (PD control to the reference or default pose). */
  zeroAction(): Evaluation {
    return this.#evaluate(this.#envs, null);
  }

  /** Compares the best policies of the training over more episodes, with all contacts, and moves the winner to the
   *  front. The evaluations of a training have few episodes, so the best of them is often the best by chance. Short
   *  trainings compare fewer policies or none.
   *  @param steps environment steps of the training  @param policyOf returns the policy of a checkpoint */
  choose(steps: number, policyOf: (checkpoint: Checkpoint) => PolicyWeights): void {
    const compared = this.#best.slice(0, this.#compared(steps));
    if (compared.length === 0) return;
    this.#best = compared
      .map(({ checkpoint }) => {
        const evaluation = this.#evaluateAnew(policyOf(checkpoint), CHOICE_SEED);
        return { score: scoreOf(evaluation, this.#maxSteps), checkpoint };
      })
      .sort((a, b) => b.score - a.score);
  }

  /** Returns the expected duration of the evaluations at the end of a training, ms: one more of the policy, the
   *  comparison, and the last one. @param steps environment steps of the training */
  closingMs(steps: number): number {
    const { episodes, finalEpisodes } = this.#sizes;
    const anew = finalEpisodes * (this.#compared(steps) + 1) * ALL_CONTACTS;
    return (episodes + anew) * this.#episodeMs;
  }

  /** Evaluates a policy over more episodes, from other starts, with all contacts. */
  final(weights: PolicyWeights): Evaluation {
    return this.#evaluateAnew(weights, FINAL_SEED);
  }

  /** Returns the tracked share of the longest episode, and the score by which checkpoints are chosen. */
  valueOf(evaluation: Evaluation): { readonly share: number; readonly score: number } {
    return { share: evaluation.meanLength / this.#maxSteps, score: scoreOf(evaluation, this.#maxSteps) };
  }

  /** Discards the checkpoints from before an iteration, because the training continued with other networks. */
  forgetBefore(iteration: number): void {
    this.#best = this.#best.filter(({ checkpoint }) => checkpoint.iteration >= iteration);
  }

  delete(): void {
    this.#envs.delete();
  }

  /** Returns how many policies are compared at the end: 0, or at least 2. */
  #compared(steps: number): number {
    return comparedPolicies(this.#sizes, { steps, episodeSteps: this.#maxSteps, policies: this.#best.length });
  }

  /** Evaluates a policy in new environments with all contacts. */
  #evaluateAnew(weights: PolicyWeights, seedOffset: number): Evaluation {
    const envs = this.#environments(this.#task, this.#sizes.finalEpisodes, seedOffset);
    try {
      return this.#evaluate(envs, createPolicy(weights, envs.n));
    } finally {
      envs.delete();
    }
  }

  /** Creates this thread's share of the environments of an evaluation. */
  #environments(task: TaskConfig, episodes: number, seedOffset: number): Environments {
    const { rank, group } = this.#options;
    const share = shareOf(episodes, group.ranks, group.rank);
    return createEnvironments(environmentOptions(rank, task, share, rank.order.seed + seedOffset));
  }

  #evaluate(envs: Environments, policy: Policy | null): Evaluation {
    const { keybodies, group } = this.#options;
    const began = performance.now();
    const evaluation = evaluate(envs, policy, keybodies, this.#maxSteps, group);
    this.#episodeMs = Math.max(this.#episodeMs, (performance.now() - began) / evaluation.episodes);
    return evaluation;
  }
}

/** Returns the score of an evaluation: the length of episodes decides first, the tracking second. */
function scoreOf({ meanLength, tracking }: Evaluation, maxSteps: number): number {
  return meanLength / maxSteps + 0.2 * tracking;
}

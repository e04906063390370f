import { createEnvironments } from '../mdp/env/create-environments.ts';
import { LIBRARY } from '../mdp/library.ts';
import { EnvRandom } from '../mdp/random/env-random.ts';
import type { PpoConfig, TaskConfig } from '../mdp/task-config.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';
import { createPolicy } from '../policy/create-policy.ts';
import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import type { MainModule } from '../sim/mujoco.ts';
import { evaluationConfig, trainedTask } from './builtin-profile.ts';
import { EpisodeStatistics, type Figures } from './episode-statistics.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { createActorCritic, policyOf } from './ppo/actor-critic.ts';
import { Learner } from './ppo/learner.ts';
import { ACTOR_GROUP, CRITIC_GROUP, groupOf, Rollout } from './ppo/rollout.ts';
import { restoreSnapshot, takeSnapshot } from './ppo/snapshot.ts';
import { type GroupMemory, WorkerGroup } from './ppo/worker-group.ts';
import type { TrainingOrder } from './training-order.ts';

/** Late evaluations cost as much as the iterations between two; whoever wants surer ones asks for more episodes. */
const EVALUATION = { every: 25, episodes: 64, finalEpisodes: 128 };
/** Rows that a network takes at once outside of learning. */
const FORWARD_ROWS = 512;
/** float64 figures that threads exchange at most: the moments of a critic of a thousand observations. */
export const GROUP_FIGURES = 4096;
/** Random numbers of where episodes begin, apart from those of environments. */
const PURPOSE = 104;
/** Seeds of evaluations lie far from those of training, and the last one's from those that chose the checkpoint. */
const EVALUATION_SEED = 1_000_003;
const FINAL_SEED = 2_000_003;

export interface RankOptions {
  readonly order: TrainingOrder;
  readonly mj: MainModule;
  /** compiled robot (MJB) */
  readonly physics: Uint8Array;
  readonly library: MotionLibrary;
  readonly memory: GroupMemory;
  readonly rank: number;
  readonly resume: Checkpoint | null;
  /** hears what happens; of rank 0 alone */
  readonly listener: TrainingListener | null;
}

/** What a training tells. */
export interface TrainingListener {
  /** before the first iteration: how zero action does */
  baseline(evaluation: Evaluation, start: number): void;
  iteration(report: TrainingReport): void;
  /** something to keep: a checkpoint of an iteration */
  checkpoint(checkpoint: Checkpoint): void;
  /** at the end, of the networks that the last checkpoint holds */
  finished(result: TrainingResult): void;
}

export interface TrainingReport {
  readonly iteration: number;
  readonly end: number;
  readonly envSteps: number;
  /** environment steps of this iteration */
  readonly newSteps: number;
  readonly collectionS: number;
  readonly learningS: number;
  readonly figures: Figures;
  readonly evaluation: Evaluation | null;
}

export interface TrainingResult {
  readonly checkpoint: Checkpoint;
  /** iteration whose networks the checkpoint holds */
  readonly bestIteration: number;
  /** over starts that no checkpoint was chosen by; null where a stop was asked for */
  readonly evaluation: Evaluation | null;
  readonly stopped: boolean;
}

/** Environments of each thread, nearly evenly. */
export function shareOf(total: number, ranks: number, rank: number): { readonly first: number; readonly n: number } {
  const first = Math.floor((total * rank) / ranks);
  return { first, n: Math.floor((total * (rank + 1)) / ranks) - first };
}

/** Float32 values that the threads' largest sum takes. */
export function groupFloats(order: TrainingOrder, actorDim: number, criticDim: number): number {
  const { agent } = order.config;
  const actionDim = order.robot.facts.joints.length;
  const networks = createActorCritic({ agent, actorDim, criticDim, actionDim, maxRows: 1, seed: 0 });
  return Learner.summedFloats(networks.actor, networks.critic);
}

/** Trains: one thread's part, in step with the others (data-parallel PPO). Every thread holds the same networks and has
 *  its own environments. Deterministic for a seed and a number of threads.
 *  @throws StudioError bad_input for what does not fit together; RangeError for a checkpoint of another shape */
export function trainRank(options: RankOptions): void {
  const { order, memory, rank, listener, resume } = options;
  const group = new WorkerGroup(memory, rank);
  const task = trainedTask(order.config, order.profile);
  const { agent } = task;
  const { every } = order.evaluation ?? EVALUATION;
  const share = shareOf(task.scene.num_envs, memory.ranks, rank);
  const envs = makeEnvironments(options, task, share, order.seed);
  const keybodies = keybodiesOf(order, task);
  const rows = share.n * agent.num_steps_per_env;
  const batchRows = Learner.batchRows(rows, agent);
  const networks = createActorCritic({
    agent,
    actorDim: groupOf(envs, ACTOR_GROUP).dim,
    criticDim: groupOf(envs, CRITIC_GROUP).dim,
    actionDim: envs.actionDim,
    maxRows: Math.max(batchRows, FORWARD_ROWS),
    seed: order.seed,
  });
  if (resume) restoreSnapshot(networks, resume);
  const start = resume?.iteration ?? 0;
  const end = start + agent.max_iterations;
  const learner = new Learner(networks, agent, group, rows, order.seed);
  learner.learningRate = resume?.optimizer.learningRate ?? learner.learningRate;
  const rollout = new Rollout(envs, agent, share.first, order.seed + start, FORWARD_ROWS);
  const maxSteps = Math.round(task.episode_length_s / envs.stepS);
  const statistics = new EpisodeStatistics(envs, keybodies, task.episode_length_s, group);
  const judge = new Judge(options, task, keybodies, maxSteps, group);
  scatterEpisodes(envs.state.episodeStep, maxSteps, share.first, order.seed);
  if (!resume) {
    // Something to normalise the first observations by.
    learner.updateNormalizers({
      actorObs: groupOf(envs, ACTOR_GROUP).values,
      criticObs: groupOf(envs, CRITIC_GROUP).values,
    });
  }
  const baseline = judge.zeroAction();
  listener?.baseline(baseline, start);

  const newSteps = task.scene.num_envs * agent.num_steps_per_env;
  let envSteps = resume?.envSteps ?? 0;
  const snapshot = (iteration: number) =>
    takeSnapshot(networks, { iteration, envSteps, learningRate: learner.learningRate });
  let best: { readonly score: number; readonly checkpoint: Checkpoint } | null = null;
  let stopped = false;
  if (!resume) listener?.checkpoint(snapshot(0));
  let iteration = start;
  for (; iteration < end && !stopped; iteration++) {
    const began = performance.now();
    learner.algorithm = annealed(agent.algorithm, (iteration - start) / agent.max_iterations);
    rollout.collect(networks, () => statistics.step());
    adaptSampling(envs.sampling, group);
    const collected = performance.now();
    const losses = learner.learn(rollout);
    learner.updateNormalizers(rollout);
    const learned = performance.now();
    envSteps += newSteps;
    const figures = statistics.collect();
    checkFinite(losses.value + losses.surrogate + losses.kl, iteration);
    figures.set('Loss/value', losses.value);
    figures.set('Loss/surrogate', losses.surrogate);
    figures.set('Loss/entropy', losses.entropy);
    figures.set('Loss/learning_rate', losses.learningRate);
    figures.set('Loss/kl', losses.kl);
    figures.set('Policy/mean_std', mean(networks.actor.extra));
    if (task.commands.motion.rsi.sampling_mode === 'adaptive') {
      const { entropy, topProbability, topBin } = envs.sampling.figures();
      figures.set('Metrics/motion/sampling_entropy', entropy);
      figures.set('Metrics/motion/sampling_top1_prob', topProbability);
      figures.set('Metrics/motion/sampling_top1_bin', topBin);
    }
    const last = iteration === end - 1;
    stopped = group.stopAgreed();
    const due = (iteration + 1 - start) % every === 0 || last;
    const evaluation = due && !stopped ? judge.policy(policyOf(networks, agent)) : null;
    if (evaluation) {
      figures.set('Eval/mean_episode_length', evaluation.meanLength);
      figures.set('Eval/full_episodes', evaluation.full);
      figures.set('Eval/tracking', evaluation.tracking);
      figures.set('Eval/error_body_pos', evaluation.bodyError);
      figures.set('Eval/error_joint_pos', evaluation.jointError);
      figures.set('Eval/zero_action_mean_episode_length', baseline.meanLength);
      figures.set('Eval/zero_action_tracking', baseline.tracking);
      const score = scoreOf(evaluation, maxSteps);
      if (best === null || score > best.score) best = { score, checkpoint: snapshot(iteration) };
    }
    listener?.iteration({
      iteration,
      end,
      envSteps,
      newSteps,
      collectionS: (collected - began) / 1e3,
      learningS: (learned - collected) / 1e3,
      figures,
      evaluation,
    });
    if (listener && iteration > start && iteration % agent.save_interval === 0 && !last) {
      listener.checkpoint(snapshot(iteration));
    }
  }
  const final = iteration - 1;
  const bestIteration = best?.checkpoint.iteration ?? final;
  if (best && bestIteration !== final) restoreSnapshot(networks, best.checkpoint);
  const evaluation = stopped ? null : judge.final(policyOf(networks, agent));
  listener?.finished({ checkpoint: snapshot(Math.max(start, final)), bestIteration, evaluation, stopped });
  judge.delete();
  envs.delete();
}

/** Judges policies in environments of its own, a part of them in each thread. */
class Judge {
  readonly #options: RankOptions;
  readonly #task: TaskConfig;
  readonly #keybodies: readonly number[];
  readonly #maxSteps: number;
  readonly #group: WorkerGroup;
  readonly #share: { readonly first: number; readonly n: number };
  readonly #envs: ReturnType<typeof createEnvironments>;

  constructor(
    options: RankOptions,
    task: TaskConfig,
    keybodies: readonly number[],
    maxSteps: number,
    group: WorkerGroup,
  ) {
    this.#options = options;
    this.#task = evaluationConfig(task);
    this.#keybodies = keybodies;
    this.#maxSteps = maxSteps;
    this.#group = group;
    const { episodes } = options.order.evaluation ?? EVALUATION;
    this.#share = shareOf(episodes, group.ranks, group.rank);
    // On the way with the contacts of the training, which cost less and rank policies the same; at the end with all.
    const onTheWay = { ...this.#task, sim: task.sim };
    this.#envs = makeEnvironments(options, onTheWay, this.#share, options.order.seed + EVALUATION_SEED);
  }

  policy(weights: ReturnType<typeof policyOf>): Evaluation {
    return this.#judge(this.#envs, createPolicy(weights, this.#envs.n));
  }

  /** What nobody's action comes to: PD control to the reference, or to the default pose. */
  zeroAction(): Evaluation {
    return this.#judge(this.#envs, null);
  }

  /** Over more episodes, from other starts. */
  final(weights: ReturnType<typeof policyOf>): Evaluation {
    const { finalEpisodes } = this.#options.order.evaluation ?? EVALUATION;
    const share = shareOf(finalEpisodes, this.#group.ranks, this.#group.rank);
    const envs = makeEnvironments(this.#options, this.#task, share, this.#options.order.seed + FINAL_SEED);
    const evaluation = this.#judge(envs, createPolicy(weights, envs.n));
    envs.delete();
    return evaluation;
  }

  delete(): void {
    this.#envs.delete();
  }

  #judge(envs: ReturnType<typeof createEnvironments>, policy: Parameters<typeof evaluate>[1]): Evaluation {
    return evaluate(envs, policy, this.#keybodies, this.#maxSteps, this.#group);
  }
}

function makeEnvironments(
  { order, mj, physics, library }: RankOptions,
  config: TaskConfig,
  { first, n }: { readonly first: number; readonly n: number },
  seed: number,
) {
  const { facts } = order.robot;
  return createEnvironments({ mj, physics, facts, config, library, terms: LIBRARY, n, firstEnv: first, seed });
}

function keybodiesOf({ robot }: TrainingOrder, { commands }: TaskConfig): number[] {
  return commands.motion.body_names.map((name) => robot.facts.bodies.findIndex((body) => body.name === name));
}

/** Episodes begin anywhere in their time, or all of them would end at once. */
function scatterEpisodes(episodeStep: Int32Array, maxSteps: number, first: number, seed: number): void {
  const random = new EnvRandom(episodeStep.length, { first, stride: 1, seed, purpose: PURPOSE });
  for (let env = 0; env < episodeStep.length; env++) episodeStep[env] = random.below(env, maxSteps);
}

/** Failure counts of all threads move the levels of each. */
function adaptSampling(sampling: ReturnType<typeof createEnvironments>['sampling'], group: WorkerGroup): void {
  const { failures, episodes } = sampling.counts;
  const bins = failures.length;
  const summed = { failures: new Int32Array(bins), episodes: new Int32Array(bins) };
  const part = Math.floor(GROUP_FIGURES / 2);
  for (let from = 0; from < bins; from += part) {
    const to = Math.min(bins, from + part);
    const own = Float64Array.from([...failures.subarray(from, to), ...episodes.subarray(from, to)]);
    for (const given of group.gather(own)) {
      for (let k = 0; k < to - from; k++) {
        summed.failures[from + k]! += given[k]!;
        summed.episodes[from + k]! += given[to - from + k]!;
      }
    }
  }
  sampling.adapt(summed);
}

/** Late in a training steps grow smaller: from 40 % of the iterations on the desired divergence falls to 0.01 and the
 *  bonus on entropy to nothing, both reached at 70 %. A policy fluctuates less then: the walk of a G1 is
 *  held whole from 94 to 98 % of unseen starts after 900 iterations (three seeds), and was from 88 % after 800 where this
 *  began at 60 % (one seed). */
function annealed(algorithm: PpoConfig, gone: number): PpoConfig {
  const part = Math.min(1, Math.max(0, (gone - 0.4) / 0.3));
  const calm = Math.min(algorithm.desired_kl, 0.01);
  return {
    ...algorithm,
    desired_kl: algorithm.desired_kl + part * (calm - algorithm.desired_kl),
    entropy_coef: algorithm.entropy_coef * (1 - part),
  };
}

/** Staying up counts first, tracking closely second. */
function scoreOf({ meanLength, tracking }: Evaluation, maxSteps: number): number {
  return meanLength / maxSteps + 0.2 * tracking;
}

function checkFinite(value: number, iteration: number): void {
  if (!Number.isFinite(value))
    throw new Error(`the training diverged in iteration ${iteration}: losses are not finite; lower the learning rate`);
}

function mean(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

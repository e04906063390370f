import type { BatchedEnvironments } from '../mdp/env/batched-environments.ts';
import { createEnvironments } from '../mdp/env/create-environments.ts';
import { EnvRandom } from '../mdp/random/env-random.ts';
import type { TaskConfig } from '../mdp/task-config.ts';
import { EpisodeStatistics } from './episode-statistics.ts';
import { Judge } from './judge.ts';
import { type ActorCritic, createActorCritic } from './ppo/actor-critic.ts';
import { Learner } from './ppo/learner.ts';
import { ACTOR_GROUP, CRITIC_GROUP, groupOf, Rollout } from './ppo/rollout.ts';
import { restoreSnapshot } from './ppo/snapshot.ts';
import { WorkerGroup } from './ppo/worker-group.ts';
import { environmentOptions, type RankOptions, shareOf } from './rank-options.ts';
import { findSymmetry } from './symmetry/find-symmetry.ts';
import { SymmetricNetworks } from './symmetry/network-symmetry.ts';
import type { TrainingOrder } from './training-order.ts';

/** Maximum number of rows that a network computes in one call outside of learning. */
export const FORWARD_ROWS = 512;
/** Number of the random stream for the random steps of the first episodes. Environments use other stream numbers. */
const PURPOSE = 104;
/** Upper limit of these random steps: the counters are 32-bit integers, and endless episodes have more steps. */
const MOST_SCATTERED = 2 ** 30;
/** Reasons why networks are not symmetric. */
const OFF = 'agent.algorithm.symmetry is off';
/** The reason for networks that were copied or resumed. */
export const NOT_SYMMETRIC = 'the networks of the checkpoint are not symmetric';

/** The parts of one thread's training, ready for the first iteration. */
export interface Training {
  /** as it is trained, after the profile */
  readonly task: TaskConfig;
  readonly group: WorkerGroup;
  readonly envs: BatchedEnvironments;
  readonly networks: ActorCritic;
  readonly rollout: Rollout;
  readonly learner: Learner;
  readonly statistics: EpisodeStatistics;
  readonly judge: Judge;
  /** why the networks are not symmetric at the start; null if they are */
  readonly unsymmetric: string | null;
}

/** Builds one thread's part of a training, or continues it from the checkpoint to resume. All threads of a training
 *  must call it together, because they exchange the moments of their first observations.
 *  @throws StudioError bad_input if task, robot and clips do not match; RangeError for a checkpoint of another shape */
export function createTraining(options: RankOptions): Training {
  const { order, memory, rank, resume, levels } = options;
  const { seed } = order;
  const group = new WorkerGroup(memory, rank);
  const task = order.config;
  const { agent } = task;
  const share = shareOf(task.scene.num_envs, memory.ranks, rank);
  const environment = environmentOptions(options, task, share, seed);
  const envs = createEnvironments(environment);
  if (levels) envs.sampling.restore(levels);
  const rows = share.n * agent.num_steps_per_env;
  const networks = createActorCritic({
    agent,
    actorDim: groupOf(envs, ACTOR_GROUP).dim,
    criticDim: groupOf(envs, CRITIC_GROUP).dim,
    actionDim: envs.actionDim,
    maxRows: Math.max(Learner.batchRows(rows, agent), FORWARD_ROWS),
    seed,
  });
  if (resume) restoreSnapshot(networks, resume);
  const rollout = new Rollout(envs, agent, share.first, seed + (resume?.iteration ?? 0), FORWARD_ROWS);
  const found = agent.algorithm.symmetry ? findSymmetry(environment, envs) : OFF;
  const symmetry = typeof found === 'string' ? null : new SymmetricNetworks(networks, found);
  if (!resume) symmetry?.makeSymmetric();
  const learner = new Learner({ networks, agent, group, rows, seed, symmetry });
  learner.learningRate = resume?.optimizer.learningRate ?? learner.learningRate;
  const keybodies = keybodiesOf(order, task);
  const statistics = new EpisodeStatistics(envs, keybodies, task.episode_length_s, group);
  const judge = new Judge({ rank: options, group, task, keybodies });
  scatterEpisodes(envs.state.episodeStep, share.first, seed, task.episode_length_s / envs.stepS);
  // A new training normalises its first observations by their own moments.
  if (!resume)
    learner.updateNormalizers({
      actorObs: groupOf(envs, ACTOR_GROUP).values,
      criticObs: groupOf(envs, CRITIC_GROUP).values,
    });
  const unsymmetric = typeof found === 'string' ? found : learner.isSymmetric ? null : NOT_SYMMETRIC;
  return { task, group, envs, networks, rollout, learner, statistics, judge, unsymmetric };
}

/** Returns the number of float32 values in the largest sum over threads: the gradients and losses of one minibatch. */
export function groupFloats(order: TrainingOrder, actorDim: number, criticDim: number): number {
  const { agent } = order.config;
  const actionDim = order.robot.facts.joints.length;
  const networks = createActorCritic({ agent, actorDim, criticDim, actionDim, maxRows: 1, seed: 0 });
  return Learner.summedFloats(networks.actor, networks.critic);
}

/** Returns the indices of the key bodies of a task. The world body is not included in the numbering. */
function keybodiesOf({ robot }: TrainingOrder, { commands }: TaskConfig): number[] {
  return commands.motion.body_names.map((name) => robot.facts.bodies.findIndex((body) => body.name === name));
}

/** Sets the step counters of the first episodes to random values. Otherwise all episodes would time out at the same
 *  step. */
function scatterEpisodes(episodeStep: Int32Array, first: number, seed: number, steps: number): void {
  const maxSteps = Math.min(Math.round(steps), MOST_SCATTERED);
  const random = new EnvRandom(episodeStep.length, { first, stride: 1, seed, purpose: PURPOSE });
  for (let env = 0; env < episodeStep.length; env++) episodeStep[env] = random.below(env, maxSteps);
}

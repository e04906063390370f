import { availableParallelism } from 'node:os';
import { LONGEST } from '../../jobs/longest-course.ts';
import type { TaskConfig } from '../../mdp/task-config.ts';
import type { Check } from '../../protocol/schemas/busy.ts';
import type { Job } from '../../protocol/schemas/jobs.ts';
import { trainingStepS } from '../../train/dry-run/training-speed.ts';
import type { MotionDemand, Trial } from '../../train/dry-run/try-training.ts';
import { horizonOf } from '../../train/evaluation-horizon.ts';
import { finalEvaluationSteps, fixedEvaluationSteps } from '../../train/evaluation-sizes.ts';
import { withAgent } from './launch-networks.ts';
import { hiddenDimsOf, type LaunchPlan, threadsOf } from './launch-plan.ts';

/** Duration of the motion that `agent.max_iterations` of a task is meant for, s. */
const EASY_S = 10;
/** Exponent of the duration. Longer motions share skills, so the number of iterations grows less than the duration. */
const GROWTH = 0.8;
/** Complexity up to which a motion is easy, and the complexity that needs {@link HARD} times the iterations. Measured
 *  with the G1: 10 s of a walk (0.26) are learned in 900 iterations, a piece of a fight (about 0.6) in 3600. */
const COMPLEXITY = [0.35, 0.6] as const;
const HARD = 4;
const HARDEST = 6;
/** Minimum number of iterations of an earlier job whose speed is used for the estimate. */
const SOME = 20;
/** Range of the wall time of a training, as multiples of the estimate from an earlier training, or from a short
 *  trial. */
const SPREAD = { job: [0.85, 1.25], trial: [0.6, 1.6] } as const;
/** Range of the iterations of an automatic training, as multiples of its plan: it may end earlier or continue. */
const AUTOMATIC = [0.7, LONGEST] as const;

/** The expected size of a training. */
export interface LaunchBudget {
  readonly env_steps: number;
  readonly iterations: number;
  /** s, lowest and highest expected wall time */
  readonly seconds: [number, number];
}

/** Returns the iterations that a motion needs by its duration and complexity. @param easy iterations of an easy motion
 *  of ten seconds */
export function iterationsFor(easy: number, { seconds, complexity }: Pick<MotionDemand, 'seconds' | 'complexity'>) {
  const length = Math.max(1, seconds / EASY_S) ** GROWTH;
  const [from, to] = COMPLEXITY;
  const difficulty = Math.min(HARDEST, 1 + (HARD - 1) * Math.max(0, (complexity - from) / (to - from)));
  return Math.round(easy * length * difficulty);
}

/** Returns the budget of the built-in trainer; null for other trainers, or if the motion could not be measured.
 *  @param jobs all jobs, newest first  @param maxMinutes time limit of an automatic training, minutes */
export function budgetOf(
  plan: LaunchPlan,
  trial: Trial,
  jobs: readonly Job[],
  maxMinutes: number,
): LaunchBudget | null {
  const { demand, size } = trial;
  if (plan.external || !demand || !size) return null;
  const steps = plan.numEnvs * plan.config.agent.num_steps_per_env;
  const earlier = earlierIterationS(plan, jobs);
  const threads = simultaneous(plan, size.threads);
  const iterationS = earlier ?? trainingStepS(demand.stepS, { ...size, threads, agent: plan.trained.agent }) * steps;
  const spread = SPREAD[earlier === null ? 'trial' : 'job'];
  const most = Math.max(1, Math.floor((60 * maxMinutes) / iterationS));
  const iterations = plan.automatic
    ? Math.min(most, iterationsFor(plan.config.agent.max_iterations, demand))
    : plan.maxIterations;
  // A training makes at least one iteration, however short its limit is.
  const limit = plan.automatic ? Math.max(60 * maxMinutes, iterationS) : Number.POSITIVE_INFINITY;
  const [least, largest] = plan.automatic ? AUTOMATIC : ([1, 1] as const);
  const fixed = fixedEvaluationSteps(iterations * steps, episodeStepsOf(plan.trained));
  const seconds = (k: 0 | 1, share: number) =>
    Math.round(Math.min(limit, iterations * iterationS * share + (fixed[k] * demand.stepS) / threads));
  return {
    env_steps: iterations * steps,
    iterations,
    seconds: [seconds(0, spread[0] * least), seconds(1, spread[1] * largest)],
  };
}

/** Returns how many threads of a training run at the same time. More threads than cores take turns. The cores of a
 *  cluster's node are not known here. */
function simultaneous({ launcher }: LaunchPlan, threads: number): number {
  return launcher === 'local' ? Math.min(threads, availableParallelism()) : threads;
}

/** Returns the number of control steps of a full episode of an evaluation. */
function episodeStepsOf(task: TaskConfig): number {
  return horizonOf(task) / (task.decimation * task.sim.timestep);
}

/** Says that the time limit allows fewer iterations than the motion needs; null if it allows them all.
 *  @param budget of an automatic training  @param maxMinutes time limit, minutes */
export function timeCheck(
  plan: LaunchPlan,
  { demand }: Trial,
  budget: LaunchBudget | null,
  maxMinutes: number,
): Check | null {
  if (!plan.automatic || !demand || !budget) return null;
  const wanted = iterationsFor(plan.config.agent.max_iterations, demand);
  if (budget.iterations >= wanted) return null;
  const text = `the limit train.max_minutes of ${maxMinutes} minutes allows about ${budget.iterations} of the ${wanted} iterations planned for this motion`;
  return { name: 'time', ok: true, text };
}

/** Returns the seconds that the evaluations after the last iteration take at most; 0 for other trainers than the
 *  built-in one, or if the motion could not be measured. */
export function finalEvaluationS(plan: LaunchPlan, { demand, size }: Trial): number {
  if (plan.external || !demand || !size) return 0;
  const { numEnvs, maxIterations: iterations, config, trained } = plan;
  const steps = finalEvaluationSteps(iterations * numEnvs * config.agent.num_steps_per_env, episodeStepsOf(trained));
  return Math.ceil((SPREAD.trial[1] * steps * demand.stepS) / simultaneous(plan, size.threads));
}

/** Returns the plan with the iterations of its budget. */
export function withBudget(plan: LaunchPlan, budget: LaunchBudget | null): LaunchPlan {
  if (!plan.automatic || !budget) return plan;
  const { iterations } = budget;
  const planned = withAgent(plan, (agent) => ({ ...agent, max_iterations: iterations }));
  return { ...planned, maxIterations: iterations };
}

/** Returns the seconds of an iteration of the newest training of the same kind on this machine; null if there is
 *  none. */
function earlierIterationS(plan: LaunchPlan, jobs: readonly Job[]): number | null {
  const same = jobs.find(
    ({ kind, trainer, launcher, task, rate, step, params }) =>
      kind === 'train' &&
      trainer === 'builtin' &&
      launcher === plan.launcher &&
      task === plan.task &&
      (step ?? 0) >= SOME &&
      (rate ?? 0) > 0 &&
      params['robot'] === plan.robot.facts.id &&
      params['num_envs'] === plan.numEnvs &&
      params['threads'] === threadsOf(plan) &&
      params['hidden_dims'] === hiddenDimsOf(plan) &&
      params['profile'] === plan.builtin.profile &&
      params['contacts'] === (plan.trained.sim.contacts ?? 'all'),
  );
  return same ? 1 / same.rate! : null;
}

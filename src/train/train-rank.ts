import type { EnvironmentOptions } from '../mdp/env/environment-options.ts';
import type { PolicyWeights } from '../policy/policy.ts';
import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import { adaptSampling } from './adapt-sampling.ts';
import { annealed } from './annealing.ts';
import { createTraining, type Training } from './create-training.ts';
import type { Evaluation } from './evaluate.ts';
import { BriefGuide } from './guide/guide.ts';
import { addEvaluation, addLosses, addSampling, type Metrics } from './metrics.ts';
import { policyOf } from './ppo/actor-critic.ts';
import { AveragedActor } from './ppo/averaged-actor.ts';
import type { Losses } from './ppo/learner.ts';
import { restoreSnapshot, takeSnapshot } from './ppo/snapshot.ts';
import { StopRequested } from './ppo/worker-group.ts';
import { environmentOptions, type RankOptions } from './rank-options.ts';
import { StartTrial, TRIAL } from './start-trial.ts';
import type { TrainingListener } from './training-listener.ts';
import { TrainingSpan } from './training-span.ts';

/** Largest share of the time limit that is kept free for the evaluations at the end of a training. */
const CLOSING_SHARE = 0.5;

/** Trains one thread's part in step with the other threads (data-parallel PPO, Schulman et al. 2017). Every thread has
 *  the same networks and its own environments. Deterministic for a seed, a number of threads and an exact number of
 *  iterations; a time limit depends on the clock. A training that is stopped ends within a step of its environments, an
 *  update or an evaluation; its unfinished iteration is discarded.
 *  @throws StudioError bad_input if task, robot and clips do not match; RangeError for a checkpoint of another shape;
 *  Error if the losses diverge, after the best policy was saved */
export function trainRank(options: RankOptions): void {
  const { listener, resume } = options;
  const began = performance.now();
  const training = createTraining(options);
  const { task, envs, networks, learner, judge } = training;
  const start = resume?.iteration ?? 0;
  const averaged = new AveragedActor(networks.actor, start);
  const guide = new BriefGuide(guideOptions(options, training));
  const progress: Progress = { iteration: start, envSteps: resume?.envSteps ?? 0 };
  const snapshot = (iteration: number) =>
    takeSnapshot(networks, { iteration, envSteps: progress.envSteps, learningRate: learner.learningRate }, averaged);
  const parts: TrainedParts = { options, began, training, averaged, guide, snapshot };
  const isTrained = completes(() => iterate(parts, progress));
  guide.delete();

  restoreBest(training, averaged);
  const last = Math.max(start, progress.iteration - 1);
  const levels = envs.sampling.table();
  if (!Number.isFinite(progress.losses ?? 0)) {
    if (judge.best) listener?.checkpoint(snapshot(last), levels);
    // The first error of a thread ends the process, also while the first thread still writes.
    training.group.barrier();
    throw new Error(divergence(progress.iteration, judge.best && { last, best: judge.best.iteration }));
  }
  let evaluation: Evaluation | null = null;
  const isJudged =
    isTrained &&
    completes(() => {
      const newSteps = progress.envSteps - (resume?.envSteps ?? 0);
      if (newSteps > 0) {
        // The policy of the best evaluation remains if the process is killed during the comparison.
        listener?.checkpoint(snapshot(last), levels);
        compareBest(training, newSteps);
      }
      restoreBest(training, averaged);
      evaluation = judge.final(policyOf(networks, task.agent, averaged));
    });
  if (!isJudged) restoreBest(training, averaged);
  const bestIteration = judge.best?.iteration ?? last;
  listener?.finished({ checkpoint: snapshot(last), levels, bestIteration, evaluation, stopped: !isJudged });
  judge.delete();
  envs.delete();
}

/** Iterations, steps and losses of a training so far. */
interface Progress {
  /** number of iterations, including those of a resumed run */
  iteration: number;
  envSteps: number;
  /** sum of the losses of the last update; not finite after a divergence, which ends the iterations */
  losses?: number;
}

/** What the iterations of a training use. */
interface TrainedParts {
  readonly options: RankOptions;
  /** begin of the training, ms on the clock of performance.now() */
  readonly began: number;
  readonly training: Training;
  readonly averaged: AveragedActor;
  readonly guide: BriefGuide;
  /** Returns the checkpoint of an iteration. */
  readonly snapshot: (iteration: number) => Checkpoint;
}

/** Evaluates the baseline and runs the iterations until their end or a divergence.
 *  @throws StopRequested if a stop was requested */
function iterate(parts: TrainedParts, progress: Progress): void {
  const { options, training, averaged, guide, snapshot } = parts;
  const { listener, resume, order } = options;
  const { task, group, envs, networks, rollout, learner, statistics, judge } = training;
  const { agent } = task;
  const start = progress.iteration;
  const maxMs = order.maxMinutes == null ? null : 60e3 * order.maxMinutes;
  const span = new TrainingSpan(start, agent.max_iterations, maxMs !== null);
  const newSteps = task.scene.num_envs * agent.num_steps_per_env;
  const policy = () => policyOf(networks, agent, averaged);
  const baseline = begin(options, training, start);
  const trial = startTrial(options, training, averaged, guide.iterations >= TRIAL ? baseline : null);
  // If the process is killed, the run contains the policy that it began with. A resumed training publishes its score
  // next.
  listener?.checkpoint(snapshot(start), envs.sampling.table());
  if (resume) evaluateResumed(resume, policy(), training, listener);

  while (progress.iteration < span.end) {
    const { iteration } = progress;
    learner.algorithm = annealed(agent.algorithm, span.progress(iteration));
    const began = performance.now();
    const labeller = guide.at(trial ? trial.newSince(iteration) : iteration);
    rollout.collect(
      networks,
      () => statistics.step(),
      labeller,
      () => group.isStopRequested,
    );
    group.endIfStopped();
    adaptSampling(envs.sampling, group);
    const collected = performance.now();
    const losses = learner.learn(rollout);
    learner.updateNormalizers(rollout);
    averaged.add();
    const times = { collectionS: (collected - began) / 1e3, learningS: (performance.now() - collected) / 1e3 };
    progress.losses = losses.value + losses.surrogate + losses.kl;
    if (!Number.isFinite(progress.losses)) return;
    progress.iteration += 1;
    progress.envSteps += newSteps;

    const bestSoFar = judge.best;
    const done = iteration + 1 - start;
    const newSoFar = progress.envSteps - (resume?.envSteps ?? 0);
    const limit =
      maxMs === null ? null : iterationLimit(training, { done, steps: newSoFar, began: parts.began, maxMs });
    if (limit !== null && done >= limit) span.endAfter(iteration);
    const due = iteration === span.end - 1 || judge.isDue(done) || trial?.isDue(done) === true;
    const evaluation = due ? judge.evaluate(policy(), () => snapshot(iteration)) : null;
    if (evaluation && limit !== null) span.evaluated(iteration, judge.valueOf(evaluation), limit);

    const metrics = collectMetrics(training, losses);
    if (evaluation) addEvaluation(metrics, evaluation, baseline);
    const isBest = judge.best !== bestSoFar;
    const isAtInterval = iteration > start && iteration % agent.save_interval === 0;
    const isLast = iteration === span.end - 1;
    const isSaved = isBest || (isAtInterval && !isLast);
    // Save before the score is published, and before a trial replaces the networks.
    if (isSaved) listener?.checkpoint(snapshot(iteration), envs.sampling.table());
    if (evaluation) trial?.evaluated(done, evaluation);
    const { envSteps } = progress;
    listener?.iteration({ iteration, end: span.end, envSteps, newSteps, ...times, metrics, evaluation, isBest });
  }
}

/** Explains a divergence. @param saved iterations of the last checkpoint and of the best policy, which it contains;
 *  null: no policy was evaluated */
function divergence(iteration: number, saved: { readonly last: number; readonly best: number } | null): string {
  const where = saved ? ` model_${saved.last}.pt contains the best policy, that of iteration ${saved.best}.` : '';
  return `the training diverged in iteration ${iteration}: losses are not finite. Lower the learning rate.${where}`;
}

/** Runs a part of a training. @returns false if a stop was requested before its end */
function completes(part: () => void): boolean {
  try {
    part();
    return true;
  } catch (error) {
    if (error instanceof StopRequested) return false;
    throw error;
  }
}

/** Starts with the networks of another run, if the training has such a start. @param floor see {@link StartTrial}
 *  @returns null if the training uses new networks */
function startTrial(
  { start, listener }: RankOptions,
  training: Training,
  averaged: AveragedActor,
  floor: Evaluation | null,
): StartTrial | null {
  if (!start) return null;
  const trial = new StartTrial(start, floor, { ...training, averaged }, listener);
  return trial.isDropped ? null : trial;
}

/** Evaluates the baseline. Reports it, and whether new or resumed networks are symmetric; {@link StartTrial} reports
 *  it for copied ones. */
function begin({ listener, start: copied }: RankOptions, training: Training, start: number): Evaluation {
  const { judge, task, unsymmetric } = training;
  const baseline = judge.zeroAction();
  listener?.baseline(baseline, start);
  if (task.agent.algorithm.symmetry && copied === null) listener?.symmetry(unsymmetric);
  return baseline;
}

/** Compares the best policies of a training. This costs a part of the steps, and leaves the networks with one of these
 *  policies. @param steps environment steps of the training */
function compareBest({ judge, networks, task }: Training, steps: number): void {
  judge.choose(steps, (checkpoint) => {
    restoreSnapshot(networks, checkpoint);
    return policyOf(networks, task.agent);
  });
}

/** Restores the best policy of a training. */
function restoreBest({ judge, networks }: Training, averaged: AveragedActor): void {
  if (!judge.best) return;
  restoreSnapshot(networks, judge.best);
  // The best checkpoint contains a mean, so the mean begins anew from it.
  averaged.restart();
}

/** Returns the metrics of an iteration. All threads must call it together. */
function collectMetrics({ statistics, networks, task, envs }: Training, losses: Losses): Metrics {
  const metrics = statistics.collect();
  addLosses(metrics, losses, networks.actor.std);
  if (task.commands.motion.rsi.sampling_mode === 'adaptive') addSampling(metrics, envs.sampling);
  return metrics;
}

/** Makes the resumed policy the first candidate for the best checkpoint, so a training never ends with a worse one.
 *  Every thread evaluates its share of the environments; only the first thread has a listener. */
function evaluateResumed(
  resume: Checkpoint,
  policy: PolicyWeights,
  { judge }: Training,
  listener: TrainingListener | null,
): void {
  const evaluation = judge.evaluate(policy, () => resume);
  listener?.resumed(evaluation);
}

/** Returns the options of the guide's environments: those of this thread, which it labels. */
function guideOptions(options: RankOptions, { task, envs }: Training): EnvironmentOptions {
  return environmentOptions(options, task, { first: 0, n: envs.n }, options.order.seed);
}

/** Returns the number of iterations that fit into the time limit, with the evaluations at the end of the training,
 *  extrapolated from the time so far. All threads must call it together: they use the clock of the first one, so that
 *  all decide alike.  @param at number of iterations and environment steps so far, begin of the training, time limit */
function iterationLimit(
  { group, judge }: Training,
  at: { readonly done: number; readonly steps: number; readonly began: number; readonly maxMs: number },
): number {
  const { done, steps, began, maxMs } = at;
  const [first] = group.gather(Float64Array.of(performance.now() - began, judge.closingMs(steps)));
  const [elapsedMs, closingMs] = first as unknown as [number, number];
  return (done * (maxMs - Math.min(closingMs, CLOSING_SHARE * maxMs))) / Math.max(1, elapsedMs);
}

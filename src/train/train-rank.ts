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
import type { WorkerGroup } from './ppo/worker-group.ts';
import { environmentOptions, type RankOptions } from './rank-options.ts';
import { StartTrial } from './start-trial.ts';
import type { TrainingListener } from './training-listener.ts';
import { TrainingSpan } from './training-span.ts';

/** Trains one thread's part in step with the other threads (data-parallel PPO, Schulman et al. 2017). Every thread has
 *  the same networks and its own environments. Deterministic for a seed and a number of threads.
 *  @throws StudioError bad_input if task, robot and clips do not match; RangeError for a checkpoint of another shape;
 *  Error if the losses diverge */
export function trainRank(options: RankOptions): void {
  const { listener, resume, order } = options;
  const training = createTraining(options);
  const { task, group, envs, networks, rollout, learner, statistics, judge } = training;
  const { agent } = task;
  const start = resume?.iteration ?? 0;
  const averaged = new AveragedActor(networks.actor, start);
  const maxMs = order.maxMinutes == null ? null : 60e3 * order.maxMinutes;
  const span = new TrainingSpan(start, agent.max_iterations, maxMs !== null);
  const trainedFrom = performance.now();
  const newSteps = task.scene.num_envs * agent.num_steps_per_env;
  let envSteps = resume?.envSteps ?? 0;
  const guide = new BriefGuide(guideOptions(options, training));
  const snapshot = (iteration: number) =>
    takeSnapshot(networks, { iteration, envSteps, learningRate: learner.learningRate }, averaged);
  const save = (iteration: number) => listener?.checkpoint(snapshot(iteration), envs.sampling.table());
  const policy = () => policyOf(networks, agent, averaged);
  const baseline = begin(options, training, start);
  const trial = startTrial(options, training, averaged);
  if (resume) evaluateResumed(resume, policy(), training, listener);
  else save(0);

  let iteration = start;
  let stopped = false;
  for (; iteration < span.end && !stopped; iteration++) {
    learner.algorithm = annealed(agent.algorithm, span.progress(iteration));
    const began = performance.now();
    rollout.collect(networks, () => statistics.step(), guide.at(trial ? trial.newSince(iteration) : iteration));
    adaptSampling(envs.sampling, group);
    const collected = performance.now();
    const losses = learner.learn(rollout);
    learner.updateNormalizers(rollout);
    averaged.add();
    const learned = performance.now();
    checkFinite(losses, iteration);
    envSteps += newSteps;

    stopped = group.stopAgreed();
    const bestSoFar = judge.best;
    const done = iteration + 1 - start;
    const elapsedMs = maxMs === null ? 0 : agreedMs(group, trainedFrom);
    if (maxMs !== null && elapsedMs >= maxMs) span.endAfter(iteration);
    const due = iteration === span.end - 1 || judge.isDue(done) || trial?.isDue(done) === true;
    const evaluation = due && !stopped ? judge.evaluate(policy(), () => snapshot(iteration)) : null;
    if (evaluation && maxMs !== null) span.evaluated(iteration, judge.valueOf(evaluation), (done * maxMs) / elapsedMs);

    const metrics = collectMetrics(training, losses);
    if (evaluation) addEvaluation(metrics, evaluation, baseline);
    const times = { collectionS: (collected - began) / 1e3, learningS: (learned - collected) / 1e3 };
    const isBest = judge.best !== bestSoFar;
    if (evaluation) trial?.evaluated(done, evaluation);
    listener?.iteration({ iteration, end: span.end, envSteps, newSteps, ...times, metrics, evaluation, isBest });
    const saves = iteration > start && iteration % agent.save_interval === 0 && iteration < span.end - 1;
    if (saves) save(iteration);
  }

  const last = Math.max(start, iteration - 1);
  const newlyDone = stopped ? 0 : envSteps - (resume?.envSteps ?? 0);
  chooseBest(training, averaged, newlyDone, () => save(last));
  const bestIteration = judge.best?.iteration ?? iteration - 1;
  const evaluation = stopped ? null : judge.final(policy());
  const levels = envs.sampling.table();
  listener?.finished({ checkpoint: snapshot(last), levels, bestIteration, evaluation, stopped });
  guide.delete();
  judge.delete();
  envs.delete();
}

/** Starts with the networks of another run, if the training has such a start. */
function startTrial(options: RankOptions, training: Training, averaged: AveragedActor): StartTrial | null {
  const { start, listener } = options;
  return start && new StartTrial(start, { ...training, averaged }, listener);
}

/** Evaluates the baseline. Reports it, and whether new or resumed networks are symmetric. A start reports that of the
 *  copied networks. */
function begin({ listener, start: copied }: RankOptions, training: Training, start: number): Evaluation {
  const { judge, task, unsymmetric } = training;
  const baseline = judge.zeroAction();
  listener?.baseline(baseline, start);
  if (task.agent.algorithm.symmetry && copied === null) listener?.symmetry(unsymmetric);
  return baseline;
}

/** Restores the best policy of a training. @param steps environment steps of the training, of which comparing the best
 *  policies takes a part; 0: the best evaluation decides  @param save saves a checkpoint of the best evaluation, which
 *  remains if the process is killed during the comparison */
function chooseBest(training: Training, averaged: AveragedActor, steps: number, save: () => void): void {
  const { judge, networks, task } = training;
  restoreBest(training, averaged);
  if (steps === 0) return;
  save();
  judge.choose(steps, (checkpoint) => {
    restoreSnapshot(networks, checkpoint);
    return policyOf(networks, task.agent);
  });
  restoreBest(training, averaged);
}

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

/** Makes the resumed policy the first candidate for the best checkpoint, so a training never ends with a worse one. Every
 *  thread evaluates its share of the environments; only the first thread has a listener. */
function evaluateResumed(
  resume: Checkpoint,
  policy: PolicyWeights,
  { judge }: Training,
  listener: TrainingListener | null,
): void {
  const evaluation = judge.evaluate(policy, () => resume);
  listener?.resumed(evaluation);
}

/** The environments of a guide: those of this thread, whose states it is given. */
function guideOptions(options: RankOptions, { task, envs }: Training): EnvironmentOptions {
  return environmentOptions(options, task, { first: 0, n: envs.n }, options.order.seed);
}

/** Returns the time since `began` on the clock of the first thread, ms: decisions of all threads are then the same. */
function agreedMs(group: WorkerGroup, began: number): number {
  const [first] = group.gather(Float64Array.of(performance.now() - began));
  return Math.max(1, first![0]!);
}

/** @throws Error if a loss is not finite */
function checkFinite({ value, surrogate, kl }: Losses, iteration: number): void {
  if (!Number.isFinite(value + surrogate + kl))
    throw new Error(`the training diverged in iteration ${iteration}: losses are not finite. Lower the learning rate.`);
}

import type { PolicyWeights } from '../../policy/policy.ts';
import { adaptSampling } from '../adapt-sampling.ts';
import { createTraining } from '../create-training.ts';
import { addEvaluation, addSampling, type Metrics } from '../metrics.ts';
import { policyOf } from '../ppo/actor-critic.ts';
import { restoreSnapshot, takeSnapshot } from '../ppo/snapshot.ts';
import { type RankOptions, shareOf } from '../rank-options.ts';
import { Distiller } from './distiller.ts';
import { Experts, handedOver } from './expert-policy.ts';

/** Options of one thread of a distillation. The student starts from `resume`. */
export interface DistilOptions extends RankOptions {
  readonly experts: readonly PolicyWeights[];
  /** `expertRows` of the library */
  readonly expertRows: Int16Array;
}

/** Distils experts into one policy, in step with the other threads. Deterministic for a seed and a number of threads.
 *  The result is the best policy among the student at its start and at each evaluation.
 *  @throws StudioError bad_input if task, robot and clips do not match; RangeError for a checkpoint of another shape */
export function distilRank(options: DistilOptions): void {
  const { listener, order, rank, memory, expertRows: rows, library } = options;
  const training = createTraining(options);
  const { task, group, envs, networks, judge, statistics } = training;
  const { agent } = task;
  const iterations = agent.max_iterations;
  const newSteps = task.scene.num_envs * agent.num_steps_per_env;
  const experts = new Experts(options.experts);
  const share = shareOf(task.scene.num_envs, memory.ranks, rank);
  const distiller = new Distiller(training, { experts, library, rows }, share.first, iterations, order.seed);
  let [rate, envSteps] = [0, 0];
  const snapshot = (iteration: number) => takeSnapshot(networks, { iteration, envSteps, learningRate: rate });
  const baseline = judge.zeroAction();
  listener?.baseline(baseline, 0);
  const ideal = judge.compare((judged) => handedOver(experts, judged, library, rows));
  judge.evaluate(policyOf(networks, agent), () => snapshot(0));

  let stopped = false;
  let iteration = 0;
  for (; iteration < iterations && !stopped; iteration++) {
    const began = performance.now();
    distiller.collect();
    adaptSampling(envs.sampling, group);
    const collected = performance.now();
    const learned = distiller.learn(iteration / iterations);
    rate = learned.rate;
    const ended = performance.now();
    envSteps += newSteps;
    const isLast = iteration === iterations - 1;
    stopped = group.stopAgreed();
    const due = isLast || judge.isDue(iteration + 1);
    const evaluation = due && !stopped ? judge.evaluate(policyOf(networks, agent), () => snapshot(iteration)) : null;
    const metrics: Metrics = statistics.collect();
    metrics.set('Loss/distillation', learned.loss);
    metrics.set('Loss/learning_rate', rate);
    if (task.commands.motion.rsi.sampling_mode === 'adaptive') addSampling(metrics, envs.sampling);
    if (evaluation) {
      addEvaluation(metrics, evaluation, baseline);
      metrics.set('Eval/experts_mean_episode_length', ideal.meanLength);
      metrics.set('Eval/experts_full_episodes', ideal.full);
    }
    const [collectionS, learningS] = [(collected - began) / 1e3, (ended - collected) / 1e3];
    listener?.iteration({
      iteration,
      end: iterations,
      envSteps,
      newSteps,
      collectionS,
      learningS,
      metrics,
      evaluation,
      isBest: evaluation !== null && judge.best?.iteration === iteration,
    });
    if (iteration > 0 && iteration % agent.save_interval === 0 && !isLast)
      listener?.checkpoint(snapshot(iteration), envs.sampling.table());
  }

  const last = Math.max(0, iteration - 1);
  const best = judge.best;
  if (best && best.iteration !== last) restoreSnapshot(networks, best);
  const evaluation = stopped ? null : judge.final(policyOf(networks, agent));
  const bestIteration = best?.iteration ?? last;
  const levels = envs.sampling.table();
  listener?.finished({ checkpoint: snapshot(last), levels, bestIteration, evaluation, stopped });
  judge.delete();
  envs.delete();
}

import { adaptSampling } from './adapt-sampling.ts';
import { annealed } from './annealing.ts';
import { createTraining } from './create-training.ts';
import { addEvaluation, addLosses, addSampling } from './metrics.ts';
import { policyOf } from './ppo/actor-critic.ts';
import type { Losses } from './ppo/learner.ts';
import { restoreSnapshot, takeSnapshot } from './ppo/snapshot.ts';
import type { RankOptions } from './rank-options.ts';

/** Trains one thread's part in step with the other threads (data-parallel PPO, Schulman et al. 2017). Every thread has
 *  the same networks and its own environments. Deterministic for a seed and a number of threads.
 *  @throws StudioError bad_input for parts that do not fit together; RangeError for a checkpoint of another shape;
 *  Error if the losses diverge */
export function trainRank(options: RankOptions): void {
  const { listener, resume } = options;
  const { task, group, envs, networks, rollout, learner, statistics, judge } = createTraining(options);
  const { agent } = task;
  const start = resume?.iteration ?? 0;
  const end = start + agent.max_iterations;
  const newSteps = task.scene.num_envs * agent.num_steps_per_env;
  let envSteps = resume?.envSteps ?? 0;
  const snapshot = (iteration: number) =>
    takeSnapshot(networks, { iteration, envSteps, learningRate: learner.learningRate });
  const baseline = judge.zeroAction();
  listener?.baseline(baseline, start);
  if (!resume) listener?.checkpoint(snapshot(0));

  let iteration = start;
  let stopped = false;
  for (; iteration < end && !stopped; iteration++) {
    learner.algorithm = annealed(agent.algorithm, (iteration - start) / agent.max_iterations);
    const began = performance.now();
    rollout.collect(networks, () => statistics.step());
    adaptSampling(envs.sampling, group);
    const collected = performance.now();
    const losses = learner.learn(rollout);
    learner.updateNormalizers(rollout);
    const learned = performance.now();
    checkFinite(losses, iteration);
    envSteps += newSteps;

    const isLast = iteration === end - 1;
    stopped = group.stopAgreed();
    const due = isLast || judge.isDue(iteration + 1 - start);
    const evaluation = due && !stopped ? judge.evaluate(policyOf(networks, agent), () => snapshot(iteration)) : null;

    const metrics = statistics.collect();
    addLosses(metrics, losses, networks.actor.std);
    if (task.commands.motion.rsi.sampling_mode === 'adaptive') addSampling(metrics, envs.sampling);
    if (evaluation) addEvaluation(metrics, evaluation, baseline);
    const [collectionS, learningS] = [(collected - began) / 1e3, (learned - collected) / 1e3];
    listener?.iteration({ iteration, end, envSteps, newSteps, collectionS, learningS, metrics, evaluation });
    const saves = iteration > start && iteration % agent.save_interval === 0 && !isLast;
    if (listener && saves) listener.checkpoint(snapshot(iteration));
  }

  const last = Math.max(start, iteration - 1);
  const bestIteration = judge.best?.iteration ?? iteration - 1;
  if (judge.best && bestIteration !== iteration - 1) restoreSnapshot(networks, judge.best);
  const evaluation = stopped ? null : judge.final(policyOf(networks, agent));
  listener?.finished({ checkpoint: snapshot(last), bestIteration, evaluation, stopped });
  judge.delete();
  envs.delete();
}

/** @throws Error if a loss is not finite */
function checkFinite({ value, surrogate, kl }: Losses, iteration: number): void {
  if (!Number.isFinite(value + surrogate + kl))
    throw new Error(`the training diverged in iteration ${iteration}: losses are not finite; lower the learning rate`);
}

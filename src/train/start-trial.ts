import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import type { Training } from './create-training.ts';
import type { Evaluation } from './evaluate.ts';
import { policyOf } from './ppo/actor-critic.ts';
import { restoreSnapshot, takeSnapshot } from './ppo/snapshot.ts';
import { warmStart } from './ppo/warm-start.ts';
import type { TrainingListener } from './training-listener.ts';

/** Copied networks are kept if they track longer than zero action by this factor at the first evaluation. Measured
 *  with the G1 after 25 iterations of a dance: new networks 1.9, networks of a walk 5.0, of generated motions 3.6. */
const HELPS = 1.25;

/** A start with the networks of another run, on trial until the first evaluation. They are the first candidate for the
 *  best checkpoint, so a training that keeps them never ends with less than it started with. */
export class StartTrial {
  readonly #training: Training;
  readonly #listener: TrainingListener | null;
  /** the new networks; null after the decision */
  #fresh: Checkpoint | null;

  /** Replaces the new networks by copies and evaluates these. Every thread calls it. */
  constructor(start: Checkpoint, training: Training, listener: TrainingListener | null) {
    const { task, networks, learner, judge } = training;
    this.#training = training;
    this.#listener = listener;
    this.#fresh = takeSnapshot(networks, { iteration: 0, envSteps: 0, learningRate: learner.learningRate });
    const copied = warmStart(start, task.agent);
    restoreSnapshot(networks, copied);
    learner.learningRate = copied.optimizer.learningRate;
    // Every thread evaluates its share; only the first one has a listener.
    const evaluation = judge.evaluate(policyOf(networks, task.agent), () => copied);
    listener?.started(evaluation, true);
  }

  /** Goes back to new networks if the copied ones do not help. Only the first call decides. */
  decide(evaluation: Evaluation, baseline: Evaluation): void {
    const fresh = this.#fresh;
    this.#fresh = null;
    if (fresh === null || evaluation.meanLength > HELPS * baseline.meanLength) return;
    const { networks, learner, judge } = this.#training;
    restoreSnapshot(networks, fresh);
    learner.learningRate = fresh.optimizer.learningRate;
    judge.forget();
    this.#listener?.started(evaluation, false);
  }
}

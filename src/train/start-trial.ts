import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import { NOT_SYMMETRIC, type Training } from './create-training.ts';
import type { Evaluation } from './evaluate.ts';
import { policyOf } from './ppo/actor-critic.ts';
import type { AveragedActor } from './ppo/averaged-actor.ts';
import { restoreSnapshot, takeSnapshot } from './ppo/snapshot.ts';
import { warmStart } from './ppo/warm-start.ts';
import type { TrainingListener } from './training-listener.ts';

/** Factor by which copied networks must track longer than zero action at the first evaluation to be kept. Measured with
 *  the G1 after 25 iterations of a dance: new networks 1.9, networks of a walk 5.0, of generated motions 3.6. */
const HELPS = 1.25;

/** The parts of a training that a start replaces. */
type TrialTraining = Pick<Training, 'task' | 'networks' | 'learner' | 'judge' | 'unsymmetric'> & {
  readonly averaged: AveragedActor;
};

/** Tries the networks of another run until the first evaluation. The copied networks are the first candidate for the
 *  best checkpoint, so a training that keeps them never ends with a worse policy than it started with. */
export class StartTrial {
  readonly #training: TrialTraining;
  readonly #listener: TrainingListener | null;
  /** the new networks; null after the decision */
  #fresh: Checkpoint | null;

  /** Replaces the new networks by copies of the other run's networks and evaluates the copies. Every thread calls
   *  it. */
  constructor(start: Checkpoint, training: TrialTraining, listener: TrainingListener | null) {
    const { task, networks, averaged, learner, judge } = training;
    this.#training = training;
    this.#listener = listener;
    this.#fresh = takeSnapshot(networks, { iteration: 0, envSteps: 0, learningRate: learner.learningRate });
    const copied = warmStart(start, task.agent);
    restoreSnapshot(networks, copied);
    averaged.restart();
    learner.learningRate = copied.optimizer.learningRate;
    // Every thread evaluates its share of the environments; only the first thread has a listener.
    const evaluation = judge.evaluate(policyOf(networks, task.agent), () => copied);
    listener?.started(evaluation, true);
    this.#checkSymmetry();
  }

  /** Returns to the new networks if the copied ones do not help. Only the first call has an effect. */
  decide(evaluation: Evaluation, baseline: Evaluation): void {
    const fresh = this.#fresh;
    this.#fresh = null;
    if (fresh === null || evaluation.meanLength > HELPS * baseline.meanLength) return;
    const { networks, averaged, learner, judge } = this.#training;
    restoreSnapshot(networks, fresh);
    averaged.restart();
    learner.learningRate = fresh.optimizer.learningRate;
    judge.forget();
    this.#listener?.started(evaluation, false);
    this.#checkSymmetry();
  }

  /** Networks of other trainers are usually not symmetric. */
  #checkSymmetry(): void {
    const { learner, task, unsymmetric } = this.#training;
    const isSymmetric = learner.checkSymmetry();
    if (task.agent.algorithm.symmetry) this.#listener?.symmetry(isSymmetric ? null : (unsymmetric ?? NOT_SYMMETRIC));
  }
}

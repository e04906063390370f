import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import { NOT_SYMMETRIC, type Training } from './create-training.ts';
import type { Evaluation } from './evaluate.ts';
import { policyOf } from './ppo/actor-critic.ts';
import type { AveragedActor } from './ppo/averaged-actor.ts';
import { restoreSnapshot, takeSnapshot } from './ppo/snapshot.ts';
import { warmStart } from './ppo/warm-start.ts';
import type { TrainingListener } from './training-listener.ts';

/** Largest number of iterations, and largest share of a training, for which each of the two kinds of networks is
 *  trained before they are compared. New networks are guided for as long (`agent.guided_iterations`). */
export const TRIAL = 40;
const SHARE = 0.1;
/** Copied networks that track this share of the longest episode are kept without a comparison: new networks can hardly
 *  be better. */
const KEPT_SHARE = 0.9;

/** The parts of a training that a start replaces. */
type TrialTraining = Pick<Training, 'task' | 'networks' | 'learner' | 'judge' | 'unsymmetric'> & {
  readonly averaged: AveragedActor;
};

/** Starts a training with the networks of another run, and compares them with new networks: both are trained for the
 *  same number of iterations, and the training continues with the better ones. So a start costs at most these
 *  iterations. It costs only an evaluation if the copied networks track less than zero action and new ones would be
 *  guided for {@link TRIAL} iterations: then new networks replace them at once. With all eight motions measured, such
 *  copies were worse than guided networks after these iterations. The copied networks are the first candidate for the
 *  best checkpoint, so a training that keeps them never ends with a worse policy than it started with. */
export class StartTrial {
  readonly #training: TrialTraining;
  readonly #listener: TrainingListener | null;
  readonly #length: number;
  readonly #fresh: Checkpoint;
  #phase: 'copied' | 'new' | 'decided';
  #isDropped = false;
  /** whether new networks are trained: during their iterations, and for good if they are better */
  #trainsNew = false;
  /** best evaluation of the copied networks, and these networks after their iterations */
  #copied: Evaluation;
  #trained: Checkpoint | null = null;
  /** whether the networks are symmetric, as it was reported last */
  #isSymmetric: boolean | null = null;

  /** Replaces the new networks by copies of the other run's networks and evaluates the copies. Every thread calls it.
   *  @param floor evaluation of zero action: copies that track less are dropped; null: copies are never dropped */
  constructor(start: Checkpoint, floor: Evaluation | null, training: TrialTraining, listener: TrainingListener | null) {
    const { task, networks, averaged, learner, judge } = training;
    this.#training = training;
    this.#listener = listener;
    this.#length = Math.min(TRIAL, Math.floor(SHARE * task.agent.max_iterations));
    this.#phase = this.#length === 0 ? 'decided' : 'copied';
    this.#fresh = this.#snapshot();
    const copied = warmStart(start, task.agent);
    restoreSnapshot(networks, copied);
    averaged.restart();
    learner.learningRate = copied.optimizer.learningRate;
    // Every thread evaluates its share of the environments; only the first thread has a listener.
    this.#copied = judge.evaluate(policyOf(networks, task.agent), () => copied);
    listener?.started(this.#copied);
    this.#checkSymmetry();
    if (floor && this.#length === TRIAL && this.#copied.meanLength < floor.meanLength) this.#drop(floor);
  }

  /** Whether new networks took the place of the copied ones before the first iteration. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  /** Returns the number of earlier iterations of the new networks; null if the iteration trains copied ones. */
  newSince(iteration: number): number | null {
    return this.#trainsNew ? iteration - this.#length : null;
  }

  /** Returns whether the policy must be evaluated after `done` iterations. */
  isDue(done: number): boolean {
    return this.#phase !== 'decided' && done === this.#length * (this.#phase === 'copied' ? 1 : 2);
  }

  /** Uses an evaluation. After the iterations of the copied networks, it switches to new networks; after those of the
   *  new ones, it keeps the better networks. @param done iterations */
  evaluated(done: number, evaluation: Evaluation): void {
    if (this.#phase === 'copied') {
      if (this.#isBetter(evaluation, this.#copied)) this.#copied = evaluation;
      if (done < this.#length) return;
      if (this.#training.judge.valueOf(this.#copied).share >= KEPT_SHARE) {
        this.#phase = 'decided';
        return;
      }
      this.#trained = this.#snapshot();
      this.#phase = 'new';
      this.#trainsNew = true;
      this.#replace(this.#fresh);
    } else if (this.#phase === 'new' && done >= 2 * this.#length) {
      this.#phase = 'decided';
      const isKept = !this.#isBetter(evaluation, this.#copied);
      this.#trainsNew = !isKept;
      // The best checkpoint of a training with new networks is not one of the copied ones.
      if (isKept) this.#replace(this.#trained!);
      else this.#training.judge.forgetBefore(this.#length);
      this.#listener?.compared(this.#copied, evaluation, isKept);
    }
  }

  #drop(zeroAction: Evaluation): void {
    this.#phase = 'decided';
    this.#isDropped = true;
    this.#replace(this.#fresh);
    this.#training.judge.forgetBefore(1);
    this.#listener?.dropped(this.#copied, zeroAction);
  }

  #isBetter(one: Evaluation, other: Evaluation): boolean {
    const { judge } = this.#training;
    return judge.valueOf(one).score > judge.valueOf(other).score;
  }

  #snapshot(): Checkpoint {
    const { networks, learner } = this.#training;
    return takeSnapshot(networks, { iteration: 0, envSteps: 0, learningRate: learner.learningRate });
  }

  #replace(checkpoint: Checkpoint): void {
    const { networks, averaged, learner } = this.#training;
    restoreSnapshot(networks, checkpoint);
    averaged.restart();
    learner.learningRate = checkpoint.optimizer.learningRate;
    this.#checkSymmetry();
  }

  /** Reports whether the networks are symmetric, if that changed. Networks of other trainers usually are not. */
  #checkSymmetry(): void {
    const { learner, task, unsymmetric } = this.#training;
    const before = this.#isSymmetric;
    const now = learner.checkSymmetry();
    this.#isSymmetric = now;
    if (now === before || !task.agent.algorithm.symmetry) return;
    this.#listener?.symmetry(now ? null : (unsymmetric ?? NOT_SYMMETRIC));
  }
}

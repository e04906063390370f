import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import type { Evaluation } from './evaluate.ts';
import type { Metrics } from './metrics.ts';

/** Receives the progress of a training. Rank 0 alone has one. */
export interface TrainingListener {
  /** Before the first iteration: the evaluation of zero action. @param start number of the first iteration */
  baseline(evaluation: Evaluation, start: number): void;
  /** After each iteration. */
  iteration(report: TrainingReport): void;
  /** A checkpoint to save, taken during the training. */
  checkpoint(checkpoint: Checkpoint): void;
  /** At the end, with the checkpoint that the training results in. */
  finished(result: TrainingResult): void;
}

/** One iteration of a training. */
export interface TrainingReport {
  readonly iteration: number;
  /** number after the last iteration */
  readonly end: number;
  /** environment steps since the training began, and those of this iteration */
  readonly envSteps: number;
  readonly newSteps: number;
  readonly collectionS: number;
  readonly learningS: number;
  readonly metrics: Metrics;
  /** null where this iteration was not evaluated */
  readonly evaluation: Evaluation | null;
}

/** What a training ends with. */
export interface TrainingResult {
  readonly checkpoint: Checkpoint;
  /** iteration whose networks the checkpoint holds */
  readonly bestIteration: number;
  /** on starts that were not used to choose the checkpoint; null after a requested stop */
  readonly evaluation: Evaluation | null;
  /** whether the training ended before its last iteration because a stop was requested */
  readonly stopped: boolean;
}

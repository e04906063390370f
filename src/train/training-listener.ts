import type { LevelTable } from '../mdp/command/adaptive-sampling.ts';
import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import type { Evaluation } from './evaluate.ts';
import type { Metrics } from './metrics.ts';

/** Receives the progress of a training. Only rank 0 has a listener. */
export interface TrainingListener {
  /** Called before the first iteration with the evaluation of the baseline (zero actions). @param start number of the
   *  first iteration */
  baseline(evaluation: Evaluation, start: number): void;
  /** Called if the task asks for symmetric networks: before the first iteration, and after other networks
   *  replaced these. @param unsymmetric why they are not symmetric; null if they are */
  symmetry(unsymmetric: string | null): void;
  /** Called before the first iteration with an evaluation of networks copied from another run. */
  started(evaluation: Evaluation): void;
  /** Called before the first iteration if new networks replace copied ones, because these track less than zero
   *  action. */
  dropped(copied: Evaluation, zeroAction: Evaluation): void;
  /** Called after copied and new networks were trained for the same number of iterations. @param copied best evaluation
   *  of the copied networks  @param fresh evaluation of the new ones  @param kept whether the training keeps the copied
   *  ones */
  compared(copied: Evaluation, fresh: Evaluation, kept: boolean): void;
  /** Called before the first iteration with an evaluation of the policy of the resumed checkpoint. */
  resumed(evaluation: Evaluation): void;
  /** Called after each iteration. */
  iteration(report: TrainingReport): void;
  /** Called with a checkpoint to save during the training. @param levels failure levels of the adaptive sampling */
  checkpoint(checkpoint: Checkpoint, levels: LevelTable): void;
  /** Called at the end with the resulting checkpoint of the training. */
  finished(result: TrainingResult): void;
}

/** One iteration of a training. */
export interface TrainingReport {
  readonly iteration: number;
  /** number of the last iteration + 1 */
  readonly end: number;
  /** environment steps since the training began, and those of this iteration */
  readonly envSteps: number;
  readonly newSteps: number;
  readonly collectionS: number;
  readonly learningS: number;
  readonly metrics: Metrics;
  /** null if this iteration was not evaluated */
  readonly evaluation: Evaluation | null;
  /** whether the evaluation is the best so far */
  readonly isBest: boolean;
}

/** The result of a training. */
export interface TrainingResult {
  readonly checkpoint: Checkpoint;
  /** failure levels of the adaptive sampling at the end */
  readonly levels: LevelTable;
  /** iteration from which the checkpoint's networks are */
  readonly bestIteration: number;
  /** evaluation from starts that were not used to choose the checkpoint; null after a requested stop */
  readonly evaluation: Evaluation | null;
  /** whether a stop was requested before the end of the training */
  readonly stopped: boolean;
}

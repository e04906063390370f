import type { LevelTable } from '../../mdp/command/adaptive-sampling.ts';
import type { Checkpoint } from '../../runs/checkpoint/write-checkpoint.ts';
import type { Evaluation } from '../evaluate.ts';
import type { RunFolder, TrainingOutcome } from '../run-folder.ts';
import type { TrainingListener, TrainingReport, TrainingResult } from '../training-listener.ts';
import type { TrainingRecorder } from '../training-recorder.ts';

export interface PhaseOptions {
  /** number of iterations of the run before the phase */
  readonly offset: number;
  /** number of iterations of the run at the end of the phase */
  readonly end: number;
  /** environment steps per iteration */
  readonly newSteps: number;
  /** whether the phase is the last one of the run */
  readonly isLast: boolean;
  /** outcome of earlier phases; null for the first */
  readonly earlier: TrainingOutcome | null;
}

/** Result of a phase. */
export interface PhaseEnd {
  /** file name of the checkpoint that the phase produced */
  readonly checkpoint: string;
  readonly outcome: TrainingOutcome;
}

/** Records one phase of a run. Numbers its iterations and environment steps over the whole run. */
export class PhaseListener implements TrainingListener {
  readonly #run: RunFolder;
  readonly #recorder: TrainingRecorder;
  readonly #options: PhaseOptions;
  #end: PhaseEnd | null = null;
  #stopped = false;

  constructor(run: RunFolder, recorder: TrainingRecorder, options: PhaseOptions) {
    this.#run = run;
    this.#recorder = recorder;
    this.#options = options;
  }

  /** The result of the phase; null until it has ended. */
  get end(): PhaseEnd | null {
    return this.#end;
  }

  /** Whether the phase ended before its last iteration because a stop was requested. */
  get stopped(): boolean {
    return this.#stopped;
  }

  baseline(evaluation: Evaluation, start: number): void {
    this.#recorder.baseline(evaluation, start + this.#options.offset);
  }

  symmetry(unsymmetric: string | null): void {
    this.#recorder.symmetry(unsymmetric);
  }

  started(evaluation: Evaluation): void {
    this.#recorder.started(evaluation);
  }

  compared(copied: Evaluation, fresh: Evaluation, kept: boolean): void {
    this.#recorder.compared(copied, fresh, kept);
  }

  resumed(evaluation: Evaluation): void {
    this.#recorder.resumed(evaluation);
  }

  iteration(report: TrainingReport): void {
    const { offset, end, newSteps } = this.#options;
    const iteration = report.iteration + offset;
    this.#recorder.iteration({ ...report, iteration, end, envSteps: report.envSteps + offset * newSteps });
  }

  checkpoint(checkpoint: Checkpoint, levels: LevelTable): void {
    this.#recorder.checkpoint(this.#numbered(checkpoint), levels);
  }

  finished(result: TrainingResult): void {
    const checkpoint = this.#numbered(result.checkpoint);
    const bestIteration = result.bestIteration + this.#options.offset;
    this.#stopped = result.stopped;
    if (this.#options.isLast || result.stopped) this.#recorder.finished({ ...result, checkpoint, bestIteration });
    else {
      this.#recorder.checkpoint(checkpoint, result.levels);
      this.#run.close();
    }
    this.#end = { checkpoint: `model_${checkpoint.iteration}.pt`, outcome: this.#recorder.outcome };
  }

  #numbered(checkpoint: Checkpoint): Checkpoint {
    const { offset, newSteps } = this.#options;
    return {
      ...checkpoint,
      iteration: checkpoint.iteration + offset,
      envSteps: checkpoint.envSteps + offset * newSteps,
    };
  }
}

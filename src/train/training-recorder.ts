import { writeSync } from 'node:fs';
import path from 'node:path';
import type { LevelTable } from '../mdp/command/adaptive-sampling.ts';
import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import { iterationBlock } from './console.ts';
import type { Evaluation } from './evaluate.ts';
import { checkpointName, type RunFolder, type TrainingOutcome } from './run-folder.ts';
import type { TrainingListener, TrainingReport, TrainingResult } from './training-listener.ts';

const STDOUT = 1;
const RETRY_MS = 10;

interface RecorderOptions {
  /** duration of a control step, s */
  readonly stepS: number;
  /** duration of the longest episode of an evaluation, s */
  readonly horizonS: number;
  /** path of the run whose networks the training copies */
  readonly startFrom: string | null;
  /** path of the run from which the networks of a resumed run came */
  readonly origin: string | null;
}

/** Records the progress of a training: console, event file, checkpoints, result. */
export class TrainingRecorder implements TrainingListener {
  readonly #run: RunFolder;
  readonly #stepS: number;
  readonly #horizonS: number;
  readonly #startFrom: string | null;
  readonly #began = performance.now();
  #start = 0;
  #stopped = false;
  #outcome: TrainingOutcome;

  constructor(run: RunFolder, { stepS, horizonS, startFrom, origin }: RecorderOptions) {
    this.#run = run;
    this.#stepS = stepS;
    this.#horizonS = horizonS;
    this.#startFrom = startFrom;
    this.#outcome = { started_from: origin, seconds: 0, env_steps: 0, score: null, checkpoint: null };
  }

  /** Whether a stop was requested before the end of the training. */
  get stopped(): boolean {
    return this.#stopped;
  }

  baseline(evaluation: Evaluation, start: number): void {
    this.#start = start;
    this.#note({});
    this.#print(`[INFO] Zero action, without noise: ${this.#describe(evaluation)}\n`);
  }

  symmetry(unsymmetric: string | null): void {
    this.#print(
      unsymmetric === null
        ? '[INFO] The networks are symmetric: a mirrored state gives the mirrored action\n'
        : `[INFO] The networks are not symmetric: ${unsymmetric}\n`,
    );
  }

  started(evaluation: Evaluation): void {
    this.#print(`[INFO] Started from another run, without noise: ${this.#describe(evaluation)}\n`);
    this.#note({ started_from: this.#startFrom, ...this.#scored(evaluation, checkpointName(this.#start)) });
  }

  dropped(copied: Evaluation, zeroAction: Evaluation): void {
    const values = `Copied networks: ${this.#describe(copied)}. Zero action: ${this.#describe(zeroAction)}`;
    this.#print(`[INFO] New networks replace those of the other run, which track less than zero action. ${values}\n`);
    this.#note({ started_from: null, score: null, checkpoint: null });
  }

  compared(copied: Evaluation, fresh: Evaluation, kept: boolean): void {
    const what = kept ? 'The networks of the other run are kept' : 'New networks replace those of the other run';
    this.#print(`[INFO] ${what}. Copied networks: ${this.#describe(copied)}. New networks: ${this.#describe(fresh)}\n`);
    // The checkpoint of the new networks is the newest one.
    if (!kept) this.#note({ started_from: null, score: this.#scoreOf(fresh), checkpoint: null });
  }

  resumed(evaluation: Evaluation): void {
    this.#print(`[INFO] Resumed policy, without noise: ${this.#describe(evaluation)}\n`);
    this.#note(this.#scored(evaluation, checkpointName(this.#start)));
  }

  iteration(report: TrainingReport): void {
    const { iteration, end, collectionS, learningS, envSteps, newSteps, metrics, evaluation } = report;
    const elapsedS = (performance.now() - this.#began) / 1e3;
    const done = iteration + 1 - this.#start;
    const stepsPerSecond = newSteps / (collectionS + learningS);
    metrics.set('Perf/total_fps', stepsPerSecond);
    metrics.set('Perf/collection_time', collectionS);
    metrics.set('Perf/learning_time', learningS);
    this.#run.events?.write(
      iteration,
      [...metrics].map(([tag, value]) => ({ tag, value })),
    );
    this.#print(
      iterationBlock({
        iteration,
        end,
        runName: path.basename(this.#run.folder),
        envSteps,
        stepsPerSecond,
        collectionS,
        learningS,
        elapsedS,
        etaS: (elapsedS / done) * (end - iteration - 1),
        metrics,
      }),
    );
    if (!evaluation) return;
    this.#print(`[INFO] Evaluation, without noise: ${this.#describe(evaluation)}\n`);
    this.#note({ env_steps: envSteps, ...(report.isBest ? this.#scored(evaluation, checkpointName(iteration)) : {}) });
  }

  checkpoint(checkpoint: Checkpoint, levels: LevelTable): void {
    this.#run.save(checkpoint, levels);
  }

  finished({ checkpoint, levels, bestIteration, evaluation, stopped }: TrainingResult): void {
    const name = this.#run.save(checkpoint, levels);
    this.#stopped = stopped;
    const chosen =
      bestIteration === checkpoint.iteration ? '' : `, with the networks of the best iteration, ${bestIteration}`;
    this.#note({ env_steps: checkpoint.envSteps, ...(evaluation ? this.#scored(evaluation, name) : {}) });
    this.#print(`[INFO] ${stopped ? 'Stopped' : 'Done'}: ${name}${chosen}\n`);
    if (evaluation) this.#print(`Evaluation from other starts: ${this.#describe(evaluation)}\n`);
    this.#run.close();
  }

  #note(news: Partial<TrainingOutcome>): void {
    const seconds = Math.round((performance.now() - this.#began) / 100) / 10;
    this.#outcome = { ...this.#outcome, seconds, ...news };
    this.#run.record(this.#outcome);
  }

  #scored(evaluation: Evaluation, checkpoint: string): Pick<TrainingOutcome, 'score' | 'checkpoint'> {
    return { score: this.#scoreOf(evaluation), checkpoint };
  }

  #scoreOf({ meanLength, full, bodyError }: Evaluation): TrainingOutcome['score'] {
    const round = (value: number) => Math.round(value * 1e4) / 1e4;
    return {
      tracked_s: round(meanLength * this.#stepS),
      horizon_s: this.#horizonS,
      success: round(full),
      body_pos: round(bodyError),
    };
  }

  #describe({ episodes, meanLength, full, tracking, bodyError, jointError }: Evaluation): string {
    const parts = [
      `${(meanLength * this.#stepS).toFixed(2)} s`,
      `${(100 * full).toFixed(1)} % full`,
      `tracking ${tracking.toFixed(3)}`,
      `bodies ${bodyError.toFixed(3)} m`,
      `joints ${jointError.toFixed(3)} rad`,
    ];
    return `${parts.join(', ')} over ${episodes} episodes`;
  }

  /** Writes to the file descriptor. `process.stdout` of a thread passes through the main thread, which may end
   *  first. */
  #print(text: string): void {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) {
      try {
        done += writeSync(STDOUT, bytes, done);
      } catch (error) {
        // EAGAIN: the reader of a pipe is slow, so try again. The service passes a file, which never reports EAGAIN.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}

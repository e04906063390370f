import { writeSync } from 'node:fs';
import path from 'node:path';
import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import { iterationBlock } from './console.ts';
import type { Evaluation } from './evaluate.ts';
import type { RunFolder } from './run-folder.ts';
import type { TrainingListener, TrainingReport, TrainingResult } from './training-listener.ts';

const STDOUT = 1;
const RETRY_MS = 10;

/** Records the progress of a training: console, event file, checkpoints. */
export class TrainingRecorder implements TrainingListener {
  readonly #run: RunFolder;
  readonly #stepS: number;
  readonly #began = performance.now();
  #start = 0;
  #stopped = false;

  /** @param stepS duration of a control step, s */
  constructor(run: RunFolder, stepS: number) {
    this.#run = run;
    this.#stepS = stepS;
  }

  /** Whether the training ended before its last iteration because a stop was requested. */
  get stopped(): boolean {
    return this.#stopped;
  }

  baseline(evaluation: Evaluation, start: number): void {
    this.#start = start;
    this.#print(`[INFO] Zero action, without noise: ${this.#describe(evaluation)}\n`);
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
    if (evaluation) this.#print(`[INFO] Evaluation, without noise: ${this.#describe(evaluation)}\n`);
  }

  checkpoint(checkpoint: Checkpoint): void {
    this.#run.save(checkpoint);
  }

  finished({ checkpoint, bestIteration, evaluation, stopped }: TrainingResult): void {
    const name = this.#run.save(checkpoint);
    this.#stopped = stopped;
    const chosen =
      bestIteration === checkpoint.iteration ? '' : `, with the networks of the best iteration, ${bestIteration}`;
    this.#print(`[INFO] ${stopped ? 'Stopped' : 'Done'}: ${name}${chosen}\n`);
    if (evaluation) this.#print(`[INFO] Evaluation from other starts: ${this.#describe(evaluation)}\n`);
    this.#run.close();
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

  /** Writes to the file descriptor, because `process.stdout` of a thread passes through the main thread, which may end
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

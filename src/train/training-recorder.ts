import { writeSync } from 'node:fs';
import path from 'node:path';
import type { Checkpoint } from '../runs/checkpoint/write-checkpoint.ts';
import { iterationBlock } from './console.ts';
import type { Evaluation } from './evaluate.ts';
import type { RunFolder } from './run-folder.ts';
import type { TrainingListener, TrainingReport, TrainingResult } from './train-rank.ts';

const STDOUT = 1;
const RETRY_MS = 10;

/** Writes down what a training tells: console, event file, checkpoints. */
export class TrainingRecorder implements TrainingListener {
  readonly #run: RunFolder;
  readonly #stepS: number;
  readonly #began = performance.now();
  #first: number | null = null;
  #stopped = false;

  /** @param stepS s of a control step */
  constructor(run: RunFolder, stepS: number) {
    this.#run = run;
    this.#stepS = stepS;
  }

  /** Whether the training ended before its last iteration, as it was asked to. */
  get stopped(): boolean {
    return this.#stopped;
  }

  baseline(evaluation: Evaluation, start: number): void {
    this.#first = start;
    this.#print(`[INFO] Zero action, without chance: ${this.#words(evaluation)}\n`);
  }

  iteration(report: TrainingReport): void {
    const { iteration, end, collectionS, learningS, envSteps, newSteps, figures, evaluation } = report;
    const elapsedS = (performance.now() - this.#began) / 1e3;
    const done = iteration + 1 - (this.#first ?? 0);
    const stepsPerSecond = newSteps / (collectionS + learningS);
    figures.set('Perf/total_fps', stepsPerSecond);
    figures.set('Perf/collection_time', collectionS);
    figures.set('Perf/learning_time', learningS);
    this.#run.events?.write(
      iteration,
      [...figures].map(([tag, value]) => ({ tag, value })),
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
        figures,
      }),
    );
    if (evaluation) this.#print(`[INFO] Evaluation, without chance: ${this.#words(evaluation)}\n`);
  }

  checkpoint(checkpoint: Checkpoint): void {
    this.#run.save(checkpoint);
  }

  finished({ checkpoint, bestIteration, evaluation, stopped }: TrainingResult): void {
    const name = this.#run.save(checkpoint);
    this.#stopped = stopped;
    const chosen =
      bestIteration === checkpoint.iteration ? '' : `, with the networks of iteration ${bestIteration}, the best`;
    this.#print(`[INFO] ${stopped ? 'Stopped' : 'Done'}: ${name}${chosen}\n`);
    if (evaluation) this.#print(`[INFO] Evaluation from other starts: ${this.#words(evaluation)}\n`);
    this.#run.close();
  }

  #words({ episodes, meanLength, full, tracking, bodyError, jointError }: Evaluation): string {
    const parts = [
      `${(meanLength * this.#stepS).toFixed(2)} s`,
      `${(100 * full).toFixed(1)} % full`,
      `tracking ${tracking.toFixed(3)}`,
      `bodies ${bodyError.toFixed(3)} m`,
      `joints ${jointError.toFixed(3)} rad`,
    ];
    return `${parts.join(', ')} over ${episodes} episodes`;
  }

  /** Straight to the descriptor: a thread's own output passes through the main thread, which may end first. */
  #print(text: string): void {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) {
      try {
        done += writeSync(STDOUT, bytes, done);
      } catch (error) {
        // A pipe whose reader is slow: a file, as the service gives it, never says so.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}

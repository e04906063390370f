import path from 'node:path';
import { iterationBlock } from '../console.ts';
import type { RunFolder } from '../run-folder.ts';
import type { TrainingReport } from '../training-listener.ts';
import type { ExpertResult, LibraryPlan } from './library-run.ts';

/** Records the trainings of experts, which run in parallel: console blocks numbered over the whole run, and one curve
 *  for each expert. */
export class ExpertsRecorder {
  readonly #run: RunFolder;
  readonly #plan: LibraryPlan;
  readonly #stepS: number;
  readonly #print: (text: string) => void;
  readonly #began = performance.now();
  readonly #start: number;
  #done: number;

  /** @param done iterations of the run so far  @param stepS duration of a control step, s */
  constructor(run: RunFolder, plan: LibraryPlan, done: number, stepS: number, print: (text: string) => void) {
    this.#run = run;
    this.#plan = plan;
    this.#start = done;
    this.#done = done;
    this.#stepS = stepS;
    this.#print = print;
  }

  iteration(expert: number, report: TrainingReport): void {
    const { metrics, evaluation, newSteps, collectionS, learningS } = report;
    const iteration = this.#done;
    this.#done += 1;
    const elapsedS = (performance.now() - this.#began) / 1e3;
    const done = this.#done - this.#start;
    const { end, experts } = this.#plan;
    const number = `${expert + 1}/${experts.length}`;
    this.#print(
      iterationBlock({
        iteration,
        end,
        runName: `${path.basename(this.#run.folder)}, expert ${number}`,
        envSteps: this.#done * newSteps,
        stepsPerSecond: (done * newSteps) / elapsedS,
        collectionS,
        learningS,
        elapsedS,
        etaS: (elapsedS / done) * (end - this.#done),
        metrics,
      }),
    );
    if (!evaluation) return;
    const value = evaluation.meanLength;
    const tag = `Experts/${String(expert + 1).padStart(3, '0')}_mean_episode_length`;
    this.#run.events?.write(iteration, [{ tag, value }]);
    this.#print(
      `[INFO] Expert ${number}, ${experts[expert]!.name}: ${(value * this.#stepS).toFixed(2)} s, ${(100 * evaluation.full).toFixed(1)} % full\n`,
    );
  }

  /** Records an expert that another process has trained, and counts its iterations. */
  takeOver(expert: number, result: ExpertResult): void {
    this.#done += result.iterations;
    const elapsedS = (performance.now() - this.#began) / 1e3;
    this.#print(` Learning iteration ${this.#done - 1}/${this.#plan.end} \n`);
    this.#print(`[INFO] A helper has trained an expert; ${elapsedS.toFixed(0)} s since the experts began\n`);
    this.finished(expert, result);
  }

  finished(expert: number, { iterations, tracked_s: tracked }: ExpertResult): void {
    const { name, base_s: base } = this.#plan.experts[expert]!;
    const reached = tracked === null ? '' : `, ${tracked.toFixed(2)} s (base policy ${base.toFixed(2)} s)`;
    this.#print(`[INFO] Finished expert ${expert + 1}, ${name}: ${iterations} iterations${reached}\n`);
  }
}

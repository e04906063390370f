import type { TermIndices } from '../mdp/env-state.ts';
import type { Environments } from '../mdp/environments.ts';
import { STEP_ERRORS, writeStepErrors } from '../mdp/step-errors.ts';

/** Length of the window, s. */
const WINDOW_S = 10;

/** Tracking errors of one environment over the last 10 s of simulated time in which its robot was not down. So a robot
 *  that waits for the others keeps its errors. */
export class ComparedErrors {
  readonly #envs: Environments;
  readonly #indices: Pick<TermIndices, 'anchor' | 'keybodies'>;
  /** (steps, STEP_ERRORS) NaN before the first steps */
  readonly #rows: Float64Array;
  readonly #steps: number;
  #next = 0;

  constructor(envs: Environments, indices: Pick<TermIndices, 'anchor' | 'keybodies'>) {
    this.#envs = envs;
    this.#indices = indices;
    this.#steps = Math.max(1, Math.round(WINDOW_S / envs.stepS));
    this.#rows = new Float64Array(this.#steps * STEP_ERRORS.length).fill(Number.NaN);
  }

  clear(): void {
    this.#rows.fill(Number.NaN);
  }

  /** Adds a step in which the robot is not down. */
  add(): void {
    writeStepErrors(this.#envs.state, 0, this.#indices, this.#rows, this.#next * STEP_ERRORS.length);
    this.#next = (this.#next + 1) % this.#steps;
  }

  /** Writes the number of included steps and the sums of their errors. Adds the oldest step first, so that the same
   *  steps give bit-identical sums. @param out starting at `out[at]` */
  write(out: Float64Array, at: number): void {
    const count = STEP_ERRORS.length;
    out.fill(0, at, at + 1 + count);
    for (let k = 0; k < this.#steps; k += 1) {
      const row = ((this.#next + k) % this.#steps) * count;
      if (Number.isNaN(this.#rows[row]!)) continue;
      out[at] = out[at]! + 1;
      for (let error = 0; error < count; error += 1) out[at + 1 + error]! += this.#rows[row + error]!;
    }
  }
}

/** Share of the iterations after which annealing begins, see annealed(). */
const EXPLORING = 0.4;
/** Share of the longest episode that the policy must track before annealing begins. Below it, larger steps still
 *  help. */
const LEARNED = 0.7;
/** Minimum increase of the score, as a share of the longest episode, that is treated as an improvement. Evaluations of
 *  64 starts fluctuate by about this much. */
const GAIN = 0.01;
/** If the evaluation does not improve for this share of the planned iterations, it is considered to have converged. */
const PATIENCE = { exploring: 0.3, finishing: 0.15 } as const;
/** The planned end is postponed by this share of the planned iterations while the evaluation still improves. */
const EXTENSION = 0.15;
/** Share of the planned iterations after which annealing is complete. */
const ANNEALED = 0.7;

/** The values of an evaluation that `TrainingSpan` uses. */
export interface SpanEvaluation {
  /** tracked share of the longest episode, 0..1 */
  readonly share: number;
  /** score by which checkpoints are chosen */
  readonly score: number;
}

/** The iterations of a training. With a limit, the number of iterations is automatic: the training continues while its
 *  evaluation improves and ends when it has converged. Without a limit, the number is exact. All threads decide in the
 *  same way, because they get the same numbers. */
export class TrainingSpan {
  readonly #start: number;
  readonly #automatic: boolean;
  #planned: number;
  #exploring = true;
  #best = Number.NEGATIVE_INFINITY;
  #bestAt = 0;

  /** @param start number of the first iteration  @param planned number of iterations
   *  @param automatic whether evaluations may move the end */
  constructor(start: number, planned: number, automatic: boolean) {
    this.#start = start;
    this.#planned = planned;
    this.#automatic = automatic;
  }

  /** Number of the last iteration + 1, as planned now. */
  get end(): number {
    return this.#start + this.#planned;
  }

  /** Returns the progress of a training at an iteration, 0..1. The schedules of PPO depend on it. */
  progress(iteration: number): number {
    const most = this.#automatic && this.#exploring ? EXPLORING : 1;
    return Math.min(most, (iteration - this.#start) / this.#planned);
  }

  /** Extends or shortens the training after an evaluation. @param iteration that was evaluated
   *  @param limit maximum number of iterations within the time limit, extrapolated from the time so far */
  evaluated(iteration: number, { share, score }: SpanEvaluation, limit: number): void {
    if (!this.#automatic) return;
    const done = iteration + 1 - this.#start;
    if (score > this.#best + GAIN) {
      this.#best = score;
      this.#bestAt = done;
    }
    const waited = done - this.#bestAt;
    const most = Math.max(done, Math.floor(limit));
    if (this.#exploring) this.#explore(done, share, waited);
    else this.#finish(done, waited);
    this.#planned = Math.min(this.#planned, most);
    if (done >= EXPLORING * most) this.#exploring = false;
  }

  /** Postpones annealing until the policy has learned the motion, or no longer improves. */
  #explore(done: number, share: number, waited: number): void {
    if (done < EXPLORING * this.#planned) return;
    const flat = waited > PATIENCE.exploring * this.#planned;
    if (share >= LEARNED || flat) this.#exploring = false;
    else this.#planned = Math.ceil(done / EXPLORING) + 1;
  }

  /** Ends the training once it has converged, or postpones the end while the evaluation still improves. */
  #finish(done: number, waited: number): void {
    const patience = PATIENCE.finishing * this.#planned;
    if (waited > patience && done >= ANNEALED * this.#planned) this.#planned = done;
    else if (done >= this.#planned && waited <= patience) this.#planned = Math.ceil(done * (1 + EXTENSION));
  }
}

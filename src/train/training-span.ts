/** Share of the iterations after which annealing begins, see annealed(). */
const EXPLORING = 0.4;
/** Share of the longest episode that the policy must track before annealing begins. Below it, larger steps still
 *  help. */
const LEARNED = 0.7;
/** A training may end before its planned end once the policy tracks this share of the longest episode. */
const MASTERED = 0.95;
/** Minimum increase of the score, as a share of the longest episode, that is treated as an improvement while exploring.
 *  Evaluations of 64 starts fluctuate by about this much. */
const GAIN = 0.01;
/** Annealing begins if no evaluation was an improvement for this share of the planned iterations. */
const PATIENCE = 0.3;
/** The evaluations within this share of the planned iterations, at least {@link FEWEST}, are compared with as many
 *  before them. Their means decide whether a training still improves, because the best of many evaluations is often
 *  luck. */
const WINDOW = 0.15;
const FEWEST = 3;
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
  /** number of iterations without a time limit */
  #wanted: number;
  /** number of iterations within the time limit; it is estimated again after each evaluation, because the first
   *  iterations take longer */
  #most = Number.POSITIVE_INFINITY;
  #exploring = true;
  #best = Number.NEGATIVE_INFINITY;
  #bestAt = 0;
  readonly #evaluations: (SpanEvaluation & { readonly done: number })[] = [];

  /** @param start number of the first iteration  @param planned number of iterations
   *  @param automatic whether evaluations may move the end */
  constructor(start: number, planned: number, automatic: boolean) {
    this.#start = start;
    this.#wanted = planned;
    this.#automatic = automatic;
  }

  /** Number of the last iteration + 1, as planned now. */
  get end(): number {
    return this.#start + this.#planned;
  }

  get #planned(): number {
    return Math.min(this.#wanted, this.#most);
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
    this.#evaluations.push({ done, share, score });
    if (score > this.#best + GAIN) {
      this.#best = score;
      this.#bestAt = done;
    }
    this.#most = Math.max(done, Math.floor(limit));
    if (this.#exploring) this.#explore(done, share);
    else this.#finish(done);
    if (done >= EXPLORING * this.#most) this.#exploring = false;
  }

  /** Ends the training after this iteration, because its time is over. */
  endAfter(iteration: number): void {
    this.#most = iteration + 1 - this.#start;
  }

  /** Postpones annealing until the policy has learned the motion, or no longer improves. */
  #explore(done: number, share: number): void {
    if (done < EXPLORING * this.#planned) return;
    const flat = done - this.#bestAt > PATIENCE * this.#planned;
    if (share >= LEARNED || flat) this.#exploring = false;
    else this.#wanted = Math.ceil(done / EXPLORING) + 1;
  }

  /** Ends the training early once it has mastered the motion and no longer improves, or postpones the end while it
   *  still improves. */
  #finish(done: number): void {
    const count = Math.max(
      FEWEST,
      this.#evaluations.filter((each) => each.done > done - WINDOW * this.#planned).length,
    );
    const recent = this.#evaluations.slice(-count);
    const before = this.#evaluations.slice(-2 * count, -count);
    const improves = before.length < count || mean(recent, 'score') > mean(before, 'score');
    const mastered = mean(recent, 'share') >= MASTERED;
    if (improves && done >= this.#planned) this.#wanted = Math.ceil(done * (1 + EXTENSION));
    else if (!improves && mastered && done >= ANNEALED * this.#planned) this.#wanted = done;
  }
}

function mean(evaluations: readonly SpanEvaluation[], value: keyof SpanEvaluation): number {
  return evaluations.reduce((sum, each) => sum + each[value], 0) / evaluations.length;
}

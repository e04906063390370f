/** Longest delay that is made up for by faster steps, s of real time. */
const LONGEST_CATCH_UP_S = 0.25;
/** Time over which the real-time factor is measured, s. */
const WINDOW_S = 1;
/** Factor of the moving average with which a higher time per step is adopted. A lower time is adopted immediately,
 *  because other load on the machine can only make steps slower. */
const COST_RATE = 0.05;

/** Decides how many control steps to take now. Real time × speed is added to a budget, and steps are subtracted from
 *  it. Steps that cannot be computed within a frame are dropped, which lowers the real-time factor. */
export class Pacer {
  readonly #stepS: number;
  readonly #frameS: number;
  #speed = 1;
  #budgetS = 0;
  /** measured real time per step, s; null before the first step */
  #costS: number | null = null;
  #windowWallS = 0;
  #windowSimS = 0;
  #factor = 0;

  /** @param stepS duration of a control step, s  @param frameS duration of a frame, s; limits a burst of steps */
  constructor(stepS: number, frameS: number) {
    this.#stepS = stepS;
    this.#frameS = frameS;
  }

  /** Simulated seconds per second of real time, over the last second of playing; 0 before the first second. */
  get realtimeFactor(): number {
    return Math.round(this.#factor * 1e4) / 1e4;
  }

  set speed(speed: number) {
    this.#speed = speed;
    this.#forget();
  }

  /** Starts or resumes playing with an empty budget. */
  start(): void {
    this.#budgetS = 0;
    this.#forget();
  }

  stop(): void {
    this.start();
    this.#factor = 0;
  }

  /** Adds real time that has passed while playing to the budget. */
  pass(wallS: number): void {
    this.#windowWallS += wallS;
    this.#grow(wallS * this.#speed);
    const most = Math.max(this.#stepS, this.#mostSteps() * this.#stepS) + this.#stepS;
    const limit = Math.min(most, Math.max(this.#stepS, LONGEST_CATCH_UP_S * this.#speed) + this.#stepS);
    if (this.#budgetS > limit) this.#grow(limit - this.#budgetS);
    if (this.#windowWallS < WINDOW_S) return;
    this.#factor = Math.max(0, this.#windowSimS / this.#windowWallS);
    this.#forget();
  }

  /** Subtracts the steps that are due from the budget. @returns the number of steps */
  take(): number {
    const steps = Math.min(this.#mostSteps(), Math.floor(this.#budgetS / this.#stepS + 1e-9));
    this.#budgetS -= steps * this.#stepS;
    return steps;
  }

  /** Records the real time that `steps` steps took. */
  took(steps: number, wallS: number): void {
    if (steps === 0) return;
    const cost = wallS / steps;
    const known = this.#costS ?? cost;
    this.#costS = Math.min(cost, known + COST_RATE * (cost - known));
  }

  /** Adds to the budget. The real-time factor treats the budget as already simulated, so that rounding to whole steps
   *  does not make it fluctuate. Time that is dropped from the budget is subtracted again. */
  #grow(simS: number): void {
    this.#budgetS += simS;
    this.#windowSimS += simS;
  }

  #mostSteps(): number {
    return this.#costS === null ? 1 : Math.max(1, Math.floor(this.#frameS / this.#costS));
  }

  #forget(): void {
    this.#windowWallS = 0;
    this.#windowSimS = 0;
  }
}

/** Longest time that is made up for after something held the machine up, s of wall time. */
const LONGEST_CATCH_UP_S = 0.25;
/** Seconds over which the real-time factor is taken. */
const WINDOW_S = 1;
/** How fast it is learnt that steps cost more; that they cost less is believed at once: what else goes on in the machine
 *  can only make them seem dearer. */
const COST_RATE = 0.05;

/** Decides how many control steps to take now. Wall time × speed goes into a budget, steps come out of it; what cannot be
 *  computed in a frame's time is dropped and shows in the real-time factor. */
export class Pacer {
  readonly #stepS: number;
  readonly #frameS: number;
  #speed = 1;
  #budgetS = 0;
  /** s of wall time that a step takes; null: not known yet */
  #costS: number | null = null;
  #windowWallS = 0;
  #windowSimS = 0;
  #factor = 0;

  /** @param stepS of a control step @param frameS of a frame: no burst takes longer */
  constructor(stepS: number, frameS: number) {
    this.#stepS = stepS;
    this.#frameS = frameS;
  }

  /** Simulated seconds a wall second, over the last second of playing; 0 before. */
  get realtimeFactor(): number {
    return Math.round(this.#factor * 1e4) / 1e4;
  }

  set speed(speed: number) {
    this.#speed = speed;
    this.#forget();
  }

  /** Playing begins or goes on: what was left belongs to the past. */
  start(): void {
    this.#budgetS = 0;
    this.#forget();
  }

  stop(): void {
    this.start();
    this.#factor = 0;
  }

  /** Lets wall time pass while playing. */
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

  /** Steps to take now; they are off the budget. */
  take(): number {
    const steps = Math.min(this.#mostSteps(), Math.floor(this.#budgetS / this.#stepS + 1e-9));
    this.#budgetS -= steps * this.#stepS;
    return steps;
  }

  /** Tells how long `steps` took. */
  took(steps: number, wallS: number): void {
    if (steps === 0) return;
    const cost = wallS / steps;
    const known = this.#costS ?? cost;
    this.#costS = Math.min(cost, known + COST_RATE * (cost - known));
  }

  /** What is in the budget counts as done for the factor, so that it does not waver with the rounding to whole steps; what
   *  is dropped from the budget is taken back. */
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

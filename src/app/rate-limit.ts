/** Calls `emit` at most once per `periodMs`: at once if the last call is longer ago, else at the end of the period. A
 *  trigger during the period is never lost. */
export class RateLimit {
  readonly #periodMs: number;
  readonly #emit: () => void;
  #timer: NodeJS.Timeout | null = null;
  #wanted = false;

  constructor(periodMs: number, emit: () => void) {
    this.#periodMs = periodMs;
    this.#emit = emit;
  }

  trigger(): void {
    if (this.#timer) {
      this.#wanted = true;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (!this.#wanted) return;
      this.#wanted = false;
      this.trigger();
    }, this.#periodMs);
    this.#timer.unref();
    this.#emit();
  }
}

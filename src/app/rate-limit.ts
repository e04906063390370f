/** Calls `emit` at once when it has rested for `periodMs`, else once at the period's end: the last state always goes
 *  out, and never more often than asked. */
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

import { actAs, currentActor } from '../core/actor.ts';

/** Calls `emit` at most once per `periodMs`: immediately if the last call is longer ago, otherwise at the end of the
 *  period. A trigger during the period is never lost. A delayed call is attributed to the client of the last
 *  trigger. */
export class RateLimit {
  readonly #periodMs: number;
  readonly #emit: () => void;
  #timer: NodeJS.Timeout | null = null;
  #wanted = false;
  #actor: string | null = null;

  constructor(periodMs: number, emit: () => void) {
    this.#periodMs = periodMs;
    this.#emit = emit;
  }

  trigger(): void {
    if (this.#timer) {
      this.#wanted = true;
      this.#actor = currentActor();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (!this.#wanted) return;
      this.#wanted = false;
      actAs(this.#actor, () => this.trigger());
    }, this.#periodMs);
    this.#timer.unref();
    this.#emit();
  }
}

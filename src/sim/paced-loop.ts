import { monotonicMs } from '../core/frame-ring.ts';

/** Calls `tick` at a steady rate by the monotonic clock. The schedule does not drift: after a late call the next call
 *  is on time again. Periods without any call are skipped. */
export class PacedLoop {
  readonly #periodMs: number;
  readonly #tick: (dtS: number) => void;
  #timer: NodeJS.Timeout | null = null;
  #dueMs = 0;
  #lastMs = 0;

  /** @param hz calls per second  @param tick receives the seconds since its last call */
  constructor(hz: number, tick: (dtS: number) => void) {
    this.#periodMs = 1e3 / hz;
    this.#tick = tick;
  }

  get running(): boolean {
    return this.#timer !== null;
  }

  start(): void {
    if (this.#timer) return;
    this.#lastMs = monotonicMs();
    this.#dueMs = this.#lastMs + this.#periodMs;
    this.#schedule(this.#lastMs);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #schedule(nowMs: number): void {
    this.#timer = setTimeout(() => this.#run(), Math.max(0, this.#dueMs - nowMs));
  }

  #run(): void {
    const now = monotonicMs();
    // Node's timers have a resolution of 1 ms and may fire up to 1 ms early.
    if (now < this.#dueMs - 0.5) {
      this.#schedule(now);
      return;
    }
    const dtS = (now - this.#lastMs) / 1e3;
    this.#lastMs = now;
    const missed = Math.floor((now - this.#dueMs) / this.#periodMs);
    this.#dueMs += (Math.max(0, missed) + 1) * this.#periodMs;
    this.#schedule(now);
    this.#tick(dtS);
  }
}

/** Minimum time of observation before a rate is reported, s. An earlier rate would not be reliable. */
const KNOWN_S = 1;
/** Time window for the current rate, s. */
const WINDOW_S = 30;
/** Minimum number of steps in the window, for work whose steps take minutes. */
const WINDOW_STEPS = 4;
const SAMPLES = 64;
/** Smallest time difference used as a divisor, s: the resolution of clocks. */
const LEAST_S = 1e-6;

/** Estimates the rate of steps and the time of the last step. Times are seconds of one monotonic clock. */
export class Pace {
  readonly #began: number;
  /** past times and their step counts, oldest first; at least one */
  readonly #samples: { readonly at: number; readonly step: number }[];
  #at: number;
  #step: number;
  readonly #first: number;

  /** @param step steps done earlier, at another rate */
  constructor(now: number, step = 0) {
    this.#began = now;
    this.#at = now;
    this.#step = step;
    this.#first = step;
    this.#samples = [{ at: now, step }];
  }

  get step(): number {
    return this.#step;
  }

  /** Time of the last step. */
  get at(): number {
    return this.#at;
  }

  /** Records that `step` steps are done; smaller numbers are ignored. */
  report(step: number, now: number): void {
    if (step <= this.#step) return;
    this.#step = step;
    this.#at = now;
    const samples = this.#samples;
    if (now - samples.at(-1)!.at >= WINDOW_S / SAMPLES) samples.push({ at: now, step });
    while (samples.length > 2 && samples[1]!.at <= now - WINDOW_S && samples[1]!.step <= step - WINDOW_STEPS)
      samples.shift();
  }

  /** Returns the current steps per second, or null while unknown. An overdue step lowers the rate. */
  rate(now: number): number | null {
    const first = this.#samples[0]!;
    const steps = this.#step - first.step;
    if (steps === 0 || now - this.#began < KNOWN_S) return null;
    const usual = (this.#at - first.at) / steps;
    return steps / Math.max(this.#at - first.at, now - usual - first.at, LEAST_S);
  }

  /** Returns the seconds until `steps` are done, or null while unknown. */
  eta(steps: number, now: number): number | null {
    const rate = this.rate(now);
    if (rate === null) return null;
    const left = Math.max(0, steps - this.#step) / rate;
    return Math.max(0, left - Math.min(now - this.#at, 1 / rate));
  }

  /** Returns the mean steps per second up to `now`, or null without steps. */
  mean(now: number): number | null {
    const steps = this.#step - this.#first;
    return steps === 0 || now <= this.#began ? null : steps / Math.max(now - this.#began, LEAST_S);
  }
}

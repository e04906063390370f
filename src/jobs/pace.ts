/** A rate is told from this much time on, s: before that it says nothing about what is to come. */
const KNOWN_S = 1;
/** How far back the present rate looks, s … */
const WINDOW_S = 30;
/** … though never at fewer steps than this, for work whose steps take minutes. */
const WINDOW_STEPS = 4;
const SAMPLES = 64;
/** Clocks tell no shorter time, s. */
const LEAST_S = 1e-6;

/** How fast steps come and when the last one will. Times are seconds of one clock that never goes back. */
export class Pace {
  readonly #began: number;
  /** past moments and the step count at each, oldest first; at least one */
  readonly #samples: { readonly at: number; readonly step: number }[];
  #at: number;
  #step: number;
  readonly #first: number;

  /** @param step done before, at another pace */
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

  /** When the last step was done. */
  get at(): number {
    return this.#at;
  }

  /** `step` steps are done. Never counts down. */
  report(step: number, now: number): void {
    if (step <= this.#step) return;
    this.#step = step;
    this.#at = now;
    const samples = this.#samples;
    if (now - samples.at(-1)!.at >= WINDOW_S / SAMPLES) samples.push({ at: now, step });
    while (samples.length > 2 && samples[1]!.at <= now - WINDOW_S && samples[1]!.step <= step - WINDOW_STEPS)
      samples.shift();
  }

  /** Steps a second of late, null until it can be told. A step that is overdue slows it. */
  rate(now: number): number | null {
    const first = this.#samples[0]!;
    const steps = this.#step - first.step;
    if (steps === 0 || now - this.#began < KNOWN_S) return null;
    const usual = (this.#at - first.at) / steps;
    return steps / Math.max(this.#at - first.at, now - usual - first.at, LEAST_S);
  }

  /** Seconds until `steps` are done, null until it can be told. */
  eta(steps: number, now: number): number | null {
    const rate = this.rate(now);
    if (rate === null) return null;
    const left = Math.max(0, steps - this.#step) / rate;
    return Math.max(0, left - Math.min(now - this.#at, 1 / rate));
  }

  /** Steps a second from the beginning to `now`, null where there were none. */
  mean(now: number): number | null {
    const steps = this.#step - this.#first;
    return steps === 0 || now <= this.#began ? null : steps / Math.max(now - this.#began, LEAST_S);
  }
}

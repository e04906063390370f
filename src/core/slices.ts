import { setImmediate } from 'node:timers/promises';

/** Number of steps between two readings of the clock. */
const STEPS = 32;

/** Splits long work on a thread into slices, so that other work can run in between. Call `if (slices.due()) await
 *  slices.rest();` in the loop. */
export class Slices {
  readonly #ms: number;
  #since = performance.now();
  #steps = 0;

  /** @param ms longest duration of a slice */
  constructor(ms = 3) {
    this.#ms = ms;
  }

  /** Returns true if the slice is over. Cheap: call it at each step. */
  due(): boolean {
    this.#steps += 1;
    return this.#steps % STEPS === 0 && performance.now() - this.#since > this.#ms;
  }

  /** Lets other work run. */
  async rest(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}

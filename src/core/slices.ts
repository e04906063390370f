import { setImmediate } from 'node:timers/promises';

/** Looked at the clock once in so many steps. */
const STEPS = 32;

/** Parts long work on this thread so that others have their turn: `if (slices.due()) await slices.rest();` in its loop. */
export class Slices {
  readonly #ms: number;
  #since = performance.now();
  #steps = 0;

  /** @param ms that a slice may take */
  constructor(ms = 3) {
    this.#ms = ms;
  }

  /** Whether the slice is over. Cheap: to be asked at each step. */
  due(): boolean {
    this.#steps += 1;
    return this.#steps % STEPS === 0 && performance.now() - this.#since > this.#ms;
  }

  /** Lets others have their turn. */
  async rest(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}

export interface StreamOptions {
  readonly seed: number;
  /** number that distinguishes the streams of one environment */
  readonly purpose: number;
  /** environment k has the number `first` + k · `stride` over all threads */
  readonly first: number;
  readonly stride: number;
}

/** Random numbers for environments. Each environment has one sfc32 stream, seeded by (seed, purpose, number of the
 *  environment over all threads). The streams are independent, so an environment behaves identically for any number of
 *  threads. */
export class EnvRandom {
  readonly #state: Uint32Array;
  readonly #options: StreamOptions;
  readonly #n: number;
  #seed: number;

  constructor(n: number, options: StreamOptions) {
    this.#state = new Uint32Array(4 * n);
    this.#n = n;
    this.#options = options;
    this.#seed = options.seed;
    this.reseed(options.seed);
  }

  /** Restarts the streams of all environments with another seed. */
  reseed(seed: number): void {
    this.#seed = seed;
    for (let env = 0; env < this.#n; env++) this.restart(env);
  }

  /** Restarts the stream of an environment. */
  restart(env: number): void {
    const state = this.#state;
    const at = 4 * env;
    const { purpose, first, stride } = this.#options;
    state[at] = mix(this.#seed);
    state[at + 1] = mix(purpose + 0x9e3779b9);
    state[at + 2] = mix(first + env * stride + 0x85ebca6b);
    state[at + 3] = 1;
    for (let round = 0; round < 12; round++) this.next(env);
  }

  /** Returns the next number of an environment, uniform in [0, 1). */
  next(env: number): number {
    const state = this.#state;
    const at = 4 * env;
    const b = state[at + 1]!;
    const c = state[at + 2]!;
    const d = state[at + 3]!;
    const t = (state[at]! + b + d) | 0;
    state[at + 3] = d + 1;
    state[at] = b ^ (b >>> 9);
    state[at + 1] = c + (c << 3);
    state[at + 2] = ((c << 21) | (c >>> 11)) + t;
    return (t >>> 0) / 2 ** 32;
  }

  /** Returns a number, uniform in [lower, upper). */
  uniform(env: number, lower: number, upper: number): number {
    return lower + (upper - lower) * this.next(env);
  }

  /** Returns an integer, uniform in 0 … count − 1. */
  below(env: number, count: number): number {
    return Math.floor(this.next(env) * count);
  }
}

/** Mixes the bits of a 32-bit number (finaliser of MurmurHash3). */
function mix(value: number): number {
  let h = value >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

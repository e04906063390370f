import { StudioError } from './errors.ts';

/** One of several attempts at the same thing. It is current until {@link Latest} supersedes it. */
export interface Attempt {
  /** Aborts when this attempt is superseded. */
  readonly signal: AbortSignal;
  /** index of this attempt among those of one `Latest`, from 0 */
  readonly number: number;
  /** True until a newer attempt begins. */
  readonly isCurrent: boolean;
  /** @throws the error of `staleError` if this attempt was superseded */
  throwIfStale(): void;
}

/** Makes each new attempt at the same thing supersede the earlier attempts. Create one `Latest` for each thing. */
export class Latest {
  readonly #staleError: () => Error;
  #abort = new AbortController();
  #current: Attempt;

  /** @param staleError makes the error that a superseded attempt throws; it is also the reason of the attempt's
   *  signal */
  constructor(staleError: () => Error = () => new StudioError('conflict', 'superseded by a newer request')) {
    this.#staleError = staleError;
    this.#current = attempt(this.#abort.signal, 0);
  }

  /** The newest attempt. Use it for work that belongs to the newest attempt and must not supersede it. */
  get current(): Attempt {
    return this.#current;
  }

  /** Begins an attempt, which supersedes the current one. */
  begin(): Attempt {
    const superseded = this.#abort;
    this.#abort = new AbortController();
    this.#current = attempt(this.#abort.signal, this.#current.number + 1);
    superseded.abort(this.#staleError());
    return this.#current;
  }
}

function attempt(signal: AbortSignal, number: number): Attempt {
  return {
    signal,
    number,
    get isCurrent() {
      return !signal.aborted;
    },
    throwIfStale: () => signal.throwIfAborted(),
  };
}

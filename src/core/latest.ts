import { StudioError } from './errors.ts';

/** One of several attempts at the same thing. It is current until {@link Latest} supersedes it. */
export interface Attempt {
  /** Aborts when this attempt is superseded. */
  readonly signal: AbortSignal;
  /** counts the attempts of one `Latest`, from 0 */
  readonly number: number;
  /** Whether no newer attempt has begun. */
  readonly isCurrent: boolean;
  /** @throws the error of `Latest`, once superseded */
  throwIfStale(): void;
}

/** Supersedes: of several attempts at one thing, only the newest counts. The owner of the thing keeps one `Latest`. */
export class Latest {
  readonly #staleError: () => Error;
  #abort = new AbortController();
  #current: Attempt;

  /** @param staleError makes the error that a superseded attempt throws and its signal has as reason */
  constructor(staleError: () => Error = () => new StudioError('conflict', 'superseded by a newer request')) {
    this.#staleError = staleError;
    this.#current = attempt(this.#abort.signal, 0);
  }

  /** The newest attempt. Work that does not supersede other work joins it. */
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

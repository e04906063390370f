/** Runs work with the same key one after another, in the order of the calls. Work with different keys does not wait. */
export class Mutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` once all earlier work with the same key has ended, whether it succeeded or failed.
   *  @returns what `work` returns  @throws what `work` throws */
  run<T>(work: () => Promise<T>, key = ''): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    const ended: Promise<void> = mine.then(
      () => this.#forget(key, ended),
      () => this.#forget(key, ended),
    );
    this.#last.set(key, ended);
    return mine;
  }

  /** Frees the memory of a key whose work has ended. */
  #forget(key: string, ended: Promise<void>): void {
    if (this.#last.get(key) === ended) this.#last.delete(key);
  }
}

/** Stops waiting for `work` when `signal` aborts, although `work` itself continues. Inside a {@link Mutex}, the next
 *  work then begins.
 *  @throws what `work` throws, or the reason of the signal */
export function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const stop = () => signal.removeEventListener('abort', giveUp);
    work().then(
      (value) => {
        stop();
        resolve(value);
      },
      (error: unknown) => {
        stop();
        reject(error as Error);
      },
    );
  });
}

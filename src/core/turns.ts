/** Work on one subject, one after another; other subjects do not wait. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when all that was given for `subject` before has ended, well or badly.
   *  @param signal aborted: nobody waits for this work any more, nor does the next one */
  take<T>(subject: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last.get(subject) ?? Promise.resolve();
    const mine = before.then(work, work);
    const ended = new Promise<void>((resolve) => {
      mine.then(
        () => resolve(),
        () => resolve(),
      );
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#last.set(subject, ended);
    ended.then(() => {
      if (this.#last.get(subject) === ended) this.#last.delete(subject);
    });
    return mine;
  }
}

/** Work on one subject, one after another; other subjects do not wait. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when all that was given for `subject` before has ended, well or badly. */
  take<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(subject) ?? Promise.resolve();
    const mine = before.then(work, work);
    const ended = mine.then(
      () => {},
      () => {},
    );
    this.#last.set(subject, ended);
    ended.then(() => {
      if (this.#last.get(subject) === ended) this.#last.delete(subject);
    });
    return mine;
  }
}

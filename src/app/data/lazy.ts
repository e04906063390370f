/** A slow computation that runs at the first request. Later requests share its result. */
export class Lazy<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | null = null;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** After a failure, the next call computes again, because the file may have been repaired. */
  get(): Promise<T> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = null;
      throw error;
    });
    return this.#made;
  }
}

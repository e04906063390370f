/** A slow computation that runs on the first request; later requests share its result. */
export class Lazy<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | null = null;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** After a failure the next request tries again: the file may have been repaired. */
  get(): Promise<T> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = null;
      throw error;
    });
    return this.#made;
  }
}

/** Something slow that is done when someone first asks for it, once for all who do. */
export class Lazy<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | null = null;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** What has failed is tried again by the next who asks: files are repaired. */
  get(): Promise<T> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = null;
      throw error;
    });
    return this.#made;
  }
}

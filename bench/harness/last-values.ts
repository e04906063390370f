/** The last values of a series, in memory of a fixed size. */
export class LastValues {
  readonly #kept: Float64Array;
  #count = 0;

  constructor(capacity: number) {
    this.#kept = new Float64Array(capacity);
  }

  add(value: number): void {
    this.#kept[this.#count++ % this.#kept.length] = value;
  }

  /** The values in unspecified order; aliases the memory. */
  get values(): Float64Array {
    return this.#kept.subarray(0, Math.min(this.#count, this.#kept.length));
  }

  clear(): void {
    this.#count = 0;
  }
}

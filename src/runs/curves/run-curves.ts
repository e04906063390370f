import { MAX_TAGS, type NewScalars, type ReadPositions } from './scalar-files.ts';

/** A curve that grows. Steps only grow: a step that comes again, as after a resume, replaces what was there from it on. */
class GrowingSeries {
  #steps = new Float64Array(new SharedArrayBuffer(8 * 256));
  #values = new Float32Array(new SharedArrayBuffer(4 * 256));
  #length = 0;

  add(steps: Float64Array, values: Float32Array): void {
    for (let k = 0; k < steps.length; k++) {
      const step = steps[k]!;
      while (this.#length > 0 && this.#steps[this.#length - 1]! >= step) this.#length -= 1;
      if (this.#length === this.#steps.length) this.#grow();
      this.#steps[this.#length] = step;
      this.#values[this.#length] = values[k]!;
      this.#length += 1;
    }
  }

  /** In shared memory, so that a thread can look at it without a copy. */
  get series(): { steps: Float64Array; values: Float32Array } {
    return { steps: this.#steps.subarray(0, this.#length), values: this.#values.subarray(0, this.#length) };
  }

  #grow(): void {
    const [steps, values] = [this.#steps, this.#values];
    this.#steps = new Float64Array(new SharedArrayBuffer(16 * steps.length));
    this.#values = new Float32Array(new SharedArrayBuffer(8 * values.length));
    this.#steps.set(steps);
    this.#values.set(values);
  }
}

/** All curves of one run, as far as its event files have been read. */
export class RunCurves {
  readonly #series = new Map<string, GrowingSeries>();
  #positions: ReadPositions = {};

  get positions(): ReadPositions {
    return this.#positions;
  }

  /** Takes in what was read from `positions` on. */
  add({ positions, tags }: Pick<NewScalars, 'positions' | 'tags'>): void {
    this.#positions = positions;
    for (const { tag, steps, values } of tags) {
      let series = this.#series.get(tag);
      if (!series) {
        if (this.#series.size >= MAX_TAGS) continue;
        series = new GrowingSeries();
        this.#series.set(tag, series);
      }
      series.add(steps, values);
    }
  }

  /** Every curve, by tag. */
  get tags(): { readonly tag: string; readonly steps: Float64Array; readonly values: Float32Array }[] {
    return [...this.#series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([tag, growing]) => ({ tag, ...growing.series }));
  }
}

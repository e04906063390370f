import { MAX_TAGS, type NewScalars, type ReadPositions } from './scalar-files.ts';

/** A growing curve with ascending steps. If a step is written again, as after a resume, it replaces all points from
 *  that step on. */
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

  /** Views of shared memory, so that another thread can read them without a copy. */
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

/** All curves of one run, up to the positions read so far in its event files. */
export class RunCurves {
  readonly #series = new Map<string, GrowingSeries>();
  #positions: ReadPositions = {};

  get positions(): ReadPositions {
    return this.#positions;
  }

  /** Appends scalars that were read from `positions` on, and advances `positions`. */
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

  /** Returns all curves, sorted by tag. */
  get tags(): { readonly tag: string; readonly steps: Float64Array; readonly values: Float32Array }[] {
    return [...this.#series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([tag, growing]) => ({ tag, ...growing.series }));
  }
}

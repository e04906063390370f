import { keptPoints, type Series } from './reduce-series.ts';
import { MAX_TAGS, type NewScalars, type ReadPositions } from './scalar-files.ts';

/** Maximum memory of the curves of a run, bytes. All points of 37,000 iterations of 50 curves fit. */
const MAX_BYTES = 32 << 20;
/** Number of points for which a new curve has memory. */
const FIRST_POINTS = 256;

/** A growing curve with ascending steps. If a step is written again, as after a resume, it replaces all points from
 *  that step on. */
class GrowingSeries {
  #steps = new Float64Array(new SharedArrayBuffer(8 * FIRST_POINTS));
  #values = new Float32Array(new SharedArrayBuffer(4 * FIRST_POINTS));
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Allocated memory, bytes. */
  get bytes(): number {
    return this.#steps.byteLength + this.#values.byteLength;
  }

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

  /** Reduces the curve to at most `maxPoints` points as {@link keptPoints} does. The points move to new memory, because
   *  another thread may be reading the old one. */
  thin(maxPoints: number): void {
    if (this.#length <= maxPoints) return;
    const { steps, values } = this.series;
    const kept = keptPoints({ steps, values }, maxPoints);
    this.#allocate(Math.max(FIRST_POINTS, kept.length));
    for (let k = 0; k < kept.length; k++) {
      this.#steps[k] = steps[kept[k]!]!;
      this.#values[k] = values[kept[k]!]!;
    }
    this.#length = kept.length;
  }

  /** Views of shared memory, so that another thread can read them without a copy. */
  get series(): Series {
    return { steps: this.#steps.subarray(0, this.#length), values: this.#values.subarray(0, this.#length) };
  }

  #grow(): void {
    const [steps, values] = [this.#steps, this.#values];
    this.#allocate(Math.ceil(1.5 * steps.length));
    this.#steps.set(steps);
    this.#values.set(values);
  }

  #allocate(points: number): void {
    this.#steps = new Float64Array(new SharedArrayBuffer(8 * points));
    this.#values = new Float32Array(new SharedArrayBuffer(4 * points));
  }
}

/** All curves of one run, up to the positions read so far in its event files. Curves that need too much memory are
 *  thinned, with their lowest and highest values kept. */
export class RunCurves {
  readonly #series = new Map<string, GrowingSeries>();
  readonly #maxBytes: number;
  #positions: ReadPositions = {};

  /** @param maxBytes memory above which curves are thinned */
  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get positions(): ReadPositions {
    return this.#positions;
  }

  /** Allocated memory, bytes. */
  get bytes(): number {
    let bytes = 0;
    for (const series of this.#series.values()) bytes += series.bytes;
    return bytes;
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
    this.#thin();
  }

  /** Returns all curves, sorted by tag. */
  get tags(): (Series & { readonly tag: string })[] {
    return [...this.#series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([tag, growing]) => ({ tag, ...growing.series }));
  }

  /** Halves the longest curve until the limit is met. Halves no more curves than necessary, because this blocks the
   *  thread. */
  #thin(): void {
    while (this.bytes > this.#maxBytes) {
      const longest = [...this.#series.values()].reduce((a, b) => (b.length > a.length ? b : a));
      if (longest.length <= FIRST_POINTS) return;
      longest.thin(Math.ceil(longest.length / 2));
    }
  }
}

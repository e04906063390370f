/** What the threads of one training share: `[i32 words][f64 figures of each rank][f32 values of each rank][f32 sums]` */
const WORDS = 16;
const ARRIVED = 0;
const GENERATION = 1;
const STOPPING = 2;

/** The shared memory of a group of threads. Crosses threads. */
export interface GroupMemory {
  readonly buffer: SharedArrayBuffer;
  readonly ranks: number;
  /** most float32 values that one sum takes */
  readonly floats: number;
  /** most float64 figures that one gathering takes of a rank */
  readonly figures: number;
}

export function createGroupMemory(ranks: number, floats: number, figures: number): GroupMemory {
  const buffer = new SharedArrayBuffer(4 * WORDS + 8 * figures * ranks + 4 * floats * (ranks + 1));
  return { buffer, ranks, floats, figures };
}

/** One thread's place in a group that computes in step. Sums are taken in the order of ranks, so that the same threads
 *  give the same bits. */
export class WorkerGroup {
  readonly rank: number;
  readonly ranks: number;
  readonly #words: Int32Array;
  readonly #slots: readonly Float32Array[];
  readonly #result: Float32Array;
  readonly #figures: readonly Float64Array[];

  constructor({ buffer, ranks, floats, figures }: GroupMemory, rank: number) {
    this.rank = rank;
    this.ranks = ranks;
    this.#words = new Int32Array(buffer, 0, WORDS);
    const figuresAt = 4 * WORDS;
    const floatsAt = figuresAt + 8 * figures * ranks;
    const part = (k: number) => new Float32Array(buffer, floatsAt + 4 * floats * k, floats);
    this.#figures = Array.from(
      { length: ranks },
      (_, k) => new Float64Array(buffer, figuresAt + 8 * figures * k, figures),
    );
    this.#slots = Array.from({ length: ranks }, (_, k) => part(k));
    this.#result = part(ranks);
  }

  /** Waits until every rank is here. */
  barrier(): void {
    if (this.ranks === 1) return;
    const words = this.#words;
    const generation = Atomics.load(words, GENERATION);
    if (Atomics.add(words, ARRIVED, 1) === this.ranks - 1) {
      Atomics.store(words, ARRIVED, 0);
      Atomics.add(words, GENERATION, 1);
      Atomics.notify(words, GENERATION);
      return;
    }
    while (Atomics.load(words, GENERATION) === generation) Atomics.wait(words, GENERATION, generation);
  }

  /** Replaces `values` by the sum of all ranks' values. Every rank calls it with as many. */
  sum(values: Float32Array): void {
    if (this.ranks === 1) return;
    const { length } = values;
    if (length > this.#result.length) throw new RangeError(`a sum of ${length} values, ${this.#result.length} fit`);
    this.#slots[this.rank]!.set(values);
    this.barrier();
    // Each rank adds up a part.
    const part = Math.ceil(length / this.ranks);
    const end = Math.min(length, (this.rank + 1) * part);
    const result = this.#result;
    const [first, ...others] = this.#slots as [Float32Array, ...Float32Array[]];
    for (let at = this.rank * part; at < end; at++) {
      let sum = first[at]!;
      for (const slot of others) sum += slot[at]!;
      result[at] = sum;
    }
    this.barrier();
    values.set(result.subarray(0, length));
    // Nobody may write the next values over these before all have read them.
    this.barrier();
  }

  /** What each rank gives, in the order of ranks. Every rank calls it with as many. */
  gather(figures: Float64Array): Float64Array[] {
    if (this.ranks === 1) return [figures];
    const { length } = figures;
    const own = this.#figures[this.rank]!;
    if (length > own.length) throw new RangeError(`${length} figures, ${own.length} fit`);
    own.set(figures);
    this.barrier();
    const all = this.#figures.map((given) => given.slice(0, length));
    this.barrier();
    return all;
  }

  /** Asks all ranks to end after the iteration they are in. */
  requestStop(): void {
    Atomics.store(this.#words, STOPPING, 1);
  }

  /** Whether a stop has been asked for, the same answer for all ranks. */
  stopAgreed(): boolean {
    const answer = new Float32Array([Atomics.load(this.#words, STOPPING)]);
    this.sum(answer);
    return answer[0]! > 0;
  }
}

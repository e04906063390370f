/** Layout of the shared memory: `[i32 words][f64 gathered × ranks][f32 summands × ranks][f32 sum]` */
const WORDS = 16;
const ARRIVED = 0;
const GENERATION = 1;
const STOPPING = 2;
/** Number of float64 values per rank that are exchanged at once. */
const GATHERED_DOUBLES = 4096;

/** Memory that the threads of one training share. */
export interface GroupMemory {
  readonly buffer: SharedArrayBuffer;
  readonly ranks: number;
  /** largest number of float32 values in one sum */
  readonly floats: number;
}

/** Allocates the memory of a group. @param ranks number of threads  @param floats largest number of float32 values in
 *  one sum */
export function createGroupMemory(ranks: number, floats: number): GroupMemory {
  const buffer = new SharedArrayBuffer(4 * WORDS + 8 * GATHERED_DOUBLES * ranks + 4 * floats * (ranks + 1));
  return { buffer, ranks, floats };
}

/** Thrown by all threads at the same point after a stop was requested. */
export class StopRequested extends Error {}

/** One thread's access to the group of a training. Every rank must call the same methods in the same order. Values are
 *  summed in the order of ranks, so that trainings with the same number of threads give bit-identical results. */
export class WorkerGroup {
  readonly rank: number;
  readonly ranks: number;
  readonly #words: Int32Array;
  /** by rank */
  readonly #summands: readonly Float32Array[];
  readonly #sum: Float32Array;
  readonly #gathered: readonly Float64Array[];

  constructor({ buffer, ranks, floats }: GroupMemory, rank: number) {
    this.rank = rank;
    this.ranks = ranks;
    this.#words = new Int32Array(buffer, 0, WORDS);
    const gatheredAt = 4 * WORDS;
    const bytes = 8 * GATHERED_DOUBLES;
    const floatsAt = gatheredAt + bytes * ranks;
    const part = (k: number) => new Float32Array(buffer, floatsAt + 4 * floats * k, floats);
    this.#gathered = Array.from(
      { length: ranks },
      (_, k) => new Float64Array(buffer, gatheredAt + bytes * k, GATHERED_DOUBLES),
    );
    this.#summands = Array.from({ length: ranks }, (_, k) => part(k));
    this.#sum = part(ranks);
  }

  /** Waits until every rank has called `barrier`. */
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

  /** Replaces `values` by the sum over all ranks. Every rank passes the same length. */
  sum(values: Float32Array): void {
    if (this.ranks === 1) return;
    const { length } = values;
    if (length > this.#sum.length)
      throw new RangeError(`a sum of ${length} values exceeds the limit of ${this.#sum.length}`);
    this.#summands[this.rank]!.set(values);
    this.barrier();
    // Each rank sums one part of the values.
    const part = Math.ceil(length / this.ranks);
    const end = Math.min(length, (this.rank + 1) * part);
    const total = this.#sum;
    const [first, ...others] = this.#summands as [Float32Array, ...Float32Array[]];
    for (let at = this.rank * part; at < end; at++) {
      let sum = first[at]!;
      for (const summand of others) sum += summand[at]!;
      total[at] = sum;
    }
    this.barrier();
    values.set(total.subarray(0, length));
    // No rank may write its next summands before all ranks have read this sum.
    this.barrier();
  }

  /** Returns the values of every rank, in the order of ranks. Every rank passes the same length. */
  gather(values: Float64Array): Float64Array[] {
    if (this.ranks === 1) return [values];
    const all = this.#gathered.map(() => new Float64Array(values.length));
    for (let from = 0; from < values.length; from += GATHERED_DOUBLES) {
      const part = values.subarray(from, from + GATHERED_DOUBLES);
      this.#gathered[this.rank]!.set(part);
      this.barrier();
      for (const [rank, given] of this.#gathered.entries()) all[rank]!.set(given.subarray(0, part.length), from);
      // No rank may write its next values before all ranks have read these.
      this.barrier();
    }
    return all;
  }

  /** Returns the sums of the values of all ranks, added in the order of ranks, so that every rank gets the same. Every
   *  rank passes the same length. */
  total(values: Float64Array): Float64Array {
    const sums = new Float64Array(values.length);
    for (const part of this.gather(values)) for (let k = 0; k < sums.length; k++) sums[k]! += part[k]!;
    return sums;
  }

  /** Requests that all ranks stop at their next `endIfStopped`. */
  requestStop(): void {
    Atomics.store(this.#words, STOPPING, 1);
  }

  /** Whether this rank sees that a stop was requested. Other ranks may see it a moment later. A rank that then leaves
   *  work out must call `endIfStopped` before anything else of the group. */
  get isStopRequested(): boolean {
    return Atomics.load(this.#words, STOPPING) === 1;
  }

  /** Ends the work of all ranks together if one of them sees that a stop was requested. @throws StopRequested in all
   *  ranks or in none */
  endIfStopped(): void {
    const seen = new Float32Array([this.isStopRequested ? 1 : 0]);
    this.sum(seen);
    if (seen[0]! > 0) throw new StopRequested('a stop was requested');
  }
}

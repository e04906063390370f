import { type KernelMemory, type Kernels, type Pointer, padded } from '../../policy/kernels/kernels.ts';
import { type Fold, type FoldedValues, foldedWidth } from './fold.ts';

/** The places of folded values in a row, in the memory of the kernels. */
interface RowPlaces {
  readonly values: FoldedValues;
  /** (length) offsets in a row, bytes */
  readonly first: Pointer;
  readonly second: Pointer;
  /** (length) float32 */
  readonly sign: Pointer;
  /** offset in a folded row, bytes */
  readonly offset: number;
}

/** Folds rows in the memory of kernels. */
export class RowFolder {
  readonly #memory: KernelMemory;
  readonly #fold: Fold;
  readonly #parts: readonly RowPlaces[];
  /** (maxRows, width) */
  readonly #rows: Pointer;
  #kernels: Kernels | null = null;

  /** Reserves memory; call {@link open} after the memory was opened. */
  constructor(memory: KernelMemory, fold: Fold, maxRows: number) {
    this.#memory = memory;
    this.#fold = fold;
    this.#rows = memory.take(maxRows * fold.width);
    this.#parts = [fold.even, fold.odd].map((values, k) => ({
      values,
      first: memory.take(values.length),
      second: memory.take(values.length),
      sign: memory.take(values.length),
      offset: k === 0 ? 0 : 4 * padded(fold.even.length),
    }));
  }

  open(kernels: Kernels): void {
    this.#kernels = kernels;
    for (const { values, first, second, sign } of this.#parts) {
      const { length } = values;
      const offsets = (at: Pointer) => {
        const { buffer, byteOffset } = this.#memory.view(at, length);
        return new Uint32Array(buffer, byteOffset, length);
      };
      offsets(first).set(values.first.map((index) => 4 * index));
      offsets(second).set(values.second.map((index) => 4 * index));
      this.#memory.view(sign, length).set(values.sign);
    }
  }

  /** Folds `n` rows. @param rows (n, width)  @param out (n, {@link foldedWidth}); its padding is not written */
  fold(rows: Float32Array, out: Pointer, n: number): void {
    const { width } = this.#fold;
    this.#memory.view(this.#rows, n * width).set(rows.subarray(0, n * width));
    const [row, outRow] = [4 * width, 4 * foldedWidth(this.#fold)];
    for (const { values, first, second, sign, offset } of this.#parts)
      this.#kernels!.addPairs(n, values.length, this.#rows, row, first, second, sign, out + offset, outRow);
  }
}

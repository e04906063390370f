import { padded } from '../../policy/kernels/kernels.ts';
import type { SignedPermutation } from './signed-permutation.ts';

/** The even or the odd values of a row: mirroring keeps even values and negates odd ones. Value k is value `first[k]` +
 *  `sign[k]` · value `second[k]` of the row; or value `first[k]` alone if both are the same. */
export interface FoldedValues {
  readonly length: number;
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** 1 or −1; 0 if both are the same */
  readonly sign: Int8Array;
}

/** The basis in which a mirrored row differs from the row only by signs: even values stay, odd values change their
 *  sign. A pair of values has an even one, their sum, and an odd one, their difference. */
export interface Fold {
  /** values in a row */
  readonly width: number;
  readonly even: FoldedValues;
  readonly odd: FoldedValues;
}

/** Returns the basis of a signed permutation. */
export function foldOf({ from, sign }: SignedPermutation): Fold {
  const parts: Record<'even' | 'odd', [number, number, number][]> = { even: [], odd: [] };
  for (const [first, second] of from.entries()) {
    const s = sign[first]!;
    if (second === first) parts[s > 0 ? 'even' : 'odd'].push([first, first, 0]);
    if (second <= first) continue;
    parts.even.push([first, second, s]);
    parts.odd.push([first, second, -s]);
  }
  const values = (part: [number, number, number][]): FoldedValues => ({
    length: part.length,
    first: Int32Array.from(part, ([first]) => first),
    second: Int32Array.from(part, ([, second]) => second),
    sign: Int8Array.from(part, ([, , s]) => s),
  });
  return { width: from.length, even: values(parts.even), odd: values(parts.odd) };
}

/** Returns the number of floats in a folded row, in which both parts are padded. */
export function foldedWidth({ even, odd }: Fold): number {
  return padded(even.length) + padded(odd.length);
}

/** Returns rows from the even and odd parts of their values: those of a pair are the sum of both parts and, with the
 *  sign of the pair, their difference. It is the transpose of folding rows.
 *  @param folded (n, {@link foldedWidth})  @param out (n, width) */
export function unfoldRows(folded: Float32Array, fold: Fold, out: Float32Array, n: number): void {
  const inWidth = foldedWidth(fold);
  out.fill(0, 0, n * fold.width);
  const add = ({ length, first, second, sign }: FoldedValues, offset: number) => {
    for (let row = 0; row < n; row++) {
      const [at, to] = [row * inWidth + offset, row * fold.width];
      for (let k = 0; k < length; k++) {
        out[to + first[k]!]! += folded[at + k]!;
        out[to + second[k]!]! += sign[k]! * folded[at + k]!;
      }
    }
  };
  add(fold.even, 0);
  add(fold.odd, padded(fold.even.length));
}

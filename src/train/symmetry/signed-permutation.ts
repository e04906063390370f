import type { ObservationSlice } from '../../mdp/environments.ts';
import { RunningNormalizer } from '../ppo/running-normalizer.ts';

/** How rows are mirrored: value i of a mirrored row is `sign[i]` · value `from[i]` of the row. */
export interface SignedPermutation {
  readonly from: Int32Array;
  readonly sign: Float32Array;
}

/** How states of a task are mirrored at the robot's sagittal plane: observations of both networks, and actions. */
export interface Symmetry {
  readonly actor: SignedPermutation;
  readonly critic: SignedPermutation;
  readonly action: SignedPermutation;
}

/** Rows of states, and the rows of the mirror images of these states, in the same order. */
export interface MirroredPairs {
  /** values per row */
  readonly dim: number;
  readonly rows: Float32Array;
  readonly mirrored: Float32Array;
}

/** Two values are mirror images if their mean squared difference is at most this share of their variance. Left and
 *  right of a real robot differ a little. */
const MOST_ERROR = 0.3;
/** Is added to the variance, because the normalisers of observations do not show smaller differences. */
const INVISIBLE = RunningNormalizer.EPSILON ** 2;

/** Mirrors rows into `out`. */
export function mirrorValues(rows: Float32Array, { from, sign }: SignedPermutation, out: Float32Array): void {
  const dim = from.length;
  for (let at = 0; at < rows.length; at += dim)
    for (let i = 0; i < dim; i++) out[at + i] = sign[i]! * rows[at + from[i]!]!;
}

/** Mirrors moments of `RunningNormalizer.momentsOf`: those of rows become those of their mirror images. */
export function mirrorMoments(moments: Float64Array, { from, sign }: SignedPermutation, out: Float64Array): void {
  const dim = from.length;
  out[0] = moments[0]!;
  for (let i = 0; i < dim; i++) {
    out[1 + i] = sign[i]! * moments[1 + from[i]!]!;
    out[1 + dim + i] = moments[1 + dim + from[i]!]!;
  }
}

/** Finds the signed permutation that mirrors the rows. Positions, velocities, rotations and joints all have one: a
 *  reflection changes the signs of some components and swaps the sides. The partner of a value is searched within its
 *  term. Mirroring twice changes nothing.
 *  @param slices terms of a row, without history
 *  @returns term and index of a value that has no mirror image, if there is one */
export function findPermutation(pairs: MirroredPairs, slices: readonly ObservationSlice[]): SignedPermutation | string {
  const from = new Int32Array(pairs.dim).fill(-1);
  const sign = new Float32Array(pairs.dim);
  for (const { term, offset, dim } of slices) {
    for (let i = offset; i < offset + dim; i++) {
      if (from[i]! >= 0) continue;
      const free = Array.from({ length: offset + dim - i }, (_, k) => i + k).filter((j) => from[j]! < 0);
      const { partner, sign: s } = bestPartner(pairs, i, free);
      from[i] = partner;
      from[partner] = i;
      sign[i] = s;
      sign[partner] = s;
      for (const [own, other] of [
        [i, partner],
        [partner, i],
      ] as const)
        if (!(squaredDifference(pairs, own, other, s) <= MOST_ERROR * visible(pairs, own)))
          return `${term}[${own - offset}]`;
    }
  }
  return { from, sign };
}

/** Returns the candidate that is most like the mirror image of value `i`, in both directions, and its sign. The first
 *  of equal candidates wins. */
function bestPartner(
  pairs: MirroredPairs,
  i: number,
  candidates: readonly number[],
): { partner: number; sign: 1 | -1 } {
  let best: { partner: number; sign: 1 | -1 } = { partner: i, sign: 1 };
  let least = Number.POSITIVE_INFINITY;
  for (const j of candidates) {
    for (const s of [1, -1] as const) {
      const error = squaredDifference(pairs, i, j, s) + squaredDifference(pairs, j, i, s);
      if (!(error < least)) continue;
      least = error;
      best = { partner: j, sign: s };
    }
  }
  return best;
}

/** Σ (mirrored value i − sign · value j)² over all rows. */
function squaredDifference({ dim, rows, mirrored }: MirroredPairs, i: number, j: number, sign: number): number {
  let sum = 0;
  for (let at = 0; at < rows.length; at += dim) sum += (mirrored[at + i]! - sign * rows[at + j]!) ** 2;
  return sum;
}

/** Σ (mirrored value i − mean)² over all rows, with the least variance that matters. */
function visible({ dim, mirrored }: MirroredPairs, i: number): number {
  const count = mirrored.length / dim;
  let [sum, squares] = [0, 0];
  for (let at = i; at < mirrored.length; at += dim) {
    sum += mirrored[at]!;
    squares += mirrored[at]! ** 2;
  }
  return squares - sum ** 2 / count + count * INVISIBLE;
}

/** Swaps both halves of a layer. The last unit of an odd layer has no partner. */
export function swappedHalves(width: number): SignedPermutation {
  const half = Math.floor(width / 2);
  const from = Int32Array.from({ length: width }, (_, k) => (k < half ? k + half : k < 2 * half ? k - half : k));
  return { from, sign: new Float32Array(width).fill(1) };
}

/** Applies a permutation of a term's values to each value of its history.
 *  @param slices terms of a row, without and with history, in the same order */
export function withHistory(
  { from, sign }: SignedPermutation,
  slices: readonly ObservationSlice[],
  long: readonly ObservationSlice[],
): SignedPermutation {
  const dim = long.reduce((sum, slice) => sum + slice.dim, 0);
  const out = { from: new Int32Array(dim), sign: new Float32Array(dim) };
  for (const [k, { offset, dim: width }] of slices.entries()) {
    const slice = long[k]!;
    for (let at = 0; at < slice.dim; at++) {
      const value = at % width;
      out.from[slice.offset + at] = slice.offset + at - value + from[offset + value]! - offset;
      out.sign[slice.offset + at] = sign[offset + value]!;
    }
  }
  return out;
}

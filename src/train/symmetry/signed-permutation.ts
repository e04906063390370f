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

/** A value counts as found if the mean squared error is at most this share of its mean square. Left and right of a real
 *  robot differ a little. */
const MOST_ERROR = 0.3;
/** Is added to the mean square, because the normalisers of observations do not show smaller differences. */
const INVISIBLE = RunningNormalizer.EPSILON ** 2;
/** An earlier candidate keeps its place against one whose error is smaller by less than this share of the squares. */
const TIE = 1e-9;

/** Mirrors rows into `out`. */
export function mirrorValues(rows: Float32Array, { from, sign }: SignedPermutation, out: Float32Array): void {
  const dim = from.length;
  for (let at = 0; at < rows.length; at += dim)
    for (let i = 0; i < dim; i++) out[at + i] = sign[i]! * rows[at + from[i]!]!;
}

/** Finds the signed permutation that mirrors the rows, value by value. Positions, velocities, rotations and joints all
 *  have one: a reflection changes the signs of some components and swaps the sides. A value that is 0 in all rows stays
 *  what it is.
 *  @returns the index of a value that has no mirror image, if there is one */
export function findPermutation({ dim, rows, mirrored }: MirroredPairs): SignedPermutation | number {
  const from = new Int32Array(dim);
  const sign = new Float32Array(dim);
  for (let i = 0; i < dim; i++) {
    let power = 0;
    for (let at = i; at < mirrored.length; at += dim) power += mirrored[at]! ** 2;
    let least = Number.POSITIVE_INFINITY;
    // The value itself comes first and wins ties.
    for (let k = 0; k < dim; k++) {
      const j = k === 0 ? i : k <= i ? k - 1 : k;
      for (const s of [1, -1]) {
        let error = 0;
        for (let at = 0; at < rows.length && error <= least; at += dim)
          error += (mirrored[at + i]! - s * rows[at + j]!) ** 2;
        if (error >= least - TIE * power) continue;
        least = error;
        from[i] = j;
        sign[i] = s;
      }
    }
    if (least > MOST_ERROR * (power + (INVISIBLE * rows.length) / dim)) return i;
  }
  return { from, sign };
}

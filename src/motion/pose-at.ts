import { slerp } from '../core/math/quaternion.ts';
import type { ClipRows } from './clip-rows.ts';

const ROOT_QUATERNION = 3;
const from = [1, 0, 0, 0];
const to = [1, 0, 0, 0];

/** Writes the pose of a clip at `position`. A whole position gives that row unchanged. Between two rows, interpolates
 *  linearly, and the root's orientation on the shortest arc.
 *  @param out (nq,) root x y z, quaternion wxyz, joints; may be longer
 *  @param nq number of values per row @param position position in frames, from 0 to frames − 1 */
export function poseAt(out: Float64Array, { rows }: Pick<ClipRows, 'rows'>, nq: number, position: number): void {
  const row = Math.floor(position);
  const blend = position - row;
  const a = row * nq;
  if (blend === 0) {
    for (let k = 0; k < nq; k++) out[k] = rows[a + k]!;
    return;
  }
  const b = a + nq;
  for (let k = 0; k < nq; k++) {
    const value = rows[a + k]!;
    out[k] = value + blend * (rows[b + k]! - value);
  }
  for (let k = 0; k < 4; k++) {
    from[k] = rows[a + ROOT_QUATERNION + k]!;
    to[k] = rows[b + ROOT_QUATERNION + k]!;
  }
  slerp(from, from, to, blend);
  for (let k = 0; k < 4; k++) out[ROOT_QUATERNION + k] = from[k]!;
}

/** Positions nearer than this to a whole frame are rounded to it: times are k/fps in floating point. */
const FRAME_SNAP = 1e-6;

/** Returns the position in frames at `timeS`, limited to the clip: 0 before its start, the last frame after its end. */
export function positionAt({ fps, frames }: Pick<ClipRows, 'fps' | 'frames'>, timeS: number): number {
  return snapped(timeS * fps, frames);
}

/** Limits `position` to a clip of `frames` frames. Removes rounding errors near a whole frame. */
export function snapped(position: number, frames: number): number {
  const nearest = Math.round(position);
  const exact = Math.abs(position - nearest) < FRAME_SNAP ? nearest : position;
  return Math.min(frames - 1, Math.max(0, exact));
}

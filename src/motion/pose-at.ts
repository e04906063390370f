import { slerp } from '../core/math/quaternion.ts';
import type { ClipRows } from './clip-rows.ts';

const ROOT_QUATERNION = 3;
const from = [1, 0, 0, 0];
const to = [1, 0, 0, 0];

/** Pose of a clip between its rows: a whole `position` gives that row as it is; between two of them numbers are
 *  interpolated evenly, the root's orientation on the shortest arc.
 *  @param out (nq,) root x y z, quaternion wxyz, joints; may be longer
 *  @param nq numbers a row  @param position in frames, within 0 … frames − 1 */
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

/** Nearer to a whole frame than this is that frame: times are given as k/fps in floating point. */
const FRAME_SNAP = 1e-6;

/** Position in frames at `timeS`, within the clip: before its start it is 0, past its end the last frame. */
export function positionAt({ fps, frames }: Pick<ClipRows, 'fps' | 'frames'>, timeS: number): number {
  return snapped(timeS * fps, frames);
}

/** `position` within a clip of `frames`; a whole frame where it is one but for rounding. */
export function snapped(position: number, frames: number): number {
  const nearest = Math.round(position);
  const exact = Math.abs(position - nearest) < FRAME_SNAP ? nearest : position;
  return Math.min(frames - 1, Math.max(0, exact));
}

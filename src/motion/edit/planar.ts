import { conjugate, fromYaw, multiply } from '../../core/math/quaternion.ts';
import type { ClipRows } from '../clip-rows.ts';
import { widthOf } from './frames.ts';

/** A motion in the plane of the floor: (x, y) ↦ R(yaw)·(x, y) + (dx, dy). */
export interface PlanarMotion {
  /** rad, about the vertical */
  readonly yaw: number;
  /** m */
  readonly dx: number;
  readonly dy: number;
}

/** Returns the motion that turns by `yaw` and takes the point `from` to the point `to`.
 *  @param from x y, m  @param to x y, m */
export function planarMotion(yaw: number, from: ArrayLike<number>, to: ArrayLike<number>): PlanarMotion {
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  return { yaw, dx: to[0]! - (c * from[0]! - s * from[1]!), dy: to[1]! - (s * from[0]! + c * from[1]!) };
}

/** Returns the rotation about the vertical that takes orientation `from` nearest to `to`, rad: the twist of to·from⁻¹
 *  about z, 2·atan2(z, w). It is defined for a lying robot, too, whose yaw is not.
 *  @param from (4,) wxyz  @param to (4,) wxyz */
export function headingBetween(from: ArrayLike<number>, to: ArrayLike<number>): number {
  const turn = multiply([1, 0, 0, 0], to, conjugate([1, 0, 0, 0], from));
  return 2 * Math.atan2(turn[3]!, turn[0]!);
}

/** Moves a clip on the floor. Heights and joints stay. */
export function movedBy(clip: ClipRows, { yaw, dx, dy }: PlanarMotion): ClipRows {
  const width = widthOf(clip);
  const rows = Float64Array.from(clip.rows);
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const turn = fromYaw([1, 0, 0, 0], yaw);
  for (let at = 0; at < rows.length; at += width) {
    const [x, y] = [rows[at]!, rows[at + 1]!];
    rows[at] = c * x - s * y + dx;
    rows[at + 1] = s * x + c * y + dy;
    const quaternion = rows.subarray(at + 3, at + 7);
    multiply(quaternion, turn, quaternion);
  }
  return { ...clip, rows };
}

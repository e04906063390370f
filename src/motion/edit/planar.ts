import { conjugate, fromYaw, multiply } from '../../core/math/quaternion.ts';
import type { ClipRows } from '../clip-rows.ts';
import { widthOf } from './frames.ts';

/** A rigid motion in the plane of the floor: (x, y) ↦ R(yaw)·(x, y) + (dx, dy). */
export interface PlanarMotion {
  /** rotation about the vertical, rad */
  readonly yaw: number;
  /** translation, m */
  readonly dx: number;
  readonly dy: number;
}

/** Returns the planar motion that rotates by `yaw` and maps the point `from` to the point `to`.
 *  @param from x y, m  @param to x y, m */
export function planarMotion(yaw: number, from: ArrayLike<number>, to: ArrayLike<number>): PlanarMotion {
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  return { yaw, dx: to[0]! - (c * from[0]! - s * from[1]!), dy: to[1]! - (s * from[0]! + c * from[1]!) };
}

/** Returns the rotation about the vertical, rad, that brings orientation `from` nearest to `to`: the twist of
 *  to·from⁻¹ about z, 2·atan2(z, w). Unlike the difference of the yaw angles, it is also defined for a lying robot.
 *  @param from (4,) wxyz  @param to (4,) wxyz */
export function headingBetween(from: ArrayLike<number>, to: ArrayLike<number>): number {
  const turn = multiply([1, 0, 0, 0], to, conjugate([1, 0, 0, 0], from));
  return 2 * Math.atan2(turn[3]!, turn[0]!);
}

/** Applies a planar motion to a clip. Heights and joints stay unchanged. */
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

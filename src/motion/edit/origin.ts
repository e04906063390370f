import { yawOf } from '../../core/math/quaternion.ts';
import type { ClipRows } from '../clip-rows.ts';
import { movedBy, planarMotion } from './planar.ts';

/** Moves the whole clip horizontally so that its first frame is at x = y = 0 and has heading (yaw) 0. */
export function toOrigin(clip: ClipRows): ClipRows {
  const yaw = -yawOf(clip.rows.subarray(3, 7));
  const moved = movedBy(clip, planarMotion(yaw, clip.rows, [0, 0]));
  // Write exact zeros: the sums above leave rounding errors.
  moved.rows[0] = 0;
  moved.rows[1] = 0;
  return moved;
}

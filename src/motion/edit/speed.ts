import type { ClipRows } from '../clip-rows.ts';
import { poseAt, snapped } from '../pose-at.ts';
import { checkSize, widthOf } from './frames.ts';

/** Plays the motion `factor` times as fast at the same frame rate. Frame k of the result is the pose at frame k ·
 *  factor of the clip. Positions and joints are interpolated linearly, the root's orientation by slerp (Shoemake,
 *  Animating Rotation with Quaternion Curves, 1985). The result ends at the last such frame that is not after the
 *  end of the clip. */
export function changeSpeed(clip: ClipRows, factor: number): ClipRows {
  const width = widthOf(clip);
  const frames = Math.floor((clip.frames - 1) / factor + 1e-9) + 1;
  checkSize(frames, width);
  const rows = new Float64Array(frames * width);
  for (let frame = 0; frame < frames; frame += 1)
    poseAt(rows.subarray(frame * width, (frame + 1) * width), clip, width, snapped(frame * factor, clip.frames));
  return { fps: clip.fps, frames, rows };
}

import { badInput } from '../../core/errors.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { changeRate } from './change-rate.ts';
import { align, crossfade, overlapProgress } from './crossfade.ts';
import { checkSize, framesIn, framesOf, joined, widthOf } from './frames.ts';

/** Appends a second clip. The end of the first clip and the start of the second clip overlap by `blend_s`, or by one
 *  frame without a blend. There, the second clip is aligned in heading and horizontal position (see `align`). A
 *  second clip with another frame rate is resampled.
 *  @throws bad_input for a blend that is longer than one of the clips */
export function append(robot: ClipRobot, clip: ClipRows, second: ClipRows, blendS: number): ClipRows {
  const next = changeRate(second, clip.fps);
  const overlap = framesIn(blendS, clip.fps, 1);
  const least = Math.min(clip.frames, next.frames);
  if (overlap > least - 1)
    throw badInput(`blend_s: ${blendS} s is too long. The shorter clip has ${((least - 1) / clip.fps).toFixed(2)} s`);
  checkSize(clip.frames + next.frames - overlap, widthOf(clip));
  const tail = framesOf(clip, clip.frames - overlap, clip.frames - 1);
  const aligned = align(robot, tail, framesOf(next, 0, overlap - 1), framesOf(next, overlap, next.frames - 1));
  const blended = crossfade(robot, aligned, overlapProgress(overlap));
  return joined([framesOf(clip, 0, clip.frames - overlap - 1), blended, aligned.rest]);
}

import { badInput } from '../../core/errors.ts';
import type { ClipRobot } from '../clip-robot.ts';
import type { ClipRows } from '../clip-rows.ts';
import { align, crossfade, overlapProgress } from './crossfade.ts';
import { framesIn, framesOf, joined } from './frames.ts';

/** Makes a clip that repeats without a jump. The last `blend_s` of the clip are blended into a copy of its first
 *  `blend_s`, which is moved to the position and heading at the end of the clip. The result starts after the first
 *  `blend_s`. When the result repeats, it continues from the position and heading that it has reached.
 *  @throws bad_input for a blend longer than a third of the clip */
export function loop(robot: ClipRobot, clip: ClipRows, { blend_s: blendS }: { blend_s: number }): ClipRows {
  const { frames, fps } = clip;
  const overlap = framesIn(blendS, fps, 2);
  if (3 * overlap > frames)
    throw badInput(
      `blend_s: ${blendS} s is too long for a clip of ${((frames - 1) / fps).toFixed(2)} s. Choose at most ${(frames / fps / 3).toFixed(2)} s.`,
    );
  const head = framesOf(clip, 0, overlap - 1);
  const aligned = align(robot, framesOf(clip, frames - overlap, frames - 1), head, head);
  const blended = crossfade(robot, aligned, overlapProgress(overlap));
  return joined([framesOf(clip, overlap, frames - overlap - 1), blended]);
}

import { badInput } from '../../core/errors.ts';
import type { ClipRows } from '../clip-rows.ts';
import { frameAt, framesOf, LEAST_FRAMES } from './frames.ts';

/** Returns the frames ⌊from_s · fps⌋ to ⌊to_s · fps⌋, both inclusive, unchanged.
 *  @throws bad_input for times outside of the clip, or if too few frames remain */
export function trim(clip: ClipRows, { from_s: from, to_s: to }: { from_s: number; to_s: number }): ClipRows {
  const { frames, fps } = clip;
  const first = frameAt(from, fps);
  const last = frameAt(to, fps);
  const end = `the clip ends at ${((frames - 1) / fps).toFixed(3)} s`;
  if (last < first) throw badInput(`to_s: ${to} s is before from_s, ${from} s`);
  if (last > frames - 1) throw badInput(`to_s: ${to} s is after the last frame: ${end}`);
  if (last - first + 1 < LEAST_FRAMES)
    throw badInput(
      `to_s: ${last - first + 1} frames would remain, expected at least ${LEAST_FRAMES}. Keep a longer part.`,
    );
  return framesOf(clip, first, last);
}

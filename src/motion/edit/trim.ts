import { badInput } from '../../core/errors.ts';
import { countText } from '../../core/log/format-numbers.ts';
import type { ClipRows } from '../clip-rows.ts';
import { frameAt, framesOf, LEAST_FRAMES } from './frames.ts';

/** @throws bad_input for an end before the start */
export function checkTrim({ from_s: from, to_s: to }: { from_s: number; to_s: number }): void {
  if (to < from) throw badInput(`to_s: ${to} s is before from_s, ${from} s`);
}

/** Returns the frames ⌊from_s · fps⌋ to ⌊to_s · fps⌋, both inclusive, unchanged.
 *  @throws bad_input for times outside of the clip, or if too few frames remain */
export function trim(clip: ClipRows, step: { from_s: number; to_s: number }): ClipRows {
  checkTrim(step);
  const { from_s: from, to_s: to } = step;
  const { frames, fps } = clip;
  const first = frameAt(from, fps);
  const last = frameAt(to, fps);
  const end = `the clip ends at ${((frames - 1) / fps).toFixed(3)} s`;
  if (last > frames - 1) throw badInput(`to_s: ${to} s is after the last frame: ${end}`);
  if (last - first + 1 < LEAST_FRAMES)
    throw badInput(
      `to_s: ${countText(last - first + 1, 'frame')} would remain, expected at least ${LEAST_FRAMES}. Keep a longer part.`,
    );
  return framesOf(clip, first, last);
}

import { badInput } from '../../core/errors.ts';
import type { EditStep } from '../../protocol/schemas/edit.ts';
import type { ClipRows } from '../clip-rows.ts';
import { clipVelocities } from '../convert/velocities.ts';
import { checkSize, frameAt, framesIn, framesOf, LEAST_FRAMES, widthOf } from './frames.ts';

/** Minimum duration of a part, s. Shorter parts are dropped. */
const LEAST_S = 1;
/** First condition of a pause: the speed of the robot's root is below this, m/s. */
const STILL_ROOT = 0.1;
/** Second condition of a pause: the root mean square of the joint velocities is below this, rad/s. */
const STILL_JOINTS = 0.25;
/** Third condition of a pause: both hold for at least this time, s. */
const PAUSE_S = 0.3;
const MOST_PARTS = 1000;

/** Checks what does not depend on the clip. @throws bad_input for an unclear request, or an overlap that is too long */
export function checkSplit({ every_s: every, overlap_s: overlap, at }: NonNullable<EditStep['split']>): void {
  if ((every === undefined) === (at === undefined)) throw badInput('give either every_s or at');
  if (at !== undefined && overlap !== undefined) throw badInput('overlap_s: requires every_s');
  if (every !== undefined && overlap !== undefined && overlap >= every)
    throw badInput(`overlap_s: ${overlap} s must be less than every_s, ${every} s`);
}

/** Splits a clip into parts of `every_s`, with neighbouring parts overlapping by `overlap_s`, or in the middle of
 *  every pause. Drops parts shorter than 1 s. Frames are unchanged.
 *  @throws bad_input as `checkSplit` does, or if no part remains */
export function split(clip: ClipRows, step: NonNullable<EditStep['split']>) {
  checkSplit(step);
  const { every_s: every, overlap_s: overlap } = step;
  const ranges = every === undefined ? betweenPauses(clip) : regular(clip, every, overlap ?? 0);
  const parts = ranges.filter(([first, last]) => last - first + 1 >= Math.max(LEAST_FRAMES, LEAST_S * clip.fps));
  if (parts.length === 0) throw badInput(`every part is shorter than ${LEAST_S} s`);
  if (parts.length > MOST_PARTS)
    throw badInput(`would result in ${parts.length} parts, the limit is ${MOST_PARTS}. Choose longer parts.`);
  checkSize(
    parts.reduce((sum, [first, last]) => sum + last - first + 1, 0),
    widthOf(clip),
  );
  return parts.map(([first, last]) => framesOf(clip, first, last));
}

type Range = readonly [first: number, last: number];

/** Returns the ranges of equal parts. Part k begins at k · (every − overlap) s and has every · fps frames; the last
 *  part may be shorter. */
function regular({ frames, fps }: ClipRows, every: number, overlap: number): Range[] {
  const ranges: Range[] = [];
  const length = framesIn(every, fps, 1);
  for (let k = 0; ; k += 1) {
    const first = frameAt(k * (every - overlap), fps);
    // Stop if the remaining frames already belong to the previous part.
    if (first >= frames || (k > 0 && first + framesIn(overlap, fps, 0) >= frames)) return ranges;
    ranges.push([first, Math.min(frames, first + length) - 1]);
    if (ranges.length > MOST_PARTS) return ranges;
  }
}

function betweenPauses(clip: ClipRows): Range[] {
  const { frames, fps } = clip;
  const still = stillFrames(clip);
  const least = framesIn(PAUSE_S, fps, 1);
  const ranges: Range[] = [];
  let first = 0;
  for (let start = 0; start < frames; ) {
    let end = start;
    while (end < frames && still[end] === 1) end += 1;
    // Do not split at pauses at the start and at the end of the clip.
    if (end - start >= least && start > 0 && end < frames) {
      const middle = Math.floor((start + end) / 2);
      ranges.push([first, middle - 1]);
      first = middle;
    }
    start = end + 1;
  }
  ranges.push([first, frames - 1]);
  return ranges;
}

/** Marks the frames in which the robot stands still. @returns (frames) 1 where the robot is still, else 0 */
function stillFrames(clip: ClipRows): Uint8Array {
  const { frames } = clip;
  const velocities = clipVelocities(clip);
  const nv = velocities.length / frames;
  return Uint8Array.from({ length: frames }, (_, frame) => {
    const row = velocities.subarray(frame * nv, (frame + 1) * nv);
    if (Math.hypot(row[0]!, row[1]!, row[2]!) >= STILL_ROOT) return 0;
    let sum = 0;
    for (let k = 6; k < nv; k += 1) sum += row[k]! ** 2;
    return Math.sqrt(sum / Math.max(1, nv - 6)) < STILL_JOINTS ? 1 : 0;
  });
}

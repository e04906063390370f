import { badInput } from '../../core/errors.ts';
import type { ClipRows } from '../clip-rows.ts';

/** Minimum number of frames of a clip. Velocities cannot be computed from fewer frames. */
export const LEAST_FRAMES = 3;
/** A frame index that differs from a whole number by less than this is rounded: 0.7 s at 30 Hz are 21 frames, not
 *  20.999…. */
const FRAME_SNAP = 1e-6;
/** Maximum number of values of an edited clip: 1 GiB. */
const MOST_VALUES = 2 ** 27;

/** Returns the number of values per row: 7 + joints. */
export function widthOf({ rows, frames }: ClipRows): number {
  return rows.length / frames;
}

/** Returns ⌊seconds · fps⌋, corrected for rounding errors of the product. */
export function frameAt(seconds: number, fps: number): number {
  return Math.floor(seconds * fps + FRAME_SNAP);
}

/** Returns the number of frames nearest to a duration, but at least `least`. */
export function framesIn(seconds: number, fps: number, least: number): number {
  return Math.max(least, Math.round(seconds * fps));
}

/** Returns a copy of the frames `first` to `last`, both inclusive. */
export function framesOf(clip: ClipRows, first: number, last: number): ClipRows {
  const width = widthOf(clip);
  return { fps: clip.fps, frames: last - first + 1, rows: clip.rows.slice(first * width, (last + 1) * width) };
}

/** Concatenates clips of the same frame rate and robot. */
export function joined(clips: readonly ClipRows[]): ClipRows {
  const [{ fps }] = clips as [ClipRows];
  const rows = new Float64Array(clips.reduce((sum, clip) => sum + clip.rows.length, 0));
  let at = 0;
  for (const clip of clips) {
    rows.set(clip.rows, at);
    at += clip.rows.length;
  }
  return { fps, frames: clips.reduce((sum, clip) => sum + clip.frames, 0), rows };
}

/** Returns a copy with the frames in reverse order. */
export function reversed(clip: ClipRows): ClipRows {
  const width = widthOf(clip);
  const rows = new Float64Array(clip.rows.length);
  for (let frame = 0; frame < clip.frames; frame += 1) {
    const from = (clip.frames - 1 - frame) * width;
    rows.set(clip.rows.subarray(from, from + width), frame * width);
  }
  return { ...clip, rows };
}

/** Refuses an edit whose result would be too large, before memory is allocated. @throws bad_input */
export function checkSize(frames: number, width: number): void {
  if (frames * width > MOST_VALUES)
    throw badInput(
      `would result in ${frames} frames, the limit is ${Math.floor(MOST_VALUES / width)}. Trim the clip first, or edit it in parts.`,
    );
}

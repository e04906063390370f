import type { ClipRows } from '../clip-rows.ts';
import { changeSpeed } from './speed.ts';

/** Resamples a clip to another frame rate. Frame k of the result is the pose at time k / `fps`, s. */
export function changeRate(clip: ClipRows, fps: number): ClipRows {
  return clip.fps === fps ? clip : { ...changeSpeed(clip, clip.fps / fps), fps };
}

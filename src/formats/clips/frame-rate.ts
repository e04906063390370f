import { badInput } from '../../core/errors.ts';

const MAX_FPS = 100_000;

/** Returns the frame rate if it is valid. @throws bad_input for an invalid frame rate */
export function checkFps(fps: number): number {
  if (!(fps > 0 && fps <= MAX_FPS)) throw badInput(`"fps" must be a single number > 0 and ≤ ${MAX_FPS}`);
  return fps;
}

import { badInput } from '../../core/errors.ts';

/** Range of frame rates, Hz. Below it, the duration of a clip could be infinite. */
const MIN_FPS = 0.01;
const MAX_FPS = 100_000;

/** Returns the frame rate if it is valid. @throws bad_input for an invalid frame rate */
export function checkFps(fps: number): number {
  if (!(fps >= MIN_FPS && fps <= MAX_FPS))
    throw badInput(`"fps" must be a single number from ${MIN_FPS} to ${MAX_FPS}`);
  return fps;
}

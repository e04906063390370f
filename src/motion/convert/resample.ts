import { slerp } from '../../core/math/quaternion.ts';
import type { ClipRows } from '../clip-rows.ts';
import { ClipMemory } from './clip-memory.ts';

/** Returns the number of frames after resampling `frames` frames from `inputFps` to `outputFps`. The end time of the
 *  clip itself is not a frame of the result. The order of the float64 operations is the same as in the original
 *  converter (upstream): 148 frames at 30 Hz give 245 at 50 Hz; multiplying by the output rate would give 246. */
export function resampledFrames(frames: number, inputFps: number, outputFps: number): number {
  if (frames <= 1) return frames;
  return Math.ceil((frames - 1) / inputFps / (1 / outputFps));
}

/** Resamples a clip: frame k of the result is at k / `outputFps` s. Interpolates positions and joints linearly, and the
 *  root's orientation on the shortest great circle. Does not normalise the source quaternions.
 *  @param memory holds the result */
export function resample(clip: ClipRows, outputFps: number, memory = new ClipMemory()): ClipRows {
  const { frames, fps, rows } = clip;
  const count = resampledFrames(frames, fps, outputFps);
  const columns = rows.length / frames;
  const out = memory.doubles(count * columns);
  const last = frames - 1;
  const duration = last / fps;
  const from = new Float64Array(4);
  const to = new Float64Array(4);
  for (let k = 0; k < count; k += 1) {
    const at = duration === 0 ? 0 : (k / outputFps / duration) * last;
    const first = Math.min(Math.floor(at), last);
    const blend = at - first;
    const a = first * columns;
    const b = Math.min(first + 1, last) * columns;
    const row = k * columns;
    for (let column = 0; column < columns; column += 1) {
      const value = rows[a + column]!;
      out[row + column] = value + blend * (rows[b + column]! - value);
    }
    for (let axis = 0; axis < 4; axis += 1) {
      from[axis] = rows[a + 3 + axis]!;
      to[axis] = rows[b + 3 + axis]!;
    }
    slerp(from, from, to, blend);
    out.set(from, row + 3);
  }
  return { fps: outputFps, frames: count, rows: out };
}

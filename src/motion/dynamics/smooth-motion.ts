import { conjugate, multiply, toRotationVector } from '../../core/math/quaternion.ts';
import type { ClipRows } from '../clip-rows.ts';
import { clipVelocities } from '../convert/velocities.ts';

/** Cut-off frequency, Hz. Motion above this frequency is treated as noise from capture and resampling. Gait analysis
 *  uses the same limit for walking. The Gaussian's gain at this frequency is 1/√2. */
const CUT_OFF_HZ = 6;
/** Standard deviation of the Gaussian, s; √(ln 2) / 2π = 0.1325 s for a cut-off of 1 Hz */
const SIGMA_S = 0.1325 / CUT_OFF_HZ;
/** Half width of the kernel, in standard deviations. */
const KERNEL_REACH = 3;
/** Minimum number of frames for computing accelerations. */
const LEAST_FRAMES = 3;

/** Smoothed velocities and accelerations of a clip, (frames, nv) each, in MuJoCo's order: root linear (world frame),
 *  root angular (root frame), joints. All values are zero for a clip with fewer than 3 frames. */
export interface SmoothMotion {
  readonly velocities: Float64Array;
  readonly accelerations: Float64Array;
}

/** Returns the number of neighbouring frames on either side that influence the smoothed motion of a frame. */
export function smoothingReach(fps: number): number {
  return Math.ceil(KERNEL_REACH * SIGMA_S * fps) + 1;
}

/** Computes velocities and accelerations by finite differences, smoothed by a Gaussian.
 *  @param nq columns per row: root (7), joints */
export function smoothMotion(clip: ClipRows, nq: number): SmoothMotion {
  const nv = nq - 1;
  if (clip.frames < LEAST_FRAMES) {
    const zero = () => new Float64Array(clip.frames * nv);
    return { velocities: zero(), accelerations: zero() };
  }
  const weights = kernel(clip.fps);
  return {
    velocities: smooth(clipVelocities(clip), clip.frames, nv, weights),
    accelerations: smooth(accelerationsOf(clip, nq), clip.frames, nv, weights),
  };
}

/** Returns the second differences. The first and last frame copy the values of their neighbours. */
function accelerationsOf({ rows, frames, fps }: ClipRows, nq: number): Float64Array {
  const nv = nq - 1;
  const out = new Float64Array(frames * nv);
  const square = fps * fps;
  const before = new Float64Array(3);
  const after = new Float64Array(3);
  for (let frame = 1; frame < frames - 1; frame += 1) {
    const [a, b, c, to] = [(frame - 1) * nq, frame * nq, (frame + 1) * nq, frame * nv];
    for (let k = 0; k < 3; k += 1) out[to + k] = (rows[c + k]! - 2 * rows[b + k]! + rows[a + k]!) * square;
    turnBetween(before, rows, a + 3, b + 3);
    turnBetween(after, rows, b + 3, c + 3);
    for (let k = 0; k < 3; k += 1) out[to + 3 + k] = (after[k]! - before[k]!) * square;
    for (let k = 7; k < nq; k += 1) out[to + k - 1] = (rows[c + k]! - 2 * rows[b + k]! + rows[a + k]!) * square;
  }
  out.copyWithin(0, nv, 2 * nv);
  out.copyWithin((frames - 1) * nv, (frames - 2) * nv, (frames - 1) * nv);
  return out;
}

const from = new Float64Array(4);
const to = new Float64Array(4);

/** Writes the rotation vector (3,), rad, from the quaternion (wxyz) at index `a` to the one at `b`, in the frame of
 *  the first. */
function turnBetween(out: Float64Array, rows: Float64Array, a: number, b: number): void {
  for (let k = 0; k < 4; k += 1) {
    from[k] = rows[a + k]!;
    to[k] = rows[b + k]!;
  }
  toRotationVector(out, multiply(to, conjugate(from, from), to));
}

/** Returns half of the symmetric smoothing kernel, from its centre outwards. */
function kernel(fps: number): number[] {
  return Array.from({ length: smoothingReach(fps) }, (_, k) => Math.exp(-0.5 * (k / (SIGMA_S * fps)) ** 2));
}

/** Returns weighted means along time. Near the ends, the means include only the existing frames. */
function smooth(values: Float64Array, frames: number, columns: number, weights: readonly number[]): Float64Array {
  const out = new Float64Array(values.length);
  const reach = weights.length - 1;
  const taps = Float64Array.from({ length: 2 * reach + 1 }, (_, k) => weights[Math.abs(k - reach)]!);
  for (let frame = 0; frame < frames; frame += 1) {
    const first = Math.max(0, frame - reach);
    const last = Math.min(frames - 1, frame + reach);
    const tap = reach - frame;
    let total = 0;
    for (let other = first; other <= last; other += 1) total += taps[tap + other]!;
    const row = frame * columns;
    for (let k = 0; k < columns; k += 1) {
      let sum = 0;
      for (let other = first; other <= last; other += 1) sum += taps[tap + other]! * values[other * columns + k]!;
      out[row + k] = sum / total;
    }
  }
  return out;
}

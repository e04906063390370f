import { badInput } from '../../core/errors.ts';
import { normalize } from '../../core/math/quaternion.ts';
import type { ClipRows } from '../clip-rows.ts';
import { widthOf } from './frames.ts';

/** Length of the padding at both ends, in periods of the cutoff frequency. The filter settles within this time. */
const PADDING_PERIODS = 3;

/** Coefficients of a second-order filter: y = b0·x + b1·x₁ + b2·x₂ − a1·y₁ − a2·y₂. */
interface Biquad {
  readonly b: readonly [number, number, number];
  readonly a: readonly [number, number];
}

/** Removes fast motion without delay. Uses a second-order Butterworth low-pass, run forwards and backwards (like
 *  `scipy.signal.filtfilt`). The gain is 1 / (1 + (f / cutoff)⁴), apart from the warping of the bilinear transform,
 *  and the phase is zero. Both ends are extended by point reflection, so that the first and last pose stay in place.
 *  The root's quaternion is filtered by component after sign changes are removed, and is then normalised. This
 *  commutes with any rotation of the world.
 *  @throws bad_input for a cutoff that the frame rate cannot represent */
export function smooth(clip: ClipRows, { cutoff_hz: cutoff }: { cutoff_hz: number }): ClipRows {
  const { fps, frames } = clip;
  if (cutoff >= fps / 2)
    throw badInput(`cutoff_hz: ${cutoff} Hz is too high for ${fps} frames per second. Choose less than ${fps / 2} Hz.`);
  const width = widthOf(clip);
  const rows = withoutSignChanges(clip);
  const filter = lowPass(cutoff / fps);
  const padding = Math.min(frames - 1, Math.ceil((PADDING_PERIODS * fps) / cutoff));
  const column = new Float64Array(frames + 2 * padding);
  for (let k = 0; k < width; k += 1) {
    extend(column, rows, { k, width, frames, padding });
    run(filter, column);
    column.reverse();
    run(filter, column);
    column.reverse();
    for (let frame = 0; frame < frames; frame += 1) rows[frame * width + k] = column[padding + frame]!;
  }
  for (let at = 3; at < rows.length; at += width) {
    const quaternion = rows.subarray(at, at + 4);
    normalize(quaternion, quaternion);
  }
  return { fps, frames, rows };
}

/** Returns a copy in which successive quaternions have a non-negative dot product: q and −q are the same rotation. */
function withoutSignChanges(clip: ClipRows): Float64Array {
  const width = widthOf(clip);
  const rows = Float64Array.from(clip.rows);
  for (let at = width + 3; at < rows.length; at += width) {
    let dot = 0;
    for (let k = 0; k < 4; k += 1) dot += rows[at + k]! * rows[at - width + k]!;
    if (dot < 0) for (let k = 0; k < 4; k += 1) rows[at + k] = -rows[at + k]!;
  }
  return rows;
}

/** Designs the filter with the bilinear transform and pre-warping (Oppenheim and Schafer, Discrete-Time Signal
 *  Processing, 7.1). @param ratio cutoff / frame rate, below 1/2 */
function lowPass(ratio: number): Biquad {
  const w = Math.tan(Math.PI * ratio);
  const norm = 1 + Math.SQRT2 * w + w * w;
  const gain = (w * w) / norm;
  return { b: [gain, 2 * gain, gain], a: [(2 * (w * w - 1)) / norm, (1 - Math.SQRT2 * w + w * w) / norm] };
}

/** Writes column `k` of `rows` with `padding` reflected values before and after it. */
function extend(
  out: Float64Array,
  rows: Float64Array,
  { k, width, frames, padding }: { k: number; width: number; frames: number; padding: number },
): void {
  const value = (frame: number) => rows[frame * width + k]!;
  const [first, last] = [value(0), value(frames - 1)];
  for (let n = 1; n <= padding; n += 1) {
    out[padding - n] = 2 * first - value(n);
    out[padding + frames - 1 + n] = 2 * last - value(frames - 1 - n);
  }
  for (let frame = 0; frame < frames; frame += 1) out[padding + frame] = value(frame);
}

/** Filters in place. The initial state is the steady state for the first value. */
function run({ b, a }: Biquad, values: Float64Array): void {
  let [x1, x2, y1, y2] = [values[0]!, values[0]!, values[0]!, values[0]!];
  for (let n = 0; n < values.length; n += 1) {
    const x = values[n]!;
    const y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    values[n] = y;
  }
}

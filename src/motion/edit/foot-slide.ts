import type { FootTracks } from './foot-frame.ts';
import { smoothStep } from './smooth-step.ts';

/** A sole up to this height, m, is on the floor; a sole higher than `OFF` is not. */
const ON = 0.015;
const OFF = 0.05;
/** The supporting foot changes only if another foot's contact weight is larger by this factor. */
const HYSTERESIS = 1.3;
/** Half-width of the filter that smooths the correction, in frames. */
const REACH = 1;

/** Number of frames over which the correction fades at both ends. */
const FADE = 4;

/** The input: the feet of two motions and of their blend. */
interface Blended {
  /** feet of the first motion, of the second motion, and of the blend, frame by frame */
  readonly before: FootTracks;
  readonly after: FootTracks;
  readonly now: FootTracks;
  /** weight of `after`, by frame */
  readonly weight: (frame: number) => number;
}

/** Returns the horizontal offsets that prevent a blend from sliding. With these offsets, feet on the floor move as
 *  in the blended motions; if they stand still there, they stand still in the blend. The correction of a step
 *  concerns the lowest point of the supporting sole: it is the difference between the point's movement in the blend
 *  and in those motions in which the sole is on the floor, too. Corrections are smoothed by a raised cosine, faded
 *  at both ends, and summed. The last offset must therefore be applied to all following frames.
 *  @returns (frames, 2) m */
export function slideOf({ before, after, now, weight }: Blended): Float64Array {
  const { length: frames } = now.lowest;
  const steps = new Float64Array(2 * frames);
  let support = -1;
  for (let frame = 1; frame < frames; frame += 1) {
    const w = weight(frame);
    const standing = (tracks: FootTracks, foot: number) =>
      Math.min(contactOf(tracks, foot, frame - 1), contactOf(tracks, foot, frame));
    const shares = now.soles.map((_, foot) => (1 - w) * standing(before, foot) + w * standing(after, foot));
    const best = shares.indexOf(Math.max(...shares));
    if (support < 0 || shares[best]! > HYSTERESIS * shares[support]!) support = best;
    const share = shares[support] ?? 0;
    if (share <= 0) continue;
    const sole = now.soles[support]!;
    const size = sole.length / frames;
    const point = lowestPoint(sole, frame, size);
    const first = (1 - w) * standing(before, support);
    const second = w * standing(after, support);
    for (let axis = 0; axis < 2; axis += 1) {
      const step = ({ soles }: FootTracks) => {
        const at = frame * size + point + axis;
        return soles[support]![at]! - soles[support]![at - size]!;
      };
      steps[2 * frame + axis] = (first * step(before) + second * step(after)) / (first + second) - step(now);
    }
  }
  return summed(steps, frames);
}

/** Smooths the corrections of the steps, fades them at both ends, and returns their cumulative sums. */
function summed(steps: Float64Array, frames: number): Float64Array {
  const out = new Float64Array(2 * frames);
  for (let frame = 1; frame < frames; frame += 1) {
    const fade = smoothStep(frame / FADE) * smoothStep((frames - frame) / FADE);
    for (let axis = 0; axis < 2; axis += 1) {
      let [sum, weights] = [0, 0];
      for (let n = -REACH; n <= REACH; n += 1) {
        const w = 1 + Math.cos((Math.PI * n) / (REACH + 1));
        sum += w * (steps[2 * (frame + n) + axis] ?? 0);
        weights += w;
      }
      out[2 * frame + axis] = out[2 * (frame - 1) + axis]! + (fade * sum) / weights;
    }
  }
  return out;
}

/** Returns the index, within a frame, of the x of the sole's lowest point. */
function lowestPoint(sole: Float64Array, frame: number, size: number): number {
  let lowest = 0;
  for (let at = 3; at < size; at += 3) if (sole[frame * size + at + 2]! < sole[frame * size + lowest + 2]!) lowest = at;
  return lowest;
}

/** Returns 1 for a sole on the floor, 0 for a sole in the air, and a value in between near the floor. */
function contactOf({ soles, lowest }: FootTracks, foot: number, frame: number): number {
  const sole = soles[foot]!;
  const size = sole.length / lowest.length;
  const height = sole[frame * size + lowestPoint(sole, frame, size) + 2]!;
  return Math.min(1, Math.max(0, (OFF - height) / (OFF - ON)));
}

import type { FootTracks } from './foot-frame.ts';
import { smoothStep } from './smooth-step.ts';

/** A sole at most this high, m, is on the floor; a sole higher than `OFF` is not. */
const ON = 0.015;
const OFF = 0.05;
/** The supporting foot changes once another one stands this much better. */
const HYSTERESIS = 1.3;
/** Half-width of the filter that makes the correction smooth, frames. */
const REACH = 1;

/** The correction fades over so many frames at both ends. */
const FADE = 4;

/** A blend of two motions. */
interface Blended {
  /** feet of both motions and of their blend, frame by frame */
  readonly before: FootTracks;
  readonly after: FootTracks;
  readonly now: FootTracks;
  /** of `after`, by frame */
  readonly weight: (frame: number) => number;
}

/** Returns the horizontal offset by which a blend must move so that its feet on the floor move as those of the blended
 *  motions do: not at all, where these stand. In each step, the lowest point of the supporting sole should move as in the
 *  motions in which that sole is on the floor, too; the difference is the correction. It is smoothed by a raised cosine,
 *  fades at both ends, and is summed, so it ends with an offset, by which what follows is moved.
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

/** Smooths the steps, lets them fade at both ends, and sums them. */
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

/** Index of the lowest point's x within a frame. */
function lowestPoint(sole: Float64Array, frame: number, size: number): number {
  let lowest = 0;
  for (let at = 3; at < size; at += 3) if (sole[frame * size + at + 2]! < sole[frame * size + lowest + 2]!) lowest = at;
  return lowest;
}

/** Returns 1 for a sole on the floor, 0 for a sole above it, and a value between near the floor. */
function contactOf({ soles, lowest }: FootTracks, foot: number, frame: number): number {
  const sole = soles[foot]!;
  const size = sole.length / lowest.length;
  const height = sole[frame * size + lowestPoint(sole, frame, size) + 2]!;
  return Math.min(1, Math.max(0, (OFF - height) / (OFF - ON)));
}

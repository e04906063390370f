import type { CheckedClip } from '../clip/checked-clip.ts';
import { mergeRanges, type Range } from '../clip/issue.ts';
import { forcesOf, type Stand } from './sample-forces.ts';

/** The zero moment point is averaged over this time, s. Errors of captured motion that last shorter cancel out. */
const WINDOW_S = 1;
/** Length of the mean vector from the soles to the zero moment point from which the robot cannot hold the pose, m. None
 *  of the recorded walks, dances, falls and flips of the test data has such a stand. */
const BESIDE = 0.05;
/** Root mean square of the horizontal speed of the root up to which the robot stands, m/s. In faster motion, small
 *  errors of the accelerations move the zero moment point by centimetres. */
const STANDING = 0.2;

/** Stands of a clip in which the zero moment point is beside the soles: a robot that follows the clip exactly falls. */
export interface OffBalance {
  /** share of the time, 0..1 */
  readonly share: number;
  /** duration of all these stands, s */
  readonly seconds: number;
  /** start of the first of these stands, s; 0 without such a stand */
  readonly start: number;
  /** largest length of the mean vector from the soles to the zero moment point over a second, m; 0 without such a
   *  stand */
  readonly distance: number;
}

/** Finds the stands of a clip that the robot cannot hold. The zero moment point is where the force of the floor must
 *  act (Vukobratović and Borovac 2004). A stand lasts at least a second. A robot whose toes are separate bodies, or whose
 *  feet have no collision geoms, has no such stands here: its soles are not known well enough. */
export function offBalance(checked: CheckedClip): OffBalance {
  const { stands, step } = checked.shared(forcesOf);
  const width = Math.max(1, Math.round(WINDOW_S / step));
  const found: Range[] = [];
  for (let start = 0; start + width <= stands.length; start += 1) {
    const peak = distanceOf(stands.slice(start, start + width));
    if (peak > BESIDE) found.push({ start, end: start + width - 1, peak, at: start, which: 0 });
  }
  const ranges = mergeRanges(found, 0);
  const samples = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  return {
    share: samples / Math.max(1, stands.length),
    seconds: samples * step,
    start: (ranges[0]?.start ?? 0) * step,
    distance: ranges.reduce((most, { peak }) => Math.max(most, peak), 0),
  };
}

/** Returns the length of the mean vector from the soles to the zero moment point, m; 0 if the robot does not stand all
 *  the time. */
function distanceOf(stands: readonly (Stand | null)[]): number {
  let [x, y, squares] = [0, 0, 0];
  for (const stand of stands) {
    if (stand === null) return 0;
    x += stand.beside[0];
    y += stand.beside[1];
    squares += stand.speed ** 2;
  }
  return Math.sqrt(squares / stands.length) > STANDING ? 0 : Math.hypot(x, y) / stands.length;
}

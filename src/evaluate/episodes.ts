import type { LibraryClip, MotionLibrary } from '../motion/library/motion-library.ts';

/** One episode: a start in a clip, played to the clip's end or to the horizon. */
export interface Episode {
  /** index in the motion library */
  readonly clip: number;
  /** first frame */
  readonly start: number;
  /** control steps of the whole episode, at least 1 */
  readonly steps: number;
}

/** A group of episodes that one thread plays together, with one checkpoint and under one condition. The division into
 *  units does not depend on the number of threads, so that results do not depend on it either. */
export interface Unit {
  readonly checkpoint: number;
  readonly condition: number;
  /** index of the first episode in the list of episodes, which all checkpoints and conditions share */
  readonly first: number;
  readonly count: number;
}

/** Maximum number of episodes of a unit. They share each evaluation of the policy. With more episodes, more work would
 *  be lost if a unit is interrupted. */
export const MOST_EPISODES = 8;
/** Number of units that is enough to keep the cores of a large machine busy. */
const MANY_UNITS = 64;

/** Returns the episodes of all clips. The starts of a clip of F frames are frames ⌊k (F − 1) / starts⌋: frame 0, then
 *  spread evenly. @param horizonS maximum length of an episode, s; null: to the end of the clip */
export function planEpisodes(
  { clips, fps }: Pick<MotionLibrary, 'clips' | 'fps'>,
  starts: number,
  horizonS: number | null,
): Episode[] {
  const longest = horizonS === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.round(horizonS * fps));
  return clips.flatMap(({ frames }: LibraryClip, clip) =>
    Array.from({ length: starts }, (_, k) => {
      // An episode needs a frame after its first one.
      const start = Math.max(0, Math.min(frames - 2, Math.floor((k * (frames - 1)) / starts)));
      return { clip, start, steps: Math.max(1, Math.min(longest, frames - 1 - start)) };
    }),
  );
}

/** Divides the episodes of all checkpoints and conditions into units: checkpoint by checkpoint, condition by
 *  condition. */
export function planUnits(episodes: number, checkpoints: number, conditions: number): Unit[] {
  const all = episodes * checkpoints * conditions;
  const size = Math.max(1, Math.min(MOST_EPISODES, Math.floor(all / MANY_UNITS)));
  const units: Unit[] = [];
  for (let checkpoint = 0; checkpoint < checkpoints; checkpoint++)
    for (let condition = 0; condition < conditions; condition++)
      for (let first = 0; first < episodes; first += size)
        units.push({ checkpoint, condition, first, count: Math.min(size, episodes - first) });
  return units;
}

import { type MotionNpz, motionFacts } from '../../formats/motion-npz.ts';
import { type LibraryFile, type LibraryRobot, motionsOf, named, stackMotions } from './load-motion-library.ts';
import type { MotionLibrary } from './motion-library.ts';

/** Maximum number of files that are tried, and of clips of a bundle. */
export const MOST_TRIED = 16;
/** Longest part of a clip that is tried, s. It is taken from the middle of the clip. Sixteen clips of half an hour need
 *  gigabytes, but a trial runs in the service, before any check of memory. */
const LONGEST_S = 300;

/** Loads some clips of a dataset, spread evenly over it. @throws StudioError bad_input as loadMotionLibrary does */
export async function loadTriedClips(files: readonly LibraryFile[], robot: LibraryRobot): Promise<MotionLibrary> {
  const tried: { name: string; motion: MotionNpz }[] = [];
  for (const file of spread(files, MOST_TRIED)) {
    const { segments } = await named(file.name, motionFacts(file.path));
    const wanted = new Set(spread([...Array(Math.max(1, segments)).keys()], MOST_TRIED));
    let index = 0;
    for await (const { name, motion } of motionsOf(file))
      if (wanted.has(index++)) tried.push({ name, motion: middleOf(motion) });
  }
  return stackMotions(tried, robot);
}

/** Returns at most `count` of the items, spread evenly. */
function spread<T>(items: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, k) => items[Math.floor(k * step)]!);
}

/** Copies the middle of a long clip, so that the rest is freed. */
function middleOf(motion: MotionNpz): MotionNpz {
  const frames = Math.round(LONGEST_S * motion.fps);
  if (motion.frames <= frames) return motion;
  const first = Math.floor((motion.frames - frames) / 2);
  const cut = (values: Float32Array): Float32Array => {
    const width = values.length / motion.frames;
    return values.slice(first * width, (first + frames) * width);
  };
  return {
    ...motion,
    frames,
    jointPos: cut(motion.jointPos),
    jointVel: cut(motion.jointVel),
    bodyPosW: cut(motion.bodyPosW),
    bodyQuatW: cut(motion.bodyQuatW),
    bodyLinVelW: cut(motion.bodyLinVelW),
    bodyAngVelW: cut(motion.bodyAngVelW),
  };
}

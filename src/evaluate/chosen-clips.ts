import { badInput } from '../core/errors.ts';
import { quoteName } from '../core/files/names.ts';
import { didYouMean } from '../core/nearest.ts';
import type { MotionLibrary } from '../motion/library/motion-library.ts';

/** Returns a library with the named clips, in the order of the names. The arrays with the motion are shared.
 *  @throws StudioError bad_input for an unknown name */
export function chosenClips(library: MotionLibrary, names: readonly string[]): MotionLibrary {
  const known = new Map(library.clips.map((clip) => [clip.name, clip]));
  const clips = names.map((name) => {
    const clip = known.get(name);
    if (!clip) {
      const hint = didYouMean(name, known.keys()) ?? 'it may be excluded, or not converted';
      throw badInput(`clips: the library has no clip ${quoteName(name)}; ${hint}`);
    }
    return clip;
  });
  return { ...library, clips };
}

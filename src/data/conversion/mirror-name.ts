import { nameProblem } from '../../core/files/names.ts';

/** Ending of the names of mirror images. */
export const MIRROR_ENDING = '_M';

/** Returns the name of the clip of which `name` is the mirror image, judged by the ending of `name`; null for other
 *  names. */
export function mirroredFrom(name: string): string | null {
  const base = name.slice(0, -MIRROR_ENDING.length);
  return name.endsWith(MIRROR_ENDING) && base !== '' ? base : null;
}

/** Returns why a clip cannot have a mirror image: its name would be too long. Null if it can. */
export function mirrorNameProblem(clip: string): string | null {
  return nameProblem('clip', clip + MIRROR_ENDING);
}

/** Ending of the names of mirror images. */
export const MIRROR_ENDING = '_M';

/** Returns the name of the clip that this one is the mirror image of, judged by its name; null for other names. */
export function mirroredFrom(name: string): string | null {
  const base = name.slice(0, -MIRROR_ENDING.length);
  return name.endsWith(MIRROR_ENDING) && base !== '' ? base : null;
}

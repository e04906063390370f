/** What a clip's name has more when it is its mirror image. */
export const MIRROR_ENDING = '_M';

/** Name of the clip that this one is the mirror image of, by its name; null for other names. */
export function mirroredFrom(name: string): string | null {
  const base = name.slice(0, -MIRROR_ENDING.length);
  return name.endsWith(MIRROR_ENDING) && base !== '' ? base : null;
}

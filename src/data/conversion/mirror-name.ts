/** What a clip's name has more when it is its mirror image. */
export const MIRROR_ENDING = '_M';

/** Name of the clip that one of this name is the mirror image of; null for a name that is none's. */
export function mirroredFrom(name: string): string | null {
  const base = name.slice(0, -MIRROR_ENDING.length);
  return name.endsWith(MIRROR_ENDING) && base !== '' ? base : null;
}

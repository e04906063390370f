const ENDING = '_M';

/** Returns the name that a conversion gives to the mirror image of a clip. */
export function mirrorName(clip: string): string {
  return clip + ENDING;
}

/** Sorts clips so that mirror images come before the clips that they may belong to. */
export function imagesFirst(clips: readonly string[]): string[] {
  return [...clips].sort((a, b) => Number(b.endsWith(ENDING)) - Number(a.endsWith(ENDING)));
}

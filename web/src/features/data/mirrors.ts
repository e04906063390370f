const ENDING = '_M';

/** What a conversion calls the mirror image of a clip. */
export function mirrorName(clip: string): string {
  return clip + ENDING;
}

/** The clips in an order in which images come before the clips that they may be of. */
export function imagesFirst(clips: readonly string[]): string[] {
  return [...clips].sort((a, b) => Number(b.endsWith(ENDING)) - Number(a.endsWith(ENDING)));
}

/** Endings of files that hold clips, lower case. */
export const CLIP_ENDINGS = ['.csv', '.pkl', '.npz'] as const;
export type ClipEnding = (typeof CLIP_ENDINGS)[number];

/** `.csv, .pkl or .npz` */
export const CLIP_ENDINGS_TEXT = `${CLIP_ENDINGS.slice(0, -1).join(', ')} or ${CLIP_ENDINGS.at(-1)}`;

/** The ending of a clip's file, upper or lower case; null for any other file. */
export function clipEndingOf(fileName: string): ClipEnding | null {
  const name = fileName.toLowerCase();
  return CLIP_ENDINGS.find((ending) => name.endsWith(ending) && name.length > ending.length) ?? null;
}

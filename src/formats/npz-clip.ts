import type { ClipFormat } from './clip-format.ts';
import { type NpzHead, readNpzHeads } from './npz.ts';

/** A `.npz` file that may be a clip, with the headers of the arrays that the formats need. */
export interface NpzClip {
  /** path of the file, or its bytes */
  readonly path: string | Uint8Array;
  readonly heads: ReadonlyMap<string, NpzHead>;
}

export interface NpzClipFormat extends ClipFormat<NpzClip> {
  /** arrays whose headers `sniff` and `facts` need */
  readonly arrays: readonly string[];
}

/** Opens a file and reads the headers that the formats need. */
export async function openNpzClip(path: string | Uint8Array, formats: readonly NpzClipFormat[]): Promise<NpzClip> {
  return { path, heads: await readNpzHeads(path, new Set(formats.flatMap(({ arrays }) => arrays))) };
}

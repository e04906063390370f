import type { ClipFormat } from './clip-format.ts';
import { type NpzHead, readNpzHeads } from './npz.ts';

/** A `.npz` file that may hold a clip: the headers of arrays that its formats know. */
export interface NpzClip {
  /** or the bytes of the file */
  readonly path: string | Uint8Array;
  readonly heads: ReadonlyMap<string, NpzHead>;
}

/** A format of `.npz` files. */
export interface NpzClipFormat extends ClipFormat<NpzClip> {
  /** arrays whose headers `sniff` and `facts` need */
  readonly arrays: readonly string[];
}

/** Reads the headers that the formats need. */
export async function openNpzClip(path: string | Uint8Array, formats: readonly NpzClipFormat[]): Promise<NpzClip> {
  return { path, heads: await readNpzHeads(path, new Set(formats.flatMap(({ arrays }) => arrays))) };
}

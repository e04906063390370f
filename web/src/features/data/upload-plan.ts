import {
  CLIP_ENDINGS_TEXT,
  clipEndingOf,
  humanEndingOf,
  humanFileText,
} from '../../../../src/protocol/clip-endings.ts';
import type { ChosenFile } from '../../ui/chosen-files.ts';

export interface UploadPlan<F> {
  readonly accepted: readonly { readonly file: F; readonly name: string }[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  /** the single folder that contains all files; null for loose files or several folders */
  readonly folder: string | null;
  readonly bytes: number;
}

/** Subfolders of a dataset. Their files belong to the dataset of the parent folder, not to a dataset with this name. */
const INNER = new Set(['raw', 'npz']);

/** Separates clips from other files. Folders usually contain other files beside clips, so these are listed as refused
 *  and do not stop the upload. */
export function planUpload<F extends { readonly size: number }>(files: readonly ChosenFile<F>[]): UploadPlan<F> {
  const accepted: { file: F; name: string }[] = [];
  const refused: { path: string; reason: string }[] = [];
  const taken = new Set<string>();
  for (const { file, path } of files) {
    const name = path.split('/').at(-1) ?? path;
    const human = humanEndingOf(name);
    const reason = name.startsWith('.')
      ? 'hidden file'
      : human
        ? humanFileText(human)
        : clipEndingOf(name) === null
          ? `not a clip (${CLIP_ENDINGS_TEXT})`
          : file.size === 0
            ? 'empty file'
            : taken.has(name)
              ? 'another file of this name is among them'
              : null;
    if (reason === null) {
      taken.add(name);
      accepted.push({ file, name });
    } else refused.push({ path, reason });
  }
  accepted.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  return {
    accepted,
    refused,
    folder: commonFolder(files),
    bytes: accepted.reduce((sum, { file }) => sum + file.size, 0),
  };
}

function commonFolder(files: readonly { readonly path: string }[]): string | null {
  const first = files[0]?.path.split('/')[0];
  if (first === undefined || INNER.has(first)) return null;
  return files.every(({ path }) => path.startsWith(`${first}/`)) ? first : null;
}

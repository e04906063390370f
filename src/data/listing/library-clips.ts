import type { LibraryFile } from '../../motion/library/load-motion-library.ts';
import { type MarkTable, marksOf } from '../marks/clip-marks.ts';
import { type EntryList, isConverted } from './clip-entries.ts';

/** The clips of a dataset that a motion library contains. */
export interface LibraryClips {
  /** in the order of the listing, with the weights that differ from 1 */
  readonly files: readonly LibraryFile[];
  /** number of converted clips that are excluded */
  readonly excluded: number;
  /** number of clips that are not converted, or cannot be read */
  readonly missing: number;
}

/** Selects the clips for training, evaluation and play: converted and not excluded. */
export function libraryClips(entries: EntryList, marks: MarkTable): LibraryClips {
  const files: LibraryFile[] = [];
  let excluded = 0;
  let missing = 0;
  for (const entry of entries) {
    const { npz, name } = entry;
    if (!npz || !isConverted(entry) || entry.error !== null) {
      missing += 1;
      continue;
    }
    const { exclude, weight } = marksOf(marks, entry);
    if (exclude) excluded += 1;
    else files.push({ name, path: npz.path, ...(weight === 1 ? {} : { weight }) });
  }
  return { files, excluded, missing };
}

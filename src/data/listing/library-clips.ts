import type { LibraryFile } from '../../motion/library/load-motion-library.ts';
import { type MarkTable, marksOf } from '../marks/clip-marks.ts';
import { type EntryList, isConverted } from './clip-entries.ts';

/** The clips of a dataset that belong to its motion library. */
export interface LibraryClips {
  /** files in the order of the listing; each weight other than 1 is included */
  readonly files: readonly LibraryFile[];
  /** number of converted clips that are marked as excluded */
  readonly excluded: number;
  /** number of clips that are not converted or cannot be read */
  readonly missing: number;
}

/** Selects the clips for training, evaluation and play: all converted clips that are not excluded. */
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

import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { hideFolder } from '../../core/files/atomic-file.ts';
import { removeTree } from '../../core/files/remove-tree.ts';
import { originalOf } from '../conversion/convert-clip-file.ts';
import { DATASET_FILE } from '../dataset-file.ts';
import { checkOwn, type DatasetPlace } from './dataset-place.ts';

/** Removes a dataset. Of one that is linked only what the service keeps of it goes: converted clips and `dataset.yaml`;
 *  of one whose folder is itself a link, the link.
 *  @param onError hears what could not be removed from the disk after the dataset was gone */
export async function removeDataset(
  { folder, linked, npz }: DatasetPlace,
  onError: (error: unknown) => void,
): Promise<void> {
  if ((await lstat(folder)).isSymbolicLink()) return unlink(folder);
  if (linked === null) return removeUnseen(folder, onError);
  if ((await readdir(folder)).every((entry) => entry === DATASET_FILE || entry === path.basename(npz)))
    return removeUnseen(folder, onError);
  await rm(npz, { recursive: true, force: true });
  await rm(path.join(folder, DATASET_FILE), { force: true });
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY') throw error; // what somebody else put there stays
  });
}

/** The dataset is gone when this settles; its files, which may be a hundred thousand, follow. */
async function removeUnseen(folder: string, onError: (error: unknown) => void): Promise<void> {
  removeTree(await hideFolder(folder)).catch(onError);
}

/** Removes the files of a clip that belong to the dataset: all of them, or, where it is linked, the converted one.
 *  @param files of the clip: absolute paths  @throws bad_input where none of them may be removed */
export async function removeClip(dataset: DatasetPlace, clip: string, files: readonly string[]): Promise<void> {
  const own = dataset.linked === null ? files : files.filter((file) => path.dirname(file) === dataset.npz);
  if (own.length === 0)
    throw badInput(
      `clip: "${clip}" lies in ${dataset.linked}, which dataset "${dataset.name}" is linked to and which is never touched: delete it there by hand`,
    );
  for (const folder of new Set(own.map((file) => path.dirname(file)))) await checkOwn(dataset, folder);
  // The converted one first: a crash in between leaves the source.
  const ordered = [...own].sort(
    (a, b) => Number(path.dirname(b) === dataset.npz) - Number(path.dirname(a) === dataset.npz),
  );
  for (const file of ordered) {
    await rm(file, { force: true });
    if (path.dirname(file) === dataset.npz) await rm(originalOf(file), { force: true });
  }
}

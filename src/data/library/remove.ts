import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { hideFolder } from '../../core/files/atomic-file.ts';
import { removeTree } from '../../core/files/remove-tree.ts';
import { originalOf } from '../conversion/convert-clip-file.ts';
import { DATASET_FILE } from '../dataset-file.ts';
import { recipeOf } from '../edit/recipe.ts';
import { checkOwn, type DatasetPlace } from './dataset-place.ts';

/** Removes a dataset. For a linked dataset, removes only the service's own files: converted clips and
 *  `dataset.yaml`. If the dataset's folder is itself a link, removes only the link.
 *  @param onError called with errors that occur when files are deleted after the dataset was removed */
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
    if (error.code !== 'ENOTEMPTY') throw error; // other files in the folder are kept
  });
}

/** Hides a folder and returns. The folder's files, possibly a hundred thousand, are then deleted in the background. */
async function removeUnseen(folder: string, onError: (error: unknown) => void): Promise<void> {
  removeTree(await hideFolder(folder)).catch(onError);
}

/** Removes the files of a clip that belong to the dataset. For a linked dataset, only the converted file belongs to
 *  it.
 *  @param files absolute paths of the clip's files  @throws bad_input if none of them may be removed */
export async function removeClip(dataset: DatasetPlace, clip: string, files: readonly string[]): Promise<void> {
  const own = dataset.linked === null ? files : files.filter((file) => path.dirname(file) === dataset.npz);
  if (own.length === 0)
    throw badInput(
      `clip: "${clip}" belongs to ${dataset.linked}, to which dataset "${dataset.name}" is linked. The service does not change files there: delete the clip yourself`,
    );
  for (const folder of new Set(own.map((file) => path.dirname(file)))) await checkOwn(dataset, folder);
  // Remove converted files first: after a crash in between, the source still exists.
  const ordered = [...own].sort(
    (a, b) => Number(path.dirname(b) === dataset.npz) - Number(path.dirname(a) === dataset.npz),
  );
  for (const file of ordered) {
    await rm(file, { force: true });
    await rm(path.dirname(file) === dataset.npz ? originalOf(file) : recipeOf(file), { force: true });
  }
}

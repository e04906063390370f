import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { originalOf } from '../conversion/convert-clip-file.ts';
import { DATASET_FILE } from '../dataset-file.ts';
import { recipeOf } from '../edit/recipe.ts';
import { checkOwn, type DatasetPlace } from './dataset-place.ts';

/** Returns the paths to move away when a dataset is deleted: its folder, or the link in place of its folder. For a
 *  linked dataset whose folder contains other files too, returns only the converted clips and `dataset.yaml`. */
export async function entriesOfDataset({ folder, linked, npz }: DatasetPlace): Promise<string[]> {
  if (linked === null || (await lstat(folder)).isSymbolicLink()) return [folder];
  const own = [DATASET_FILE, path.basename(npz)];
  if ((await readdir(folder)).every((entry) => own.includes(entry))) return [folder];
  return [npz, path.join(folder, DATASET_FILE)];
}

/** Returns the files of a clip that belong to the dataset, with its recipes and kept originals; some may be missing.
 *  For a linked dataset, only the converted file belongs to it.
 *  @param files absolute paths of the clip's files  @throws bad_input if none of them may be removed */
export async function entriesOfClip(dataset: DatasetPlace, clip: string, files: readonly string[]): Promise<string[]> {
  const own = dataset.linked === null ? files : files.filter((file) => path.dirname(file) === dataset.npz);
  if (own.length === 0)
    throw badInput(
      `clip: "${clip}" belongs to ${dataset.linked}, to which dataset "${dataset.name}" is linked. The service does not change files there. Delete the clip yourself.`,
    );
  for (const folder of new Set(own.map((file) => path.dirname(file)))) await checkOwn(dataset, folder);
  // Converted files come first, so that the source still exists if the deletion fails half-way.
  const isNpz = (file: string) => path.dirname(file) === dataset.npz;
  const ordered = [...own].sort((a, b) => Number(isNpz(b)) - Number(isNpz(a)));
  return ordered.flatMap((file) => [file, isNpz(file) ? originalOf(file) : recipeOf(file)]);
}

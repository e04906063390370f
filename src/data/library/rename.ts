import { rename } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { fileError, heldError } from '../../core/files/atomic-file.ts';
import { exists } from '../../core/files/exists.ts';
import { originalOf } from '../conversion/convert-clip-file.ts';
import { recipeOf } from '../edit/recipe.ts';
import { checkOwn, type DatasetPlace } from './dataset-place.ts';

/** A file and its new path. */
interface Move {
  readonly from: string;
  readonly to: string;
}

/** A clip to rename, with the absolute paths of its files. */
export interface RenamedClip {
  readonly clip: string;
  readonly name: string;
  readonly files: readonly string[];
}

/** Renames clips: raw files with their recipes, and converted files with their kept originals. After a failure,
 *  files that were already renamed get their old names back.
 *  @param steps `begin` is called with the moves before the first one, `finish` after the last one
 *  @returns the moves  @throws bad_input for a linked dataset, or an existing file of the new name; disk_full */
export async function renameClips(
  dataset: DatasetPlace,
  clips: readonly RenamedClip[],
  steps: { begin(moves: readonly Move[]): Promise<void>; finish(): Promise<void> },
): Promise<readonly { readonly from: string; readonly to: string }[]> {
  if (dataset.linked !== null)
    throw badInput(
      `clip: dataset "${dataset.name}" is linked to ${dataset.linked}. The service does not change files there. Rename the file yourself.`,
    );
  const moves: Move[] = [];
  for (const { clip, name, files } of clips)
    for (const file of files) {
      const beside = path.dirname(file) === dataset.npz ? originalOf(file) : recipeOf(file);
      for (const from of [file, beside])
        if (from === file || (await exists(from))) moves.push({ from, to: renamed(from, clip, name) });
    }
  for (const folder of new Set(moves.map(({ from }) => path.dirname(from)))) await checkOwn(dataset, folder);
  for (const { to } of moves)
    if (await exists(to))
      throw badInput(`name: the dataset has a file ${path.basename(to)} already: choose another name`);
  await steps.begin(moves);
  const done: Move[] = [];
  try {
    for (const move of moves) {
      await rename(move.from, move.to);
      done.push(move);
    }
    await steps.finish();
  } catch (error) {
    for (const { from, to } of done.reverse()) await rename(to, from);
    throw fileError(error);
  }
  return moves;
}

/** Renames the folder of a dataset, or the link in its place. @throws bad_input if the name was taken in the
 *  meantime */
export async function renameDataset({ folder }: DatasetPlace, name: string): Promise<string> {
  const to = path.join(path.dirname(folder), name);
  if (await exists(to)) throw badInput(`name: a dataset "${name}" already exists. Choose another name.`);
  try {
    await rename(folder, to);
  } catch (error) {
    throw heldError(error, folder);
  }
  return to;
}

/** Returns the path with another clip name. The part after the clip name is kept. */
function renamed(file: string, clip: string, name: string): string {
  return path.join(path.dirname(file), name + path.basename(file).slice(clip.length));
}

import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { createAtomic, inUnseenFolder, moveIntoPlace } from '../../core/files/atomic-file.ts';
import { exists } from '../../core/files/exists.ts';
import { makeFolders } from '../../core/files/make-folders.ts';
import { unlessRemoved } from '../../core/files/removed.ts';
import { sourceTypeOf } from '../../formats/clip-registry.ts';
import { originalOf } from '../conversion/convert-clip-file.ts';
import { recipeOf } from '../edit/recipe.ts';
import { isFolder } from '../listing/dataset-snapshot.ts';
import { type ClipPlace, checkOwn, clipPlace, type DatasetPlace, twinOf } from './dataset-place.ts';
import type { SplitBundle } from './split-bundle.ts';

export interface Receiving {
  readonly dataset: DatasetPlace;
  readonly place: ClipPlace;
  /** the file's bytes; an error while reading them undoes the upload */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Checks a file. @throws for a file that is not a clip of the robot */
  readonly check: (file: string, format: string) => Promise<'clip' | 'bundle'>;
  /** Returns true if an `.npz` file must be converted, and so belongs to the source clips. */
  readonly isSource: (file: string) => Promise<boolean>;
  /** Splits a bundle into clips in a folder. */
  readonly split: (bundle: string, folder: string) => Promise<SplitBundle>;
  /** Runs the last step of an upload under a lock, so that last steps for the same dataset run one after another. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Keeps the current versions of files while `put` replaces them. */
  readonly replace: (files: readonly string[], put: () => Promise<void>) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The result of an upload. */
export interface Received {
  readonly bytes: number;
  /** absolute paths of the written files */
  readonly files: readonly string[];
  /** the skipped clips of a bundle, with the reasons */
  readonly leftOut: readonly string[];
}

/** Writes the file of an uploaded clip into a dataset: complete, synced and checked, or not at all. An existing file
 *  of the same name is replaced atomically. A bundle is split, and each of its clips becomes visible only when it is
 *  complete.
 *  @throws bad_input, disk_full, errors from `chunks` */
export async function receiveClip(receiving: Receiving): Promise<Received> {
  const { dataset, place } = receiving;
  return unlessRemoved(`dataset: "${dataset.name}"`, receive());

  async function receive(): Promise<Received> {
    await checkOwn(dataset, place.folder);
    return inUnseenFolder((await isFolder(place.folder)) ? place.folder : dataset.folder, (unseen) =>
      receiveInto(path.join(unseen, place.file), receiving),
    );
  }
}

async function receiveInto(temp: string, receiving: Receiving): Promise<Received> {
  const { dataset, chunks, signal } = receiving;
  const file = await createAtomic(temp);
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      await file.write(chunk);
      bytes += chunk.byteLength;
    }
    await file.commit();
  } finally {
    await file.discard();
  }
  const place = await placeOf(temp, receiving);
  const isBundle = (await receiving.check(temp, place.format.id)) === 'bundle';
  const parts = isBundle ? await takeApart(temp, receiving) : { names: [place.file], leftOut: [] };
  await receiving.inTurn(async () => {
    signal.throwIfAborted();
    for (const file of parts.names) await refuseTwin(dataset, file === place.file ? place : clipPlace(dataset, file));
    // Never create the dataset's own folder, because the dataset may have been deleted in the meantime.
    if (place.folder !== dataset.folder) await makeFolders(place.folder, 1);
    const targets = parts.names.map((name) => path.join(place.folder, name));
    // The recipe or the kept original of a previous file does not describe the new file.
    const besideOf = (target: string) => (place.format.raw ? recipeOf(target) : originalOf(target));
    const former: string[] = [];
    for (const target of targets) if (await exists(target)) former.push(target, besideOf(target));
    await receiving.replace(former, async () => {
      for (const target of targets) {
        await moveIntoPlace(path.join(path.dirname(temp), path.basename(target)), target);
        await rm(besideOf(target), { force: true });
      }
    });
  });
  return { bytes, files: parts.names.map((name) => path.join(place.folder, name)), leftOut: parts.leftOut };
}

/** Returns the destination of a file. For `.npz`, the destination depends on the content. */
async function placeOf(temp: string, { dataset, place, isSource }: Receiving): Promise<ClipPlace> {
  if (place.format.raw || !(await isSource(temp))) return place;
  await checkOwn(dataset, dataset.raw);
  return { ...place, folder: dataset.raw, format: sourceTypeOf(place.file)! };
}

async function takeApart(temp: string, { dataset, place, split }: Receiving) {
  const folder = path.dirname(temp);
  // Move the bundle to a sub-folder, because one of its clips may have the bundle's name.
  const bundle = path.join(folder, '.bundle', place.file);
  await mkdir(path.dirname(bundle));
  await rename(temp, bundle);
  const { clips, ending, leftOut } = await split(bundle, folder);
  if (clips.length === 0)
    throw badInput(`file: no clip of the bundle ${place.file} can go to "${dataset.name}": ${leftOut.join('; ')}`);
  return { names: clips.map((clip) => `${clip}${ending}`), leftOut };
}

/** Refuses a second raw file for a clip. @throws bad_input if the clip has another raw file */
async function refuseTwin(dataset: DatasetPlace, place: ClipPlace): Promise<void> {
  const twin = await twinOf(place);
  if (twin !== null)
    throw badInput(
      `file: dataset "${dataset.name}" already has the clip "${place.clip}" as ${twin}. Delete that file first.`,
    );
}

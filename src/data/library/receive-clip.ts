import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { createAtomic, inUnseenFolder, moveIntoPlace } from '../../core/files/atomic-file.ts';
import { isFolder } from '../listing/dataset-snapshot.ts';
import { type ClipPlace, checkOwn, type DatasetPlace, twinOf } from './dataset-place.ts';

export interface Receiving {
  readonly dataset: DatasetPlace;
  readonly place: ClipPlace;
  /** the file's bytes; what it throws undoes everything */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Refuses what is no clip of the robot. */
  readonly check: (file: string, format: string) => Promise<void>;
  /** Runs the last step when no other one of the dataset runs. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
}

/** Puts a clip's file into a dataset: whole, synced and checked, or not at all. A file of its name is replaced at once.
 *  @returns how many bytes it has  @throws bad_input, disk_full, what `chunks` throws */
export async function receiveClip(receiving: Receiving): Promise<number> {
  const { dataset, place } = receiving;
  await checkOwn(dataset, place.folder);
  try {
    return await inUnseenFolder((await isFolder(place.folder)) ? place.folder : dataset.folder, (unseen) =>
      receiveInto(path.join(unseen, place.file), receiving),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw badInput(`dataset: "${dataset.name}" was deleted meanwhile`);
  }
}

async function receiveInto(temp: string, receiving: Receiving): Promise<number> {
  const { dataset, place, chunks, signal } = receiving;
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
  await receiving.check(temp, place.format.id);
  await receiving.inTurn(async () => {
    signal.throwIfAborted();
    const twin = await twinOf(place);
    if (twin !== null)
      throw badInput(`file: dataset "${dataset.name}" has the clip "${place.clip}" as ${twin}: delete that one first`);
    if (!(await isFolder(place.folder))) await mkdir(place.folder);
    await moveIntoPlace(temp, path.join(place.folder, place.file));
  });
  return bytes;
}

import path from 'node:path';
import { badInput, StudioError } from '../../core/errors.ts';
import { exists } from '../../core/files/exists.ts';
import { quoteName } from '../../core/files/names.ts';
import type { Mutex } from '../../core/mutex.ts';
import { DATASET_FILE } from '../../data/dataset-file.ts';
import type { DatasetStore } from '../../data/dataset-store.ts';
import type { StoredItem } from '../../trash/trash-store.ts';
import type { Restorer } from '../trash/trash.ts';
import type { DatasetEditor } from './dataset-editor.ts';

export interface DataRestoring {
  /** folder that contains the datasets of all robots */
  readonly dataFolder: string;
  /** lock for changes of a dataset; the key is the dataset's folder */
  readonly changes: Mutex;
  readonly editor: DatasetEditor;
  /** Returns the dataset store of a robot. */
  store(robot: string): DatasetStore;
}

/** Returns the functions that restore datasets and clips of any robot from the trash. */
export function dataRestorer(parts: DataRestoring): Restorer {
  return async (item, put) => {
    const robot = item.robot ?? '';
    if (item.action === 'rename') {
      await renameBack(parts, robot, item);
      return put();
    }
    const [dataset = '', clip] = item.name.split('/');
    const folder = path.join(parts.dataFolder, robot, dataset);
    const store = parts.store(robot);
    const redo = await parts.changes.run(async () => {
      if (clip !== undefined) await refuseTaken(store, folder, dataset, clip, item);
      return put();
    }, folder);
    if (clip === undefined) store.markDirty(folder);
    for (const { from } of item.entries) store.touch(dataset, path.join(parts.dataFolder, '..', from));
    store.touch(dataset, path.join(folder, DATASET_FILE));
    return redo;
  };
}

/** Refuses to restore a deleted clip if another clip, for example of another format, has its name. */
async function refuseTaken(
  store: DatasetStore,
  folder: string,
  dataset: string,
  clip: string,
  { action, entries }: StoredItem,
): Promise<void> {
  if (!(await exists(folder)))
    throw badInput(`undo: the dataset ${quoteName(dataset)} does not exist. Restore or create it first.`);
  // For a linked clip, only the converted file was deleted; the source clip still exists.
  const isConvertedOnly = entries.every(({ from }) => from.split('/')[3] === 'npz' && from.split('/').length > 4);
  if (action === 'delete' && !isConvertedOnly && (await isListed(store, dataset, clip))) throw takenAgain('clip', clip);
}

async function renameBack({ editor, store, dataFolder }: DataRestoring, robot: string, item: StoredItem) {
  const [dataset = '', clip] = item.name.split('/');
  const name = (item.was ?? '').split('/').at(-1) ?? '';
  const isTaken =
    clip === undefined ? await exists(path.join(dataFolder, robot, name)) : await isListed(store(robot), dataset, name);
  if (isTaken) throw takenAgain(item.kind, name);
  await editor.renameIn({ id: robot }, { dataset, ...(clip === undefined ? {} : { clip }), name });
}

/** Returns true if a dataset has a clip of this name, according to a new listing. */
async function isListed(store: DatasetStore, dataset: string, clip: string): Promise<boolean> {
  if (!(await store.hasClip(dataset, clip))) return false;
  await store.refresh(dataset);
  return store.hasClip(dataset, clip);
}

function takenAgain(kind: string, name: string): StudioError {
  return new StudioError('conflict', `undo: the ${kind} ${quoteName(name)} already exists. Rename or delete it first.`);
}

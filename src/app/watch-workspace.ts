import path from 'node:path';
import { type FolderWatch, watchFolders } from '../core/files/watch-folders.ts';
import { watchTwoLevels } from '../core/files/watch-two-levels.ts';
import type { RobotRegistry } from '../robots/robot-registry.ts';
import { type AppContext, logWatchErrors } from './app-context.ts';
import type { DatasetStores } from './data/dataset-stores.ts';
import type { Presets } from './presets/presets.ts';
import type { Runs } from './runs/runs.ts';

interface Watched {
  readonly registry: RobotRegistry;
  readonly stores: DatasetStores;
  readonly presets: Presets;
  readonly runs: Runs;
}

/** Watches robots, datasets, presets and runs on disk. @returns the watches, which the caller must close */
export function watchWorkspace(context: AppContext, { registry, stores, presets, runs }: Watched): FolderWatch[] {
  const { places } = context;
  const onError = logWatchErrors(context);
  return [
    watchFolders(places.robots, { depth: 8, ignored: isHidden, onError }, (folder) => {
      const id = path.relative(places.robots, folder).split(path.sep)[0];
      registry
        .refresh()
        .then(() => id && registry.touch(id))
        .catch(onError);
    }),
    // Depth 1, because each dataset watches its own folder.
    watchFolders(places.data, { depth: 1, ignored: isHidden, onError }, (folder) => stores.changedOnDisk(folder)),
    presets.watch(onError),
    // The folders of experiments. `Runs` looks into new folders of runs until their files are there.
    watchTwoLevels(places.runs, { ignored: isHidden, onError }, () => runs.changedOnDisk()),
  ];
}

function isHidden(entry: string): boolean {
  return path.basename(entry).startsWith('.');
}

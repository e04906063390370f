import path from 'node:path';
import { isRemote } from '../core/files/remote-disk.ts';
import { type EntryWatch, watchEntries } from '../core/files/watch-entries.ts';
import { readDatasetConfig } from './dataset-file.ts';
import { NPZ_FOLDER, RAW_FOLDER } from './listing/dataset-snapshot.ts';

export interface DatasetWatchesOptions {
  /** folder of the dataset */
  readonly folder: string;
  /** Called when entries of a folder were created, deleted or changed; null: any of them. */
  readonly onChange: (folder: string, names: readonly string[] | null) => void;
  readonly onError: (error: unknown) => void;
}

/** Watches the folders that a dataset's listing is read from, including those that do not exist yet. */
export class DatasetWatches {
  readonly #options: DatasetWatchesOptions;
  readonly #watches = new Map<string, EntryWatch>();
  /** true if the system refused to watch another folder */
  #refused = false;
  #closed = false;
  #isComplete = true;

  constructor(options: DatasetWatchesOptions) {
    this.#options = options;
  }

  /** Whether every change is reported: false on network disks, or if the system refused a watch. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Updates the watches, because `dataset.yaml` may link to another source now. @returns all folders of the listing */
  async update(): Promise<readonly string[]> {
    const { folder } = this.#options;
    const { source } = await readDatasetConfig(folder);
    const own = foldersOf(folder);
    const linked = source === null ? [] : foldersOf(source);
    // On a network disk the system reports only changes made by this machine.
    const remote = await isRemote(folder);
    const remoteSource = source !== null && (await isRemote(source));
    const wanted = new Set([...(remote ? [] : own), ...(remoteSource ? [] : linked)]);
    if (!this.#closed) this.#watch(wanted);
    this.#isComplete = !remote && !remoteSource && !this.#refused;
    return [...own, ...linked];
  }

  close(): void {
    this.#closed = true;
    this.#watch(new Set());
  }

  #watch(wanted: ReadonlySet<string>): void {
    for (const [folder, watch] of this.#watches) {
      if (wanted.has(folder)) continue;
      watch.close();
      this.#watches.delete(folder);
    }
    for (const folder of wanted) if (!this.#watches.has(folder)) this.#watches.set(folder, this.#watchFolder(folder));
  }

  #watchFolder(folder: string): EntryWatch {
    const { onChange, onError } = this.#options;
    const onUnwatched = (error: unknown) => {
      this.#refused = true;
      onError(error);
    };
    return watchEntries(folder, { ignored: (name) => name.startsWith('.'), onUnwatched }, (names) =>
      onChange(folder, names && [...names]),
    );
  }
}

function foldersOf(folder: string): string[] {
  return ['', NPZ_FOLDER, RAW_FOLDER].map((part) => path.join(folder, part));
}

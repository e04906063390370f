import path from 'node:path';
import type { ClipIndex } from './index/clip-index.ts';
import { findEntry } from './listing/clip-entries.ts';
import type { DatasetSnapshot } from './listing/dataset-snapshot.ts';

/** Reason of the last failed conversion of a source, keyed by the folder of the dataset, because several datasets may
 *  link to the same source. */
type StoredFailures = Readonly<
  Record<
    string,
    {
      readonly error: string;
      /** options in `dataset.yaml`, as JSON */
      readonly options: string;
      /** error of the clip's files at that time */
      readonly entryError: string | null;
    }
  >
>;

/** Stores why conversions of a dataset's clips failed. The reasons survive restarts. A failure is valid until the
 *  source or the options in `dataset.yaml` change. */
export class ConversionFailures {
  readonly #folder: string;
  readonly #index: ClipIndex;
  #found: { readonly of: DatasetSnapshot; readonly byClip: ReadonlyMap<string, string> } | null = null;

  /** @param folder of the dataset */
  constructor(folder: string, index: ClipIndex) {
    this.#folder = folder;
    this.#index = index;
  }

  /** Stores how the conversion of a clip ended. @param error null: it succeeded
   *  @returns whether the stored failure changed */
  note(snapshot: DatasetSnapshot, clip: string, error: string | null): boolean {
    const entry = findEntry(snapshot.entries, clip);
    const source = entry && (entry.raw ?? entry.npz);
    if (!source) return false; // deleted in the meantime
    const { [this.#folder]: before, ...others } = this.#index.get<StoredFailures>('failed', source) ?? {};
    if (error === null && before === undefined) return false;
    const options = JSON.stringify(snapshot.config.convert);
    const own = error === null ? {} : { [this.#folder]: { error, options, entryError: entry.error } };
    this.#index.put('failed', source, { ...others, ...own } satisfies StoredFailures);
    this.#found = null;
    return true;
  }

  /** Returns the clips that could not be converted, with the reason, by name. */
  in(snapshot: DatasetSnapshot): ReadonlyMap<string, string> {
    if (this.#found?.of === snapshot) return this.#found.byClip;
    const { entries, config, rawFolder, npzLists } = snapshot;
    const options = JSON.stringify(config.convert);
    const byClip = new Map<string, string>();
    for (const folder of new Set([rawFolder, ...npzLists.keys()])) {
      for (const [file, { value, bytes, mtimeMs }] of this.#index.all<StoredFailures>('failed', folder)) {
        const own = value[this.#folder];
        const entry = own?.options === options ? findEntry(entries, path.parse(file).name) : null;
        const source = entry && (entry.raw ?? entry.npz);
        if (!own || !entry || source?.file !== file || source.folder !== folder) continue;
        const isSame = source.bytes === bytes && source.mtimeMs === mtimeMs && entry.error === own.entryError;
        if (isSame) byClip.set(entry.name, own.error);
      }
    }
    this.#found = { of: snapshot, byClip };
    return byClip;
  }
}

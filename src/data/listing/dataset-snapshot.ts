import { stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { DATASET_FILE, type DatasetConfig, readDatasetConfig, readIn } from '../dataset-file.ts';
import {
  type EntryList,
  isConverted,
  isReadable,
  mergeEntries,
  type Requested,
  updateEntries,
} from './clip-entries.ts';
import { type ClipKind, type ListedFolder, type Look, lookAt } from './clip-files.ts';
import { applyLooks, type FileList, firstOfStem, NO_FILES, type TakenList, takeList } from './file-list.ts';

export type { ClipEntry } from './clip-entries.ts';
export { isConverted } from './clip-entries.ts';

export const RAW_FOLDER = 'raw';
export const NPZ_FOLDER = 'npz';

/** The content of a dataset's folders at one point in time. */
export interface DatasetSnapshot {
  readonly config: DatasetConfig;
  /** folder of the clips: the dataset's folder or the linked folder */
  readonly path: string;
  /** folder of the raw clips: `path` or its sub-folder `raw/` */
  readonly rawFolder: string;
  readonly npzFolder: string;
  /** converted clips by folder: first the dataset's folder, then the linked folder */
  readonly npzLists: ReadonlyMap<string, FileList>;
  /** error that concerns the whole dataset; null if there is none */
  readonly error: string | null;
  readonly entries: EntryList;
  readonly raw: FileList;
  readonly npz: FileList;
  /** number of clips with a raw file; `converted` of them have an up-to-date npz, `missing` of them do not */
  readonly source: number;
  readonly converted: number;
  readonly missing: number;
  /** number of clips that have only an npz: mirror images, and clips without a source */
  readonly extra: number;
  /** files that are still being written, by folder; they must be checked again */
  readonly unfinished: ReadonlyMap<string, readonly string[]>;
}

/** The functions and data needed to list a dataset's folders. */
export interface ListingContext {
  readonly folder: string;
  /** Lists a folder on another thread. */
  readonly list: (folder: string, kind: ClipKind) => Promise<ListedFolder> | ListedFolder;
  readonly requested: (config: DatasetConfig) => Requested;
}

/** Lists a dataset: raw clips in `raw/`, or next to it if `raw/` has none, and converted clips in `npz/`. Also lists
 *  the `npz/` of a linked folder, for clips that the dataset has not converted itself.
 *  @param before the last snapshot, used for files that are being overwritten
 *  @param settled true: treat all files as complete
 *  @returns null if the folder does not exist */
export async function takeSnapshot(
  context: ListingContext,
  before: DatasetSnapshot | null,
  settled: boolean,
): Promise<DatasetSnapshot | null> {
  const { folder, list } = context;
  if (!(await isFolder(folder))) return null;
  const config = await readDatasetConfig(folder);
  const source = config.source ?? folder;
  const inRaw = path.join(source, RAW_FOLDER);
  const npzFolder = path.join(folder, NPZ_FOLDER);
  const take = async (where: string, kind: ClipKind): Promise<TakenList> => {
    const known = (kind === 'raw' ? before?.raw : before?.npzLists.get(where)) ?? NO_FILES;
    return takeList(where, kind, await list(where, kind), known[0]?.folder === where ? known : NO_FILES, settled);
  };
  let error = config.error;
  if (config.source !== null && !(await isFolder(config.source)))
    error = `dataset.yaml: source: ${config.source} is not a folder of this machine`;
  try {
    let rawFolder = inRaw;
    let raw = await take(inRaw, 'raw');
    if (!raw.files.some(isReadable) && raw.unfinished.length === 0) {
      const beside = await take(source, 'raw');
      // Human recordings in raw/ must not hide the clips next to raw/.
      if (raw.files.length === 0 || beside.files.some(isReadable)) [rawFolder, raw] = [source, beside];
    }
    const unfinished = new Map([[rawFolder, raw.unfinished]]);
    const npzLists = new Map<string, FileList>();
    for (const where of npzFoldersOf(folder, config)) {
      const taken = await take(where, 'npz');
      npzLists.set(where, taken.files);
      unfinished.set(where, taken.unfinished);
    }
    const npz = await firstOfStem([...npzLists.values()]);
    const entries = await mergeEntries(raw.files, npz, before?.entries ?? [], context.requested(config));
    const lists = { entries, raw: raw.files, npz, npzLists };
    return { config, path: source, rawFolder, npzFolder, error, ...lists, ...countsOf(entries), unfinished };
  } catch (cause) {
    error ??= `the folder cannot be listed: ${messageOf(cause)}`;
    const lists = { entries: [], raw: NO_FILES, npz: NO_FILES, npzLists: new Map() };
    const rest = { ...lists, ...countsOf([]), unfinished: new Map() };
    return { config, path: source, rawFolder: source, npzFolder, error, ...rest };
  }
}

/** Returns the folders of converted clips: first the dataset's folder, then the linked folder. */
function npzFoldersOf(folder: string, { source }: DatasetConfig): string[] {
  return [...new Set([folder, ...(source === null ? [] : [source])])].map((where) => path.join(where, NPZ_FOLDER));
}

/** Names of possibly changed files, by folder. */
export type Hints = ReadonlyMap<string, ReadonlySet<string>>;

/** Updates a snapshot by reading single files.
 *  @param whole absolute paths of files that are complete, whatever their modification times
 *  @returns null if reading single files is not enough and a new snapshot must be taken */
export async function updateSnapshot(
  context: ListingContext,
  before: DatasetSnapshot,
  hints: Hints,
  whole: ReadonlySet<string>,
): Promise<DatasetSnapshot | null> {
  const rewritten = hints.get(context.folder)?.has(DATASET_FILE) === true;
  const config = rewritten ? await readDatasetConfig(context.folder) : before.config;
  if (asksForAll(context.folder, before, hints) || !sameSettings(before.config, config)) return null;
  const look = async (folder: string, kind: ClipKind): Promise<readonly Look[]> => {
    const looks = await lookAt(folder, hints.get(folder) ?? [], kind);
    return looks.map((one) => (whole.has(path.join(folder, one.name)) ? { ...one, unfinished: false } : one));
  };
  const rawLooks = await look(before.rawFolder, 'raw');
  const raw = await applyLooks(before.raw, rawLooks);
  const unfinished = new Map([[before.rawFolder, raw.unfinished]]);
  const npzLists = new Map(before.npzLists);
  const npzLooks: Look[] = [];
  for (const [where, list] of before.npzLists) {
    const looks = await look(where, 'npz');
    const taken = await applyLooks(list, looks);
    npzLooks.push(...looks);
    npzLists.set(where, taken.files);
    unfinished.set(where, taken.unfinished);
  }
  if (rawLooks.length + npzLooks.length === 0) return rewritten ? { ...before, config } : before;
  const npz = npzLooks.length === 0 ? before.npz : await firstOfStem([...npzLists.values()]);
  // The raw clips may have moved into raw/ or out of it.
  if (raw.files.some(isReadable) !== before.raw.some(isReadable)) return null;
  if ((raw.files.length === 0) !== (before.raw.length === 0)) return null;
  const stems = new Set([...rawLooks, ...npzLooks].map(({ name }) => name.slice(0, name.lastIndexOf('.'))));
  const requested = context.requested(before.config);
  const entries = await updateEntries(before.entries, stems, raw.files, npz, requested);
  return { ...before, config, entries, raw: raw.files, npz, npzLists, ...countsOf(entries), unfinished };
}

/** Returns true if two versions of `dataset.yaml` are equal apart from the marks of clips (excluded, weight, tags). */
function sameSettings(a: DatasetConfig, b: DatasetConfig): boolean {
  return a.source === b.source && a.error === b.error && JSON.stringify(a.convert) === JSON.stringify(b.convert);
}

/** Returns true if changes affect more than single clips: created or deleted folders, or a dataset with an error. */
function asksForAll(folder: string, before: DatasetSnapshot, hints: Hints): boolean {
  if (before.error !== null) return true;
  const own = hints.get(folder);
  if (own?.has(NPZ_FOLDER)) return true;
  const source = hints.get(before.path);
  if (source?.has(RAW_FOLDER) || source?.has(NPZ_FOLDER)) return true;
  return before.rawFolder === before.path && hints.has(path.join(before.path, RAW_FOLDER));
}

function countsOf(entries: EntryList): Pick<DatasetSnapshot, 'source' | 'converted' | 'missing' | 'extra'> {
  let converted = 0;
  let missing = 0;
  let extra = 0;
  for (const entry of entries) {
    if (entry.raw === null) extra += 1;
    else if (isConverted(entry)) converted += 1;
    else missing += 1;
  }
  return { source: converted + missing, converted, missing, extra };
}

/** Returns true if `a` and `b` result in the same listing. */
export function sameListing(a: DatasetSnapshot, b: DatasetSnapshot): boolean {
  return (
    a.error === b.error &&
    a.path === b.path &&
    JSON.stringify(readIn(a.config.convert)) === JSON.stringify(readIn(b.config.convert)) &&
    a.config.marksDigest === b.config.marksDigest &&
    a.entries.length === b.entries.length &&
    a.entries.every((entry, index) => entry === b.entries[index])
  );
}

export async function isFolder(entry: string): Promise<boolean> {
  try {
    return (await stat(entry)).isDirectory();
  } catch {
    return false;
  }
}

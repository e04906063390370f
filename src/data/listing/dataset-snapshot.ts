import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { messageOf } from '../../core/errors.ts';
import { nameProblem, quoteName } from '../../core/files/names.ts';
import { type DatasetConfig, readDatasetConfig } from '../dataset-file.ts';
import { type ClipFile, listClipFiles } from './clip-files.ts';
import { compareKeyed, naturalKey } from './natural-order.ts';

export const RAW_FOLDER = 'raw';
export const NPZ_FOLDER = 'npz';
/** Names are looked at for 2 ms, then others have a turn. */
const ENTRIES_AT_ONCE = 512;

/** A clip as its files on disk define it. */
export interface ClipEntry {
  readonly name: string;
  readonly key: string;
  readonly raw: ClipFile | null;
  readonly npz: ClipFile | null;
  /** there is an npz, and it is older than the raw file */
  readonly stale: boolean;
  /** why it cannot be used at all; its content is another matter */
  readonly error: string | null;
}

/** What a dataset's folder held when it was looked at. */
export interface DatasetSnapshot {
  readonly config: DatasetConfig;
  /** where its raw clips come from: its own folder or the linked one */
  readonly path: string;
  /** why the dataset as a whole is in trouble */
  readonly error: string | null;
  /** in natural order of their names */
  readonly entries: readonly ClipEntry[];
  readonly byName: ReadonlyMap<string, ClipEntry>;
  /** clips with a raw file; with an npz that is up to date; with a raw file and no such npz */
  readonly source: number;
  readonly converted: number;
  readonly missing: number;
  /** files by path */
  readonly files: ReadonlyMap<string, ClipFile>;
  /** some files are still being written: look again */
  readonly unfinished: boolean;
}

/** A clip that training can read: an npz that is not older than its source. */
export function isConverted(entry: ClipEntry): boolean {
  return entry.npz !== null && !entry.stale;
}

/** Looks at a dataset's folder: raw clips in `raw/`, or beside it where that holds none, and converted ones in `npz/`.
 *  @param before the last snapshot, for files that are being overwritten  @param settled no file is being written
 *  @returns null where the folder does not exist */
export async function takeSnapshot(
  folder: string,
  before: DatasetSnapshot | null,
  settled: boolean,
): Promise<DatasetSnapshot | null> {
  if (!(await isFolder(folder))) return null;
  const config = await readDatasetConfig(folder);
  const source = config.source ?? folder;
  const known = settled ? null : (before?.files ?? new Map());
  let error = config.error;
  if (config.source !== null && !(await isFolder(config.source)))
    error = `dataset.yaml: source: ${config.source} is not a folder of this machine`;
  try {
    const inRaw = await listClipFiles(path.join(source, RAW_FOLDER), (format) => format.raw, known);
    const raw =
      inRaw.files.length > 0 || inRaw.unfinished > 0 ? inRaw : await listClipFiles(source, ({ raw }) => raw, known);
    const npz = await listClipFiles(path.join(folder, NPZ_FOLDER), ({ id }) => id === 'npz', known);
    const entries = await clipEntries(raw.files, npz.files, before?.byName ?? new Map());
    return {
      ...summary(config, source, error, entries),
      files: new Map([...raw.files, ...npz.files].map((file) => [file.path, file])),
      unfinished: raw.unfinished + npz.unfinished > 0,
    };
  } catch (cause) {
    error ??= `the folder cannot be listed: ${messageOf(cause)}`;
    return { ...summary(config, source, error, []), files: new Map(), unfinished: false };
  }
}

function summary(config: DatasetConfig, source: string, error: string | null, entries: readonly ClipEntry[]) {
  const withRaw = entries.filter((entry) => entry.raw !== null);
  return {
    config,
    path: source,
    error,
    entries,
    byName: new Map(entries.map((entry) => [entry.name, entry])),
    source: withRaw.length,
    converted: entries.filter(isConverted).length,
    missing: withRaw.filter((entry) => !isConverted(entry)).length,
  };
}

/** One entry a stem, in natural order. @param before entries that are kept where their files are the same */
async function clipEntries(
  raw: readonly ClipFile[],
  npz: readonly ClipFile[],
  before: ReadonlyMap<string, ClipEntry>,
): Promise<ClipEntry[]> {
  const stems = new Map<string, StemFiles>();
  for (const kind of ['raw', 'npz'] as const) {
    for (const file of kind === 'raw' ? raw : npz) {
      const stem = stems.get(file.stem) ?? { raw: [], npz: [] };
      stem[kind].push(file);
      stems.set(file.stem, stem);
    }
  }
  const entries: ClipEntry[] = [];
  for (const [name, files] of stems) {
    if (entries.length % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) await setImmediate();
    const known = before.get(name);
    entries.push(known && isMadeOf(known, files) ? known : clipEntry(name, files));
  }
  return entries.sort(compareKeyed);
}

interface StemFiles {
  readonly raw: ClipFile[];
  readonly npz: ClipFile[];
}

function clipEntry(name: string, files: StemFiles): ClipEntry {
  const raw = first(files.raw);
  const npz = first(files.npz);
  return {
    name,
    key: naturalKey(name),
    raw,
    npz,
    stale: raw !== null && npz !== null && npz.mtimeMs < raw.mtimeMs,
    error: nameError(name) ?? twinError(files.raw) ?? twinError(files.npz),
  };
}

function isMadeOf(entry: ClipEntry, { raw, npz }: StemFiles): boolean {
  const single = raw.length < 2 && npz.length < 2 && entry.error === null;
  return single && sameFile(entry.raw, raw[0] ?? null) && sameFile(entry.npz, npz[0] ?? null);
}

/** The same one on every look, whatever order the system lists them in. */
function first(files: readonly ClipFile[]): ClipFile | null {
  return files.length > 1 ? [...files].sort(byFile)[0]! : (files[0] ?? null);
}

function byFile(a: ClipFile, b: ClipFile): number {
  return a.file < b.file ? -1 : 1;
}

function nameError(name: string): string | null {
  const problem = nameProblem('clip', name);
  return problem === null ? null : `the file's name ${quoteName(name)} ${problem}; rename the file`;
}

function twinError(files: readonly ClipFile[]): string | null {
  if (files.length < 2) return null;
  const names = [...files].sort(byFile).map(({ file }) => file);
  return `the files ${names.join(' and ')} are clips of one name; rename or remove one`;
}

/** Whether a listing made of `a` would look the same as one made of `b`. */
export function sameListing(a: DatasetSnapshot, b: DatasetSnapshot): boolean {
  return (
    a.error === b.error &&
    a.path === b.path &&
    a.config.convert.input_fps === b.config.convert.input_fps &&
    a.entries.length === b.entries.length &&
    a.entries.every((entry, index) => {
      const other = b.entries[index]!;
      if (entry === other) return true;
      return (
        entry.name === other.name &&
        entry.error === other.error &&
        sameFile(entry.raw, other.raw) &&
        sameFile(entry.npz, other.npz)
      );
    })
  );
}

function sameFile(a: ClipFile | null, b: ClipFile | null): boolean {
  return a === b || (a !== null && b !== null && a.path === b.path && a.bytes === b.bytes && a.mtimeMs === b.mtimeMs);
}

export async function isFolder(entry: string): Promise<boolean> {
  try {
    return (await stat(entry)).isDirectory();
  } catch {
    return false;
  }
}

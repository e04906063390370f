import { lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { badInput } from '../core/errors.ts';
import { fileError } from '../core/files/atomic-file.ts';
import { makeFolders } from '../core/files/make-folders.ts';
import { checkName, nameProblem, quoteName } from '../core/files/names.ts';
import { didYouMean } from '../core/nearest.ts';
import { Slices } from '../core/slices.ts';
import type { QueryOf, ReplyOf } from '../protocol/route.ts';
import type { listClips, pickClips } from '../protocol/routes/datasets.ts';
import type { DatasetCounts } from '../protocol/schemas/data.ts';
import type { ReadOptions } from '../protocol/schemas/reading.ts';
import { MIRROR_ENDING } from './conversion/mirror-name.ts';
import type { OtherRates } from './conversion/plan-conversion.ts';
import { Dataset, type DatasetDeps, shownFile } from './dataset.ts';
import { changeReadOptions, DATASET_FILE, type DatasetConfig } from './dataset-file.ts';
import { ClipIndex } from './index/clip-index.ts';
import { checkOwn, type DatasetPlace } from './library/dataset-place.ts';
import { findEntry, ownRaws } from './listing/clip-entries.ts';
import { type ClipFile, listFolder } from './listing/clip-files.ts';
import { ClipSearch } from './listing/clip-search.ts';
import { type ClipEntry, isFolder, RAW_FOLDER } from './listing/dataset-snapshot.ts';
import { ofStem } from './listing/file-list.ts';
import { compareKeyed, naturalKey } from './listing/natural-order.ts';
import type { ScanProgress } from './listing/scan-clips.ts';
import { type ClipMarks, type MarkTable, marksOf } from './marks/clip-marks.ts';

/** Maximum time that the reply for a page of a listing waits until the properties of its clips are read, ms. */
const FACTS_WAIT_MS = 2000;
const DEFAULT_PAGE_SIZE = 50;
/** Maximum number of names to compare for the hint "did you mean". */
const MAX_HINTS = 2000;

export interface DatasetStoreOptions {
  /** `<workspace>/data/<robot>`; may not exist yet */
  readonly folder: string;
  /** name of the robot in messages */
  readonly robot: string;
  /** Reads the facts of a file on another thread. */
  readonly facts: DatasetDeps['facts'];
  /** Reads the facts of many files at once. */
  readonly manyFacts?: DatasetDeps['manyFacts'];
  /** Lists a folder on another thread. */
  readonly list?: DatasetDeps['list'];
  /** Reads the conversion records of clips on another thread. */
  readonly conversions?: DatasetDeps['conversions'];
  /** Returns the findings of a file's checks. */
  readonly findings?: DatasetDeps['findings'];
  readonly queueCheck?: DatasetDeps['queueCheck'];
  /** Returns why a file cannot be played, if its checks found a reason. */
  readonly unplayable?: DatasetDeps['unplayable'];
  /** stores results by file; if absent, results are kept in memory only */
  readonly index?: ClipIndex;
  /** Called when the listing or the counts of a dataset change; null: datasets were created or deleted. */
  readonly onChange: (dataset: string | null) => void;
  /** Called with errors of background work. */
  readonly onError?: (error: unknown) => void;
}

/** The file that contains a clip. */
export interface ResolvedClip {
  readonly path: string;
  readonly format: string;
  readonly source: 'npz' | 'raw';
  /** options that override what the file or its format states */
  readonly read: ReadOptions;
  /** size and modification time when the file was listed; together with the path they are the key in the index */
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** A dataset as the source of a conversion. */
export interface ConversionSource {
  readonly entries: readonly ClipEntry[];
  /** folder for converted clips; may not exist yet */
  readonly npzFolder: string;
  readonly defaults: DatasetConfig['convert'];
  readonly marks: MarkTable;
  /** Finds the converted clips without a raw file whose frame rate is not `fps`, Hz.
   *  @param progress null: use only what is known already  @throws AbortError */
  otherRates(fps: number, progress: ScanProgress | null): Promise<OtherRates>;
}

/** Manages the datasets of one robot on disk. Reads a folder on request if the folder may have changed. */
export class DatasetStore {
  readonly #options: DatasetStoreOptions;
  readonly #datasets = new Map<string, Dataset>();
  /** folders whose names are not valid dataset names */
  #misnamed: readonly string[] = [];
  #rootDirty = true;
  #discovering: Promise<void> | null = null;
  #discovered = false;
  readonly #deps: DatasetDeps;
  readonly #search = new ClipSearch();
  #columns = 0;

  constructor(options: DatasetStoreOptions) {
    this.#options = options;
    const { facts } = options;
    this.#deps = {
      index: options.index ?? new ClipIndex({ cache: null, onError: this.#failed }),
      list: options.list ?? listFolder,
      facts,
      manyFacts:
        options.manyFacts ?? ((files) => Promise.all(files.map(({ path: file, format }) => facts(file, format)))),
      conversions: options.conversions ?? (async (files) => files.map(() => null)),
      findings: options.findings ?? (() => null),
      queueCheck: options.queueCheck ?? (() => {}),
      unplayable: options.unplayable ?? (() => null),
      onError: this.#failed,
    };
  }

  /** Sets the number of columns of the robot's clips. Clips with a different number are listed with an error. */
  expectColumns(columns: number): void {
    this.#columns = columns;
  }

  /** Marks one file of a dataset as created, deleted or changed. */
  touch(name: string, file: string): void {
    this.#datasets.get(name)?.touch(file);
  }

  /** Marks a folder as possibly changed. The folder may be in the store, or a dataset may link to it. */
  markDirty(folder: string): void {
    const name = path.relative(this.#options.folder, folder).split(path.sep)[0];
    const dataset = this.#datasets.get(name ?? '');
    if (dataset) dataset.markDirty();
    if (dataset && folder !== dataset.folder) return;
    this.#rootDirty = true;
    this.#discover().catch(this.#failed);
  }

  /** Lists the files that were just written to a dataset, or to all datasets if `name` is absent.
   *  @param complete true: all files are complete; false: files of other writers may still be growing */
  async refresh(name?: string, complete = true): Promise<void> {
    this.#rootDirty = true;
    await this.#discover();
    for (const dataset of this.#datasets.values())
      if (name === undefined || dataset.name === name) await dataset.refresh(complete);
  }

  /** Returns the datasets, sorted by name in natural order. */
  async datasets(): Promise<DatasetCounts[]> {
    await this.#discover();
    const counts = await Promise.all(Array.from(this.#datasets.values(), (dataset) => dataset.counts()));
    const listed = [...counts.filter((count) => count !== null), ...this.#misnamed.map((name) => this.#unusable(name))];
    return listed
      .map((count) => ({ count, name: count.name, key: naturalKey(count.name) }))
      .sort(compareKeyed)
      .map(({ count }) => count);
  }

  /** Returns one page of a dataset's clips. @throws bad_input for an unknown dataset */
  async clips(query: QueryOf<typeof listClips>): Promise<ReplyOf<typeof listClips>> {
    const { page = 1, size = DEFAULT_PAGE_SIZE, q = '', status = 'all' } = query;
    const { dataset, entries } = await this.#open(query.dataset);
    const found = await dataset.select(await this.#search.find(entries, status, q), query);
    const shown = found.slice((page - 1) * size, page * size);
    return {
      dataset: dataset.name,
      total: found.length,
      page,
      size,
      pages: Math.max(1, Math.ceil(found.length / size)),
      clips: await dataset.describe(shown, FACTS_WAIT_MS),
    };
  }

  /** Finds the file of a clip. @param source `auto`: the npz if it is up to date, else the raw file
   *  @throws bad_input saying what is unknown or missing, and what to do */
  async resolve(datasetName: string, clip: string, source: 'auto' | 'npz' | 'raw'): Promise<ResolvedClip> {
    const opened = await this.#open(datasetName);
    const { dataset } = opened;
    // Watch events arrive late, so list again: the file may have just been created.
    const known = findEntry(opened.entries, clip) !== null;
    const { entries, error } = known ? opened : ((await dataset.current(true)) ?? opened);
    const entry = findEntry(entries, clip);
    if (!entry) throw badInput(`clip: dataset "${datasetName}" has no clip ${quoteName(clip)}${hint(clip, entries)}`);
    const file = fileOf(entry, source, datasetName);
    if (file === entry.raw && error !== null) throw badInput(`dataset: "${datasetName}": ${error}`);
    return {
      path: file.path,
      format: file.format.id,
      source: file === entry.npz ? 'npz' : 'raw',
      read: dataset.readOf(file),
      bytes: file.bytes,
      mtimeMs: file.mtimeMs,
    };
  }

  /** Measures all clips of a dataset. @throws bad_input for an unknown dataset; AbortError */
  async scan(name: string, progress: ScanProgress): Promise<void> {
    const { dataset } = await this.#open(name);
    await dataset.scan(progress);
  }

  /** Returns the folders of a dataset.
   *  @param field name of the request's field, for messages
   *  @throws bad_input for an unknown dataset, or one with a damaged `dataset.yaml` */
  async place(name: string, field = 'dataset'): Promise<DatasetPlace> {
    const { config } = await this.#open(name, field);
    if (config.error !== null) throw badInput(`${field}: "${name}": ${config.error}`);
    return this.placeToDelete(name);
  }

  /** Returns the folders of a dataset, even if `dataset.yaml` is damaged. @throws bad_input for an unknown dataset */
  async placeToDelete(name: string): Promise<DatasetPlace> {
    const { dataset, config, path: source, rawFolder, npzFolder, raw } = await this.#open(name);
    const inRaw = path.join(source, RAW_FOLDER);
    return {
      name,
      folder: dataset.folder,
      linked: config.source,
      raw: raw.length === 0 && (await isFolder(inRaw)) ? inRaw : rawFolder,
      npz: npzFolder,
    };
  }

  /** Returns the absolute paths of all files of a clip. @throws bad_input for an unknown dataset or clip */
  async filesOf(name: string, clip: string): Promise<string[]> {
    const { entries, raw, npz } = await this.#open(name);
    if (!findEntry(entries, clip))
      throw badInput(`clip: dataset "${name}" has no clip ${quoteName(clip)}${hint(clip, entries)}`);
    const npzs = ofStem(npz, clip);
    return [...ownRaws(ofStem(raw, clip), npzs), ...npzs].map((file) => file.path);
  }

  /** Picks the clips with the best scores, up to a total duration. @throws bad_input if none of the clips is checked
   *  yet */
  async pick(name: string, minutes: number): Promise<ReplyOf<typeof pickClips>> {
    const { dataset, entries } = await this.#open(name);
    const picked = await dataset.pick(entries, 60 * minutes);
    if (picked.clips.length === 0 && picked.unscored > 0)
      throw badInput(
        `dataset: none of the ${entries.length} clips of ${quoteName(name)} has been checked yet. Scan the dataset and wait for its checks.`,
      );
    return picked;
  }

  /** Finds clips by name, or with a search. @throws bad_input for an unknown dataset or clip */
  async find(
    name: string,
    { clips, q = '' }: { readonly clips?: readonly string[]; readonly q?: string },
  ): Promise<readonly ClipEntry[]> {
    const { entries } = await this.#open(name);
    if (!clips) return this.#search.find(entries, 'all', q);
    const slices = new Slices();
    const found = new Map<string, ClipEntry>();
    // Look up a few names one by one. For many names, one pass over the listing is faster.
    const byName = clips.length < 100 ? null : new Map(entries.map((entry) => [entry.name, entry]));
    for (const clip of clips) {
      if (slices.due()) await slices.rest();
      const entry = byName ? byName.get(clip) : findEntry(entries, clip);
      if (!entry) throw badInput(`clips: dataset "${name}" has no clip ${quoteName(clip)}${hint(clip, entries)}`);
      found.set(clip, entry);
    }
    return [...found.values()];
  }

  /** Returns the marks of a clip. @throws bad_input for an unknown dataset */
  async marksOf(name: string, clip: string): Promise<ClipMarks> {
    const { entries, config } = await this.#open(name);
    return marksOf(config.marks, findEntry(entries, clip) ?? { name: clip, raw: true });
  }

  /** Returns the entries of clips in the marks of `dataset.yaml`. */
  async marksIn(name: string, clips: readonly string[]): Promise<[string, ClipMarks][]> {
    const { config } = await this.#open(name);
    return clips.flatMap((clip): [string, ClipMarks][] => {
      const marks = config.marks.get(clip);
      return marks ? [[clip, marks]] : [];
    });
  }

  /** Returns true if any of the clips has an entry in the marks of `dataset.yaml`. */
  async hasMarks(name: string, clips: readonly string[]): Promise<boolean> {
    const { config } = await this.#open(name);
    return clips.some((clip) => config.marks.has(clip));
  }

  /** Returns the name of a clip's mirror image, created by a conversion; null if the clip does not have one. */
  async mirrorOf(name: string, clip: string): Promise<string | null> {
    const { entries } = await this.#open(name);
    const image = findEntry(entries, clip + MIRROR_ENDING);
    if (!image?.npz || image.raw) return null;
    const [record] = await this.#deps.conversions([image.npz.path]);
    return record?.mirrored === true ? image.name : null;
  }

  /** Returns the folder for a new dataset and creates its parent. @throws bad_input for an invalid or taken name */
  async freePlace(name: string, field = 'name'): Promise<string> {
    checkName('dataset', name, field);
    await makeFolders(this.#options.folder, 2);
    const folder = path.join(this.#options.folder, name);
    if (await isThere(folder)) throw this.#taken(name, field);
    return folder;
  }

  /** Creates an empty dataset. @throws bad_input for an invalid or taken name */
  async create(name: string): Promise<void> {
    const folder = await this.freePlace(name);
    try {
      await mkdir(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw this.#taken(name);
      throw fileError(error);
    }
    this.markDirty(this.#options.folder);
  }

  #taken(name: string, field = 'name'): Error {
    return badInput(
      `${field}: robot "${this.#options.robot}" already has a dataset ${quoteName(name)}. Choose another name.`,
    );
  }

  /** Waits until files that were just copied into a dataset are listed, for at most 2.5 s.
   *  @returns false if a file is still growing after that time  @throws bad_input for an unknown dataset */
  async awaitNewFiles(name: string): Promise<boolean> {
    const { dataset } = await this.#open(name);
    return dataset.awaitNewFiles();
  }

  /** Returns a dataset as the source of a conversion. @throws bad_input for an unknown dataset, or one with an error */
  async conversionSource(name: string): Promise<ConversionSource> {
    const { dataset, entries, npzFolder, config, error } = await this.#open(name);
    if (error !== null) throw badInput(`dataset: "${name}": ${error}`);
    const otherRates = (fps: number, progress: ScanProgress | null) => dataset.otherRates(entries, fps, progress);
    return { entries, npzFolder, defaults: config.convert, marks: config.marks, otherRates };
  }

  /** Stores the read options of a dataset, which override the detected ones for raw files. @param read empty:
   *  override nothing
   *  @throws bad_input for an unknown dataset, or one with a damaged `dataset.yaml` */
  async setReadOptions(name: string, read: ReadOptions): Promise<void> {
    const place = await this.place(name);
    await checkOwn(place, place.folder);
    await changeReadOptions(place.folder, read);
    this.touch(name, path.join(place.folder, DATASET_FILE));
  }

  /** Returns a clip and the conversion defaults of its dataset, for an edit.
   *  @param field name of the request's field, for messages
   *  @throws bad_input for an unknown dataset or clip, or one with an error */
  async editSource(
    name: string,
    clip: string,
    field: string,
  ): Promise<{ readonly entry: ClipEntry; readonly defaults: DatasetConfig['convert'] }> {
    const opened = await this.#open(name);
    if (opened.error !== null) throw badInput(`dataset: "${name}": ${opened.error}`);
    const { entries } = findEntry(opened.entries, clip) ? opened : ((await opened.dataset.current(true)) ?? opened);
    const entry = findEntry(entries, clip);
    if (!entry) throw badInput(`${field}: dataset "${name}" has no clip ${quoteName(clip)}${hint(clip, entries)}`);
    if (entry.error !== null) throw badInput(`${field}: "${clip}" of dataset "${name}" cannot be used: ${entry.error}`);
    return { entry, defaults: opened.config.convert };
  }

  /** Returns true if a dataset has a clip of this name. Lists the folders again if they have changed.
   *  @throws bad_input for an unknown dataset */
  async hasClip(name: string, clip: string): Promise<boolean> {
    const opened = await this.#open(name);
    const { entries } = findEntry(opened.entries, clip) ? opened : ((await opened.dataset.current(true)) ?? opened);
    return findEntry(entries, clip) !== null;
  }

  /** Stores the result of the conversion of a clip. It is valid until the source or the options in `dataset.yaml`
   *  change. @param error reason of the failure; null: the clip was converted */
  noteConversion(name: string, clip: string, error: string | null): void {
    this.#datasets.get(name)?.noteConversion(clip, error);
  }

  close(): void {
    for (const dataset of this.#datasets.values()) dataset.close();
    this.#datasets.clear();
  }

  readonly #failed = (error: unknown): void => {
    if (this.#options.onError) this.#options.onError(error);
    else process.emitWarning(error instanceof Error ? error : String(error));
  };

  async #open(name: string, field = 'dataset') {
    await this.#discover();
    // Watch events arrive late, so list again: the folder may have just been created.
    if (!this.#datasets.has(name)) {
      this.#rootDirty = true;
      await this.#discover();
    }
    const dataset = this.#datasets.get(name);
    const snapshot = dataset ? await dataset.current() : null;
    if (!dataset || !snapshot) throw this.#unknown(name, field);
    return { dataset, ...snapshot };
  }

  #unknown(name: string, field: string): Error {
    if (this.#misnamed.includes(name))
      return badInput(`${field}: ${quoteName(name)} ${nameProblem('dataset', name)}. Rename its folder.`);
    const known = [...this.#datasets.values()];
    return badInput(`${field}: robot "${this.#options.robot}" has no dataset ${quoteName(name)}${hint(name, known)}`);
  }

  #unusable(name: string): DatasetCounts {
    return {
      name,
      source: 0,
      converted: 0,
      missing: 0,
      extra: 0,
      failed: 0,
      linked: false,
      path: path.join(this.#options.folder, name),
      scan: null,
      error: `the folder's name ${quoteName(name)} ${nameProblem('dataset', name)}. Rename the folder.`,
    };
  }

  /** Detects datasets that were created or deleted. */
  async #discover(): Promise<void> {
    while (this.#rootDirty || this.#discovering) {
      this.#discovering ??= this.#listFolders().finally(() => {
        this.#discovering = null;
      });
      await this.#discovering;
    }
  }

  async #listFolders(): Promise<void> {
    this.#rootDirty = false;
    const { folder } = this.#options;
    await this.#deps.index.load(folder);
    const names = new Set(await foldersIn(folder));
    // Delete the scans of deleted datasets, because a new dataset may get the same name.
    this.#deps.index.keep(folder, (name) => names.has(name));
    const misnamed = [...names].filter((name) => nameProblem('dataset', name) !== null);
    let changed = misnamed.join('/') !== this.#misnamed.join('/');
    this.#misnamed = misnamed;
    for (const [name, dataset] of this.#datasets) {
      if (names.has(name)) continue;
      dataset.close();
      this.#datasets.delete(name);
      changed = true;
    }
    for (const name of names) {
      if (this.#datasets.has(name) || misnamed.includes(name)) continue;
      this.#datasets.set(name, this.#create(name));
      changed = true;
    }
    if (changed && this.#discovered) this.#options.onChange(null);
    this.#discovered = true;
  }

  #create(name: string): Dataset {
    return new Dataset({
      name,
      folder: path.join(this.#options.folder, name),
      deps: this.#deps,
      columns: () => this.#columns,
      onChange: () => this.#options.onChange(name),
    });
  }
}

/** Returns the file of a clip for the requested source. @throws bad_input if the clip does not have such a file */
function fileOf(entry: ClipEntry, source: 'auto' | 'npz' | 'raw', dataset: string): ClipFile {
  const clip = `clip: "${entry.name}" of dataset "${dataset}"`;
  if (entry.error !== null) throw badInput(`${clip}: ${entry.error}`);
  const file = source === 'auto' ? shownFile(entry) : entry[source];
  if (file) return file;
  if (source === 'npz') throw badInput(`${clip} is not converted. Convert it first, or load it with source "raw".`);
  throw badInput(`${clip} has no raw file. Load it with source "npz".`);
}

function hint(name: string, known: readonly { readonly name: string }[]): string {
  if (known.length === 0) return '';
  const names = known.slice(0, MAX_HINTS).map((other) => other.name);
  const near = didYouMean(name, names);
  if (near !== null) return `; ${near}`;
  return names.length <= 12 ? `; it has ${names.join(', ')}` : '';
}

async function isThere(entry: string): Promise<boolean> {
  try {
    await lstat(entry);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Returns the names of the folders in `folder`. Links to folders are included, hidden folders are not. */
async function foldersIn(folder: string): Promise<string[]> {
  let entries: import('node:fs').Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const isOne = entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(path.join(folder, entry.name))));
    if (isOne) names.push(entry.name);
  }
  return names.sort();
}

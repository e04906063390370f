import path from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../core/errors.ts';
import { Slices } from '../core/slices.ts';
import type { ConversionRecord } from '../motion/conversion-options.ts';
import { DEFAULT_INPUT_FPS, isSameRate } from '../motion/conversion-options.ts';
import type { Clip, DatasetCounts, Scan } from '../protocol/schemas/data.ts';
import type { ReadOptions } from '../protocol/schemas/reading.ts';
import { assumedIn, type ClipFacts, factsProblem } from './clip/clip-facts.ts';
import { type ClipFindings, summaryOf } from './clip/clip-findings.ts';
import { mirroredFrom } from './conversion/mirror-name.ts';
import type { OtherRates } from './conversion/plan-conversion.ts';
import { ConversionFailures } from './conversion-failures.ts';
import { AS_STATED, type DatasetConfig, readIn } from './dataset-file.ts';
import { DatasetWatches } from './dataset-watches.ts';
import {
  beginListing,
  beginReading,
  type Changes,
  changed,
  failReading,
  finishReading,
  postponeListing,
  UNREAD,
} from './freshness.ts';
import type { ClipIndex, FileIdentity } from './index/clip-index.ts';
import { type EntryList, isMissing, type Requested } from './listing/clip-entries.ts';
import type { ClipFile, ClipKind, ListedFolder } from './listing/clip-files.ts';
import { type ClipSelection, type ClipView, selectClips, selectsAll } from './listing/clip-order.ts';
import {
  type ClipEntry,
  type DatasetSnapshot,
  isConverted,
  type ListingContext,
  sameListing,
  takeSnapshot,
  updateSnapshot,
} from './listing/dataset-snapshot.ts';
import { FactsReader } from './listing/facts-reader.ts';
import { KeptOrders } from './listing/kept-orders.ts';
import { otherOptions, requestsOptions } from './listing/other-options.ts';
import { readUnknown, type ScanProgress, type ScanSource, scanClips } from './listing/scan-clips.ts';
import { marksOf, NO_MARKS } from './marks/clip-marks.ts';

/** Delay after which a file that may still be growing is checked again, ms. If it has not changed by then, it is
 *  considered complete. */
const RECHECK_MS = 1000;
/** Maximum time that `awaitNewFiles` waits for files that are still growing, ms. */
const NEW_FILES_MS = 2500;
/** Without file watching, a folder is listed again on request once its listing is older than this, ms. */
const UNWATCHED_MS = 2000;
/** After listing in the background, the next listing waits for this multiple of the duration of the last one. While no
 *  request waits, listing thus takes at most one fifth of the time. */
const REST_FACTOR = 4;
/** Minimum time between two checks of single files, ms. */
const LEAST_REST_MS = 100;
/** Maximum delay of watch events, ms. */
const WATCH_DELAY_MS = 100;
/** If listing takes at most this long, ms, a request waits for a new listing, even if no change was reported. */
const WAIT_MS = 300;
/** Number of converted clips whose conversion records are read in one batch. */
const RECORDS_AT_ONCE = 64;
/** Maximum number of unread clips that are read for a sort by duration. The sort waits for them for at most
 *  `FACTS_WAIT_MS`. */
const READ_TO_SORT = 200;
const FACTS_WAIT_MS = 2000;
/** The index removes deleted files when it contains this many more files than exist. */
const LEAST_DELETED = 1000;

/** The dependencies that all datasets share: functions that list and read files on other threads, and the index that
 *  stores results. */
export interface DatasetDeps {
  readonly index: ClipIndex;
  readonly list: (folder: string, kind: ClipKind) => Promise<ListedFolder> | ListedFolder;
  readonly facts: (file: string, format: string) => Promise<ClipFacts>;
  readonly manyFacts: (files: readonly { path: string; format: string }[]) => Promise<ClipFacts[]>;
  /** Reads the conversion records of converted clips; null for a file without a record. */
  readonly conversions: (files: readonly string[]) => Promise<(ConversionRecord | null)[]>;
  /** Returns the findings of a file's checks; null if the file is not checked yet.
   *  @param read options that override what the file states */
  readonly findings: (file: ClipFile, read: ReadOptions) => ClipFindings | null;
  /** Queues the check of a file that is not checked yet. */
  readonly queueCheck: (dataset: string, file: ClipFile, read: ReadOptions) => void;
  /** Returns why a file cannot be played, if its checks have found a reason. */
  readonly unplayable: (file: ClipFile, read: ReadOptions) => string | null;
  readonly onError: (error: unknown) => void;
}

export interface DatasetOptions {
  readonly name: string;
  readonly folder: string;
  readonly deps: DatasetDeps;
  /** 7 + number of joints of the robot; 0 while the robot is unknown */
  readonly columns: () => number;
  /** Called when the listing or the counts have changed. */
  readonly onChange: () => void;
}

/** One dataset on disk: its listing and the facts of its clips. The listing is read again when it may have changed. */
export class Dataset {
  readonly name: string;
  readonly folder: string;
  readonly #options: DatasetOptions;
  readonly #deps: DatasetDeps;
  readonly #facts: FactsReader;
  /** reads the facts of many files at once */
  readonly #source: Pick<ScanSource, 'shownFile' | 'known' | 'read'>;
  readonly #context: ListingContext;
  readonly #watches: DatasetWatches;
  readonly #failures: ConversionFailures;
  #snapshot: DatasetSnapshot | null = null;
  #freshness = UNREAD;
  #reading: { readonly done: Promise<void>; readonly listing: boolean } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #listedAt = 0;
  #listMs = 0;
  #readingRecords = false;
  /** number of checks that are due for files that may still be growing */
  #rechecks = 0;
  readonly #orders: KeptOrders;
  /** true if conversion failures were stored or removed since the last refresh */
  #failuresChanged = false;
  #closed = false;

  constructor(options: DatasetOptions) {
    this.#options = options;
    this.#deps = options.deps;
    this.name = options.name;
    this.folder = options.folder;
    const { index, list, facts, onError } = options.deps;
    const read = (file: ClipFile) => facts(file.path, file.format.id);
    this.#facts = new FactsReader({ index, read, onLate: options.onChange, onError });
    this.#source = {
      shownFile,
      known: (file) => this.#facts.get(file),
      read: async (files) => {
        const facts = await options.deps.manyFacts(files.map((file) => ({ path: file.path, format: file.format.id })));
        for (const [k, file] of files.entries()) index.put('facts', file, facts[k]!);
        return facts;
      },
    };
    this.#context = { folder: options.folder, list, requested: (config) => this.#requested(config) };
    this.#failures = new ConversionFailures(options.folder, index);
    this.#orders = new KeptOrders(options.onChange);
    const onChange = (folder: string, names: readonly string[] | null) =>
      names ? this.#touchNames(folder, names) : this.markDirty();
    this.#watches = new DatasetWatches({ folder: options.folder, onChange, onError });
  }

  /** Marks the whole dataset as possibly changed. Its folders are listed soon, or on the next request. */
  markDirty(): void {
    this.#mark({ all: true, reported: true });
    this.#readSoon();
  }

  /** Marks one file as created, deleted or changed. The file is treated as complete. @param file absolute path */
  touch(file: string): void {
    this.#mark({ complete: new Set([file]) });
    this.#touchNames(path.dirname(file), [path.basename(file)]);
  }

  /** Updates the listing after files were written. Lists the folders immediately if that is quick; otherwise watch
   *  events trigger the listing.
   *  @param complete true: all files are complete; false: files of other writers may still be growing */
  async refresh(complete: boolean): Promise<void> {
    if (this.#listMs > WAIT_MS) await sleep(WATCH_DELAY_MS);
    else this.#mark({ all: true, settled: complete });
    await this.current();
    if (this.#failuresChanged) this.#options.onChange();
    this.#failuresChanged = false;
  }

  /** Waits until files that were just copied into the folders are listed, for at most 2.5 s.
   *  @returns false if a file is still growing after that time */
  async awaitNewFiles(): Promise<boolean> {
    const end = performance.now() + NEW_FILES_MS;
    await sleep(WATCH_DELAY_MS);
    if (!this.#watches.isComplete) this.#mark({ all: true });
    await this.current();
    while (this.#rechecks > 0 && performance.now() < end) {
      await sleep(WATCH_DELAY_MS);
      await this.current();
    }
    return this.#rechecks === 0;
  }

  /** Returns the current content of the folders; null if the dataset does not exist any more.
   *  @param settled true: treat all files as complete, whatever their modification times */
  async current(settled = false): Promise<DatasetSnapshot | null> {
    if (settled) this.#mark({ all: true, settled: true });
    const old = !this.#watches.isComplete && performance.now() - this.#listedAt > UNWATCHED_MS;
    if (old && this.#snapshot && this.#listMs > WAIT_MS) this.markDirty();
    else {
      if (old) this.#mark({ all: true });
      // A second round handles changes during the first one. More rounds could delay the reply for as long as a folder
      // keeps changing.
      for (let round = 0; round < 2 && this.#isOld(); round += 1) await this.#read(true);
    }
    return this.#snapshot;
  }

  async counts(): Promise<DatasetCounts | null> {
    const snapshot = await this.current();
    if (!snapshot) return null;
    const { source, converted, missing, extra, config, error } = snapshot;
    const failed = this.#failures.in(snapshot).size;
    const linked = config.source !== null;
    const scan = this.#deps.index.get<Scan>('scan', this.#identity());
    return {
      name: this.name,
      source,
      converted,
      missing,
      extra,
      failed,
      linked,
      path: snapshot.path,
      scan,
      error,
      ...(config.convert.read && { read: config.convert.read }),
    };
  }

  /** Describes clips for a listing. Facts that cannot be read within `waitMs` are null.
   *  @param entries one page of entries of the current snapshot */
  async describe(entries: readonly ClipEntry[], waitMs: number): Promise<Clip[]> {
    const files = entries.flatMap(describedFiles);
    await this.#facts.settle(files, waitMs);
    return entries.map((entry) => this.#describe(entry));
  }

  /** Filters and sorts clips of the current snapshot. The order is cached until any of its inputs changes, so that
   *  paging does not sort again. */
  async select(entries: EntryList, selection: ClipSelection): Promise<EntryList> {
    const snapshot = this.#snapshot;
    if (!snapshot || selectsAll(selection)) return entries;
    const { sort = 'name', order = 'asc', findings, failed, tag, excluded } = selection;
    const key = JSON.stringify([sort, order, findings, failed, tag, excluded]);
    const revision =
      sort === 'duration' || sort === 'score' || sort === 'worst' || findings ? this.#deps.index.revision : 0;
    const basis = { snapshot, revision, failures: this.#failures.in(snapshot) };
    return this.#orders.get(entries, key, basis, async () => {
      const view = this.#viewOf(snapshot);
      if (sort === 'duration') {
        const unread = entries.filter((entry) => shownFile(entry) && view.duration(entry) === null);
        await this.#facts.settle(
          unread.slice(0, READ_TO_SORT).flatMap((entry) => shownFile(entry) ?? []),
          FACTS_WAIT_MS,
        );
      }
      return selectClips(entries, selection, view);
    });
  }

  /** Picks the clips with the best scores until their total duration reaches `seconds`. Skips excluded clips and
   *  clips with errors. */
  async pick(entries: EntryList, seconds: number): Promise<{ clips: string[]; minutes: number; unscored: number }> {
    const snapshot = this.#snapshot;
    const ordered = await this.select(entries, { sort: 'score', order: 'desc', excluded: false });
    if (!snapshot) return { clips: [], minutes: 0, unscored: 0 };
    const view = this.#viewOf(snapshot);
    const clips: string[] = [];
    let sum = 0;
    let unscored = 0;
    const slices = new Slices();
    for (const entry of ordered) {
      if (slices.due()) await slices.rest();
      const findings = view.findings(entry);
      const duration = view.duration(entry);
      if (entry.error !== null) continue;
      if (!findings || duration === null) unscored += 1;
      else if (sum < seconds && findings.score && summaryOf(findings, view.marks(entry)).worst !== 'error') {
        clips.push(entry.name);
        sum += duration;
      }
    }
    return { clips, minutes: sum / 60, unscored };
  }

  #viewOf(snapshot: DatasetSnapshot): ClipView {
    const failures = this.#failures.in(snapshot);
    return {
      marks: (entry) => marksOf(snapshot.config.marks, entry),
      failed: ({ name }) => failures.has(name),
      findings: (entry) => {
        const file = shownFile(entry);
        return file && this.#deps.findings(file, this.readOf(file));
      },
      duration: (entry) => {
        const file = shownFile(entry);
        const facts = file && this.#facts.get(file);
        return facts && facts.frames !== null ? (facts.frames - 1) / this.fpsOf(file, facts.fps) : null;
      },
    };
  }

  /** Stores the result of the conversion of a clip. @param error reason of the failure; null: the clip was converted */
  noteConversion(clip: string, error: string | null): void {
    if (this.#snapshot && this.#failures.note(this.#snapshot, clip, error)) this.#failuresChanged = true;
  }

  /** Measures all clips. From then on, the counts include the result, also after a restart of the service. */
  async scan(progress: ScanProgress): Promise<void> {
    await this.awaitNewFiles();
    const snapshot = await this.current();
    if (!snapshot) throw new StudioError('bad_input', `dataset: "${this.name}" was deleted in the meantime`);
    const scan = await scanClips(snapshot.entries, progress, {
      ...this.#source,
      problem: (file, facts) => this.#problem(file, facts),
      fps: (file, own) => this.fpsOf(file, own),
    });
    this.#deps.index.put('scan', this.#identity(), scan);
  }

  /** Finds the converted clips without a raw file whose frame rate is not `fps`, Hz. Leaves out mirror images that
   *  belong to another clip of the dataset.
   *  @param entries of the current snapshot
   *  @param progress null: use only what is known already  @throws AbortError */
  async otherRates(entries: EntryList, fps: number, progress: ScanProgress | null): Promise<OtherRates> {
    const own = entries.filter((entry) => entry.raw === null && entry.npz !== null && entry.error === null);
    if (progress) await readUnknown(own, { ...this.#source, shownFile: ({ npz }) => npz }, progress);
    const clips = new Set<string>();
    const unreadable = new Map<string, string>();
    const slices = new Slices();
    for (const { name, npz } of own) {
      if (slices.due()) await slices.rest();
      const facts = this.#facts.get(npz!);
      if (facts?.error) unreadable.set(name, facts.error);
      else if (facts?.fps && !isSameRate(facts.fps, fps)) clips.add(name);
    }
    const names = new Set(entries.map(({ name }) => name));
    const images = own.filter(({ name }) => clips.has(name) && names.has(mirroredFrom(name) ?? ''));
    const records = await this.#deps.conversions(images.map(({ npz }) => npz!.path));
    for (const [k, { name }] of images.entries()) if (records[k]?.mirrored) clips.delete(name);
    return { clips, unreadable };
  }

  /** Returns the frame rate of a clip, Hz. @param own rate that the clip's file or format states */
  fpsOf(file: ClipFile, own: number | null): number {
    return this.readOf(file).fps ?? own ?? DEFAULT_INPUT_FPS;
  }

  /** Returns the options of `dataset.yaml` that override what a file states; empty for a converted clip. */
  readOf(file: { readonly format: { readonly raw: boolean } }): ReadOptions {
    return file.format.raw && this.#snapshot ? readIn(this.#snapshot.config.convert) : AS_STATED;
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#watches.close();
    this.#facts.close();
    this.#orders.close();
  }

  /** Returns the key under which the index stores values of the dataset itself. */
  #identity(): FileIdentity {
    return { path: this.folder, bytes: 0, mtimeMs: 0 };
  }

  #mark(changes: Partial<Changes>): void {
    this.#freshness = changed(this.#freshness, changes);
  }

  #isOld(): boolean {
    return this.#isStale() || !this.#snapshot;
  }

  #isStale(): boolean {
    return this.#freshness.kind !== 'fresh';
  }

  /** Reads everything that is stale, or joins a read that is already running and covers as much.
   *  @param listing true: also list folders, which takes longer than reading single files */
  async #read(listing: boolean): Promise<void> {
    // A read of single files postpones the listing that it needs, so a request must not take it for its own.
    while (listing && this.#reading?.listing === false) await this.#settled();
    if (!this.#reading) {
      if (!this.#isOld()) return;
      const done = this.#readStale(listing).finally(() => {
        this.#reading = null;
      });
      this.#reading = { done, listing };
    }
    return this.#reading.done;
  }

  /** Waits until no read is running. An error is reported to the caller that began the read. */
  async #settled(): Promise<void> {
    while (this.#reading) await this.#reading.done.catch(() => {});
  }

  async #readStale(listing: boolean): Promise<void> {
    const before = this.#snapshot;
    if (!before) this.#mark({ all: true });
    let reading = beginReading(this.#freshness, listing || !before);
    this.#freshness = reading;
    const { reported } = reading.taken;
    try {
      let now: DatasetSnapshot | null = null;
      if (before && !reading.taken.all) {
        now = await updateSnapshot(this.#context, before, reading.taken.names, reading.taken.complete);
        if (!now && !listing) {
          this.#freshness = postponeListing(this.#freshness);
          return;
        }
        if (!now) {
          reading = beginListing(this.#freshness);
          this.#freshness = reading;
        }
      }
      now ??= await this.#list(before, reading.taken.settled);
      this.#freshness = finishReading(this.#freshness);
      this.#accept(before, now, reported);
    } catch (error) {
      if (this.#freshness.kind === 'reading') this.#freshness = failReading(this.#freshness);
      throw error;
    }
  }

  /** Replaces the snapshot. @param reported true if a change was reported before the read began */
  #accept(before: DatasetSnapshot | null, now: DatasetSnapshot | null, reported: boolean): void {
    if (this.#closed) return;
    this.#snapshot = now;
    if (!now) return;
    for (const [folder, names] of now.unfinished) if (names.length > 0) this.#touchLater(folder, names);
    if (before ? !sameListing(before, now) : reported) this.#options.onChange();
    this.#readRecords(now).catch(this.#deps.onError);
  }

  async #list(before: DatasetSnapshot | null, settled: boolean): Promise<DatasetSnapshot | null> {
    const start = performance.now();
    const { index } = this.#deps;
    const folders = await this.#watches.update();
    const loaded = Promise.all(folders.map((folder) => index.load(folder)));
    const now = await takeSnapshot(this.#context, before, settled);
    await loaded;
    // A folder that cannot be listed, such as one on a disk that is not mounted, may come back with the same files.
    if (now?.error === null)
      for (const [folder, files] of [
        [now.rawFolder, now.raw],
        [now.npzFolder, now.npz],
      ] as const) {
        if (index.size(folder) < LEAST_DELETED + 2 * files.length) continue;
        const names = new Set(files.map(({ file }) => file));
        index.keep(folder, (name) => names.has(name));
      }
    this.#listedAt = performance.now();
    this.#listMs = this.#listedAt - start;
    return now;
  }

  #touchNames(folder: string, names: readonly string[]): void {
    this.#mark({ names: new Map([[folder, new Set(names)]]), reported: true });
    this.#readSoon();
  }

  #touchLater(folder: string, names: readonly string[]): void {
    this.#rechecks += 1;
    setTimeout(() => {
      this.#rechecks -= 1;
      this.#touchNames(folder, names);
    }, RECHECK_MS).unref();
  }

  #readSoon(): void {
    if (this.#closed || this.#timer) return;
    const since = performance.now() - this.#listedAt;
    const rest = this.#hasNames() ? LEAST_REST_MS : Math.max(LEAST_REST_MS, REST_FACTOR * this.#listMs);
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#readInTime().catch(this.#deps.onError);
      },
      Math.max(0, rest - since),
    ).unref();
  }

  /** Returns true if single files are stale, but no whole folder. Single files are quick to read. */
  #hasNames(): boolean {
    const now = this.#freshness;
    const due = now.kind === 'stale' ? now.changes : now.kind === 'reading' ? now.later : null;
    return due !== null && due.names.size > 0;
  }

  /** Reads everything that is stale while no request waits. Lists the folders only after a pause of REST_FACTOR times
   *  the duration of the last listing. */
  async #readInTime(): Promise<void> {
    const rested = performance.now() - this.#listedAt >= REST_FACTOR * this.#listMs;
    await this.#settled();
    if (this.#closed || !this.#isStale()) return;
    await this.#read(rested);
    if (this.#isStale()) this.#readSoon();
  }

  #requested({ convert }: DatasetConfig): Requested {
    const compare = requestsOptions(convert);
    return {
      mirror: convert.mirror === true,
      hasOtherOptions: (npz) =>
        compare && otherOptions(this.#recordOf(npz)?.record ?? null, convert, npz.stem).length > 0,
    };
  }

  /** Returns the conversion record of a clip; null if the record is not read yet. */
  #recordOf(npz: ClipFile): { record: ConversionRecord | null } | null {
    return this.#deps.index.get<{ record: ConversionRecord | null }>('made', npz);
  }

  /** Reads the conversion records of clips if `dataset.yaml` sets conversion options. Then updates the entries of
   *  these clips. */
  async #readRecords({ config, npz }: DatasetSnapshot): Promise<void> {
    if (this.#readingRecords || !requestsOptions(config.convert)) return;
    this.#readingRecords = true;
    try {
      const unknown = npz.filter((file) => this.#recordOf(file) === null);
      for (let start = 0; start < unknown.length && !this.#closed; start += RECORDS_AT_ONCE) {
        const files = unknown.slice(start, start + RECORDS_AT_ONCE);
        const records = await this.#deps.conversions(files.map((file) => file.path));
        for (const [k, file] of files.entries()) this.#deps.index.put('made', file, { record: records[k] ?? null });
        for (const folder of new Set(files.map((file) => file.folder)))
          this.#touchNames(
            folder,
            files.filter((file) => file.folder === folder).map(({ file }) => file),
          );
        await setImmediate();
      }
    } finally {
      this.#readingRecords = false;
    }
  }

  #describe(entry: ClipEntry): Clip {
    const file = shownFile(entry);
    const facts = file && this.#facts.get(file);
    const frames = facts?.frames ?? null;
    const fps = file && facts && frames !== null ? this.fpsOf(file, facts.fps) : null;
    const { raw, npz } = entry;
    const marks = this.#snapshot ? marksOf(this.#snapshot.config.marks, entry) : NO_MARKS;
    const { exclude, weight, tags } = marks;
    const findings = file && this.#deps.findings(file, this.readOf(file));
    if (file && !findings) this.#deps.queueCheck(this.name, file, this.readOf(file));
    return {
      name: entry.name,
      status: isMissing(entry) ? 'missing' : 'converted',
      failed: (this.#snapshot && this.#failures.in(this.#snapshot).get(entry.name)) ?? null,
      excluded: exclude,
      weight,
      tags: [...tags],
      raw: raw !== null,
      stale: entry.stale,
      source: raw && this.#describeSource(raw),
      frames,
      fps,
      duration: frames === null || fps === null ? null : (frames - 1) / fps,
      modified: new Date((raw ?? npz)?.mtimeMs ?? 0).toISOString(),
      qa: findings && summaryOf(findings, marks),
      score: findings?.score ?? null,
      error: entry.error ?? (file && facts && this.#problem(file, facts)),
    };
  }

  #problem(file: ClipFile, facts: ClipFacts): string | null {
    // The checks know the names of the joints, so for a clip of another robot their message is more precise than the
    // number of columns.
    const { error } = facts;
    return error ?? this.#deps.unplayable(file, this.readOf(file)) ?? factsProblem(facts, this.#options.columns());
  }

  #describeSource(raw: ClipFile): NonNullable<Clip['source']> {
    const facts = this.#facts.get(raw);
    const assumed = facts ? assumedIn(facts, this.readOf(raw)) : [];
    return { file: raw.file, format: raw.format.id, bytes: raw.bytes, assumed };
  }
}

/** Returns the files whose facts a listing shows: the file to play, and the source of a converted clip. */
function describedFiles(entry: ClipEntry): ClipFile[] {
  const shown = shownFile(entry);
  if (shown === null) return [];
  return entry.raw === null || entry.raw === shown ? [shown] : [shown, entry.raw];
}

/** Returns the file that is opened for source `auto`; null for an entry with an error. */
export function shownFile(entry: ClipEntry): ClipFile | null {
  if (entry.error !== null) return null;
  return isConverted(entry) ? entry.npz : entry.raw;
}

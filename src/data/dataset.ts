import path from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../core/errors.ts';
import { isRemote } from '../core/files/remote-disk.ts';
import { type EntryWatch, watchEntries } from '../core/files/watch-entries.ts';
import type { ConversionRecord } from '../motion/conversion-options.ts';
import { DEFAULT_INPUT_FPS } from '../motion/conversion-options.ts';
import type { Clip, DatasetCounts, Scan } from '../protocol/schemas/data.ts';
import { type ClipFacts, factsProblem } from './clip/clip-facts.ts';
import { type DatasetConfig, readDatasetConfig } from './dataset-file.ts';
import type { ClipIndex, FileIdentity } from './index/clip-index.ts';
import { type Asked, findEntry, isMissing } from './listing/clip-entries.ts';
import type { ClipFile, ClipKind, ListedFolder } from './listing/clip-files.ts';
import {
  type ClipEntry,
  type DatasetSnapshot,
  isConverted,
  type Looking,
  NPZ_FOLDER,
  RAW_FOLDER,
  sameListing,
  takeSnapshot,
  updateSnapshot,
} from './listing/dataset-snapshot.ts';
import { FactsReader } from './listing/facts-reader.ts';
import { asksHowMade, otherOptions } from './listing/made-otherwise.ts';
import { type ScanProgress, scanClips } from './listing/scan-clips.ts';

/** Files that are still being written are looked at again after this time, when they count as complete. */
const LOOK_AGAIN_MS = 1000;
/** Where nothing tells of changes, what was listed so long ago is listed again when somebody asks. */
const UNTOLD_MS = 2000;
/** While nobody waits, listing anew takes at most one fifth of the time. */
const REST_FACTOR = 4;
/** Looks at single files come at most so often, ms. */
const LEAST_REST_MS = 100;
/** News of a change come within this time, ms. */
const NEWS_MS = 100;
/** Somebody who asks waits for a listing that takes no longer than this, ms, where nothing told of a change. */
const WAIT_MS = 300;
/** Files whose conversion is looked up together. */
const MADE_AT_ONCE = 64;
/** More is known of files that are gone than this: they are forgotten. */
const LEAST_GONE = 1000;

/** Why the last conversion of a source failed, by the folder of the dataset: several may link to one source. */
type ConversionFailures = Readonly<
  Record<
    string,
    {
      readonly error: string;
      /** options in `dataset.yaml`, as JSON */
      readonly options: string;
      /** what was wrong with the clip's files */
      readonly entryError: string | null;
    }
  >
>;

/** What datasets are made of: how files are listed and read elsewhere than on this thread, and where it is kept. */
export interface DatasetWorld {
  readonly index: ClipIndex;
  readonly list: (folder: string, kind: ClipKind) => Promise<ListedFolder> | ListedFolder;
  readonly facts: (file: string, format: string) => Promise<ClipFacts>;
  readonly manyFacts: (files: readonly { path: string; format: string }[]) => Promise<ClipFacts[]>;
  /** How converted clips were made; null for one whose file does not tell. */
  readonly conversions: (files: readonly string[]) => Promise<(ConversionRecord | null)[]>;
  /** The summary of a file's checks, where there is one. @param fps frames a second where the file says none */
  readonly qa: (dataset: string, file: ClipFile, fps: number) => Clip['qa'];
  /** Why a file cannot be played, where its checks found that out. */
  readonly unplayable: (file: ClipFile, fps: number) => string | null;
  readonly onError: (error: unknown) => void;
}

export interface DatasetOptions {
  readonly name: string;
  readonly folder: string;
  readonly world: DatasetWorld;
  /** 7 + joints of the robot; 0 while it is not known */
  readonly columns: () => number;
  /** The listing or the counts have changed. */
  readonly onChange: () => void;
}

/** One dataset on disk: what its folders hold, looked at when it may have changed, and facts of its clips. */
export class Dataset {
  readonly name: string;
  readonly folder: string;
  readonly #options: DatasetOptions;
  readonly #world: DatasetWorld;
  readonly #facts: FactsReader;
  readonly #looking: Looking;
  readonly #watches = new Map<string, EntryWatch>();
  #snapshot: DatasetSnapshot | null = null;
  /** everything may have changed */
  #all = true;
  /** these files may have changed: names by folder */
  #hints = new Map<string, Set<string>>();
  /** files that are complete, whatever their times say: absolute */
  #whole = new Set<string>();
  /** It was said to have changed since the last look. */
  #told = false;
  #settled = false;
  /** changes may come that nobody tells of */
  #untold = false;
  /** the system watches no more folders */
  #refused = false;
  #look: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #listedAt = 0;
  #listMs = 0;
  #readingMade = false;
  /** as found in one snapshot */
  #failures: { readonly of: DatasetSnapshot; readonly byClip: ReadonlyMap<string, string> } | null = null;
  /** failures were noted or forgotten since the last refresh */
  #failuresChanged = false;
  #closed = false;

  constructor(options: DatasetOptions) {
    this.#options = options;
    this.#world = options.world;
    this.name = options.name;
    this.folder = options.folder;
    const { index, list, facts, onError } = options.world;
    const read = (file: ClipFile) => facts(file.path, file.format.id);
    this.#facts = new FactsReader({ index, read, onLate: options.onChange, onError });
    this.#looking = { folder: options.folder, list, asked: (config) => this.#asked(config) };
  }

  /** Says that anything may have changed. It is looked at soon, or as soon as somebody asks. */
  markDirty(): void {
    this.#all = true;
    this.#told = true;
    this.#lookSoon();
  }

  /** Says that one file has come, gone or changed, and that nobody is writing to it any more. */
  touch(file: string): void {
    this.#whole.add(file);
    this.#hint(path.dirname(file), [path.basename(file)]);
  }

  /** Takes in what has been written, all of it complete: listed anew where that is quick, else by the news of it. */
  async refresh(): Promise<void> {
    if (this.#listMs > WAIT_MS) await sleep(NEWS_MS);
    await this.current(this.#listMs <= WAIT_MS);
    if (this.#failuresChanged) this.#options.onChange();
    this.#failuresChanged = false;
  }

  /** The folders as they are now. @param settled nothing is being written to them, whatever the times of files say
   *  @returns null where the dataset no longer exists */
  async current(settled = false): Promise<DatasetSnapshot | null> {
    if (settled) {
      this.#all = true;
      this.#settled = true;
    }
    const old = this.#untold && performance.now() - this.#listedAt > UNTOLD_MS;
    if (old && this.#snapshot && this.#listMs > WAIT_MS) this.markDirty();
    else {
      if (old) this.#all = true;
      // One more look where something changed during the first; what never rests must not hold an answer.
      for (let round = 0; round < 2 && this.#isOld(); round += 1) await this.#lookNow(true);
    }
    return this.#snapshot;
  }

  async counts(): Promise<DatasetCounts | null> {
    const snapshot = await this.current();
    if (!snapshot) return null;
    const { source, converted, missing, extra, config, error } = snapshot;
    const failed = this.#failuresIn(snapshot).size;
    const linked = config.source !== null;
    const scan = this.#world.index.get<Scan>('scan', this.#identity());
    return { name: this.name, source, converted, missing, extra, failed, linked, path: snapshot.path, scan, error };
  }

  /** Clips as a listing shows them. Facts that do not come in time are null.
   *  @param entries of the current snapshot, a page of them */
  async describe(entries: readonly ClipEntry[], waitMs: number): Promise<Clip[]> {
    const files = entries.flatMap((entry) => shownFile(entry) ?? []);
    await this.#facts.settle(files, waitMs);
    return entries.map((entry) => this.#describe(entry));
  }

  /** Remembers how the conversion of a clip ended: why it failed, or null where it was converted. It holds until the source
   *  or the options in `dataset.yaml` change, and over restarts. */
  noteConversion(clip: string, error: string | null): void {
    const snapshot = this.#snapshot;
    const entry = snapshot && findEntry(snapshot.entries, clip);
    const source = entry && (entry.raw ?? entry.npz);
    if (!source) return; // gone meanwhile
    const { index } = this.#world;
    const { [this.folder]: before, ...others } = index.get<ConversionFailures>('failed', source) ?? {};
    if (error === null && before === undefined) return;
    const options = JSON.stringify(snapshot.config.convert);
    const own = error === null ? {} : { [this.folder]: { error, options, entryError: entry.error } };
    index.put('failed', source, { ...others, ...own } satisfies ConversionFailures);
    this.#failures = null;
    this.#failuresChanged = true;
  }

  /** Measures all clips; the result is in the counts from then on, and over restarts. */
  async scan(progress: ScanProgress): Promise<void> {
    // News of files that were copied in just now are on their way.
    await sleep(NEWS_MS);
    const snapshot = await this.current(this.#untold);
    if (!snapshot) throw new StudioError('bad_input', `dataset: "${this.name}" was deleted meanwhile`);
    const scan = await scanClips(snapshot.entries, progress, {
      shownFile,
      known: (file) => this.#facts.get(file),
      read: async (files) => {
        const facts = await this.#world.manyFacts(files.map((file) => ({ path: file.path, format: file.format.id })));
        for (const [k, file] of files.entries()) this.#world.index.put('facts', file, facts[k]!);
        return facts;
      },
      problem: (file, facts) => this.#problem(file, facts),
      fps: (file, own) => this.fpsOf(file, own),
    });
    this.#world.index.put('scan', this.#identity(), scan);
  }

  /** Frames per second of a clip. @param own what its file says */
  fpsOf(file: ClipFile, own: number | null): number {
    const asked = file.format.raw ? this.#snapshot?.config.convert.input_fps : undefined;
    return asked ?? own ?? DEFAULT_INPUT_FPS;
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    this.#facts.close();
  }

  /** What the dataset itself is known by in the index. */
  #identity(): FileIdentity {
    return { path: this.folder, bytes: 0, mtimeMs: 0 };
  }

  #isOld(): boolean {
    return this.#look !== null || this.#all || this.#hints.size > 0 || !this.#snapshot;
  }

  /** @param all whether it may be listed anew, which takes longer than looking at single files */
  #lookNow(all: boolean): Promise<void> {
    this.#look ??= this.#takeIn(all).finally(() => {
      this.#look = null;
    });
    return this.#look;
  }

  async #takeIn(all: boolean): Promise<void> {
    const before = this.#snapshot;
    const told = this.#told;
    const hints = this.#hints;
    const whole = this.#whole;
    this.#hints = new Map();
    this.#whole = new Set();
    this.#told = false;
    let now: DatasetSnapshot | null = null;
    if (before && !(all && this.#all)) {
      now = await updateSnapshot(this.#looking, before, hints, whole);
      if (!now) this.#all = true;
    }
    // Listing anew may be for later, when the thread has rested.
    if (!now && (all || !before)) now = await this.#listAnew(before);
    else if (!now) {
      this.#told ||= told;
      return;
    }
    if (this.#closed) return;
    this.#snapshot = now;
    if (!now) return;
    for (const [folder, names] of now.unfinished) if (names.length > 0) this.#hintLater(folder, names);
    if (before ? !sameListing(before, now) : told) this.#options.onChange();
    this.#readMade(now).catch(this.#world.onError);
  }

  async #listAnew(before: DatasetSnapshot | null): Promise<DatasetSnapshot | null> {
    const settled = this.#settled;
    this.#all = false;
    this.#settled = false;
    const start = performance.now();
    const { index } = this.#world;
    const folders = await this.#watch();
    const loaded = Promise.all(folders.map((folder) => index.load(folder)));
    const now = await takeSnapshot(this.#looking, before, settled);
    await loaded;
    if (now)
      for (const [folder, files] of [
        [now.rawFolder, now.raw],
        [now.npzFolder, now.npz],
      ] as const) {
        if (index.size(folder) < LEAST_GONE + 2 * files.length) continue;
        const names = new Set(files.map(({ file }) => file));
        index.keep(folder, (name) => names.has(name));
      }
    this.#listedAt = performance.now();
    this.#listMs = this.#listedAt - start;
    return now;
  }

  /** Watches the folders that a listing is made of, also those that do not exist yet.
   *  @returns all of them */
  async #watch(): Promise<readonly string[]> {
    const { source } = await readDatasetConfig(this.folder);
    const own = ['', NPZ_FOLDER, RAW_FOLDER].map((part) => path.join(this.folder, part));
    const linked = source === null ? [] : ['', NPZ_FOLDER, RAW_FOLDER].map((part) => path.join(source, part));
    // Of a disk of another machine the system tells only what this one does.
    const remote = await isRemote(this.folder);
    const remoteSource = source !== null && (await isRemote(source));
    const wanted = new Set([...(remote ? [] : own), ...(remoteSource ? [] : linked)]);
    this.#untold = remote || remoteSource;
    const all = [...own, ...linked];
    if (this.#closed) return all;
    for (const [folder, watch] of this.#watches) {
      if (wanted.has(folder)) continue;
      watch.close();
      this.#watches.delete(folder);
    }
    for (const folder of wanted) if (!this.#watches.has(folder)) this.#watches.set(folder, this.#watchFolder(folder));
    this.#untold ||= this.#refused;
    return all;
  }

  #watchFolder(folder: string): EntryWatch {
    const onUnwatched = (error: unknown) => {
      this.#refused = true;
      this.#world.onError(error);
    };
    return watchEntries(folder, { ignored: (name) => name.startsWith('.'), onUnwatched }, (names) => {
      if (names) this.#hint(folder, names);
      else this.markDirty();
    });
  }

  #hint(folder: string, names: Iterable<string>): void {
    const known = this.#hints.get(folder) ?? new Set();
    for (const name of names) known.add(name);
    this.#hints.set(folder, known);
    this.#told = true;
    this.#lookSoon();
  }

  #hintLater(folder: string, names: readonly string[]): void {
    setTimeout(() => this.#hint(folder, names), LOOK_AGAIN_MS).unref();
  }

  #lookSoon(): void {
    if (this.#closed || this.#timer) return;
    const since = performance.now() - this.#listedAt;
    const rest = this.#hints.size > 0 ? LEAST_REST_MS : Math.max(LEAST_REST_MS, REST_FACTOR * this.#listMs);
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#lookInTime().catch(this.#world.onError);
      },
      Math.max(0, rest - since),
    ).unref();
  }

  async #lookInTime(): Promise<void> {
    const rested = performance.now() - this.#listedAt >= REST_FACTOR * this.#listMs;
    while (this.#look) await this.#look;
    if (this.#closed || !(this.#all || this.#hints.size > 0)) return;
    await this.#lookNow(rested);
    if (this.#all || this.#hints.size > 0) this.#lookSoon();
  }

  #asked({ convert }: DatasetConfig): Asked {
    const asks = asksHowMade(convert);
    return {
      mirror: convert.mirror === true,
      madeOtherwise: (npz) => asks && otherOptions(this.#recordOf(npz)?.record ?? null, convert, npz.stem).length > 0,
    };
  }

  /** Null while it is not known. */
  #recordOf(npz: ClipFile): { record: ConversionRecord | null } | null {
    return this.#world.index.get<{ record: ConversionRecord | null }>('made', npz);
  }

  /** Reads how converted clips were made, where the dataset asks for something; entries follow. */
  async #readMade({ config, npz }: DatasetSnapshot): Promise<void> {
    if (this.#readingMade || !asksHowMade(config.convert)) return;
    this.#readingMade = true;
    try {
      const unknown = npz.filter((file) => this.#recordOf(file) === null);
      for (let start = 0; start < unknown.length && !this.#closed; start += MADE_AT_ONCE) {
        const files = unknown.slice(start, start + MADE_AT_ONCE);
        const records = await this.#world.conversions(files.map((file) => file.path));
        for (const [k, file] of files.entries()) {
          this.#world.index.put('made', file, { record: records[k] ?? null });
          this.#hint(file.folder, [file.file]);
        }
        await setImmediate();
      }
    } finally {
      this.#readingMade = false;
    }
  }

  /** Why clips could not be converted, by name. */
  #failuresIn(snapshot: DatasetSnapshot): ReadonlyMap<string, string> {
    if (this.#failures?.of === snapshot) return this.#failures.byClip;
    const { entries, config, rawFolder, npzLists } = snapshot;
    const options = JSON.stringify(config.convert);
    const byClip = new Map<string, string>();
    for (const folder of new Set([rawFolder, ...npzLists.keys()])) {
      for (const [file, { value, bytes, mtimeMs }] of this.#world.index.all<ConversionFailures>('failed', folder)) {
        const own = value[this.folder];
        const entry = own?.options === options ? findEntry(entries, path.parse(file).name) : null;
        const source = entry && (entry.raw ?? entry.npz);
        if (!own || !entry || source?.file !== file || source.folder !== folder) continue;
        const isSame = source.bytes === bytes && source.mtimeMs === mtimeMs && entry.error === own.entryError;
        if (isSame) byClip.set(entry.name, own.error);
      }
    }
    this.#failures = { of: snapshot, byClip };
    return byClip;
  }

  #describe(entry: ClipEntry): Clip {
    const file = shownFile(entry);
    const facts = file && this.#facts.get(file);
    const frames = facts?.frames ?? null;
    const fps = file && facts && frames !== null ? this.fpsOf(file, facts.fps) : null;
    const { raw, npz } = entry;
    return {
      name: entry.name,
      status: isMissing(entry) ? 'missing' : 'converted',
      failed: (this.#snapshot && this.#failuresIn(this.#snapshot).get(entry.name)) ?? null,
      raw: raw !== null,
      stale: entry.stale,
      source: raw && { file: raw.file, format: raw.format.id, bytes: raw.bytes },
      frames,
      fps,
      duration: frames === null || fps === null ? null : (frames - 1) / fps,
      modified: new Date((raw ?? npz)?.mtimeMs ?? 0).toISOString(),
      qa: file && this.#world.qa(this.name, file, this.fpsOf(file, null)),
      error: entry.error ?? (file && facts && this.#problem(file, facts)),
    };
  }

  #problem(file: ClipFile, facts: ClipFacts): string | null {
    return factsProblem(facts, this.#options.columns()) ?? this.#world.unplayable(file, this.fpsOf(file, null));
  }
}

/** The file that loading with source `auto` opens; null for an entry in error. */
export function shownFile(entry: ClipEntry): ClipFile | null {
  if (entry.error !== null) return null;
  return isConverted(entry) ? entry.npz : entry.raw;
}

import path from 'node:path';
import type { Clip, DatasetCounts } from '../protocol/schemas/data.ts';
import type { ClipFacts } from './clip/clip-facts.ts';
import type { ClipFile } from './listing/clip-files.ts';
import {
  type ClipEntry,
  type DatasetSnapshot,
  isConverted,
  sameListing,
  takeSnapshot,
} from './listing/dataset-snapshot.ts';
import { FactsCache } from './listing/facts-cache.ts';

/** Frame rate of raw clips whose file and dataset say none. */
const DEFAULT_INPUT_FPS = 30;
/** Files that are still being written are looked at again after this time, when they count as complete. */
const LOOK_AGAIN_MS = 1000;
/** A linked folder may lie where nothing tells of changes: it is listed again after this time. */
const LINK_MS = 2000;
/** While nobody waits, listing takes at most one fifth of the time. */
const REST_FACTOR = 4;
const LEAST_REST_MS = 100;

export interface DatasetOptions {
  readonly name: string;
  readonly folder: string;
  readonly facts: (file: ClipFile) => Promise<ClipFacts>;
  /** The listing or the counts have changed. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** One dataset on disk: what its folder holds, looked at when it may have changed, and facts of its clips. */
export class Dataset {
  readonly name: string;
  readonly folder: string;
  readonly #options: DatasetOptions;
  readonly #facts: FactsCache;
  #snapshot: DatasetSnapshot | null = null;
  #dirty = true;
  /** It was said to have changed since the last look. */
  #told = false;
  #settled = false;
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #lookedAt = 0;
  #restMs = LEAST_REST_MS;
  #closed = false;

  constructor(options: DatasetOptions) {
    this.#options = options;
    this.name = options.name;
    this.folder = options.folder;
    this.#facts = new FactsCache({ read: options.facts, onLate: options.onChange, onError: options.onError });
  }

  /** Says that the folder may have changed. It is looked at soon, or as soon as somebody asks. */
  markDirty(): void {
    this.#dirty = true;
    this.#told = true;
    this.#lookSoon(Math.max(0, this.#lookedAt + this.#restMs - performance.now()));
  }

  /** The folder as it is now. @param settled nothing is being written to it, whatever the times of its files say
   *  @returns null where it no longer exists */
  async current(settled = false): Promise<DatasetSnapshot | null> {
    if (settled) {
      this.#dirty = true;
      this.#settled = true;
    }
    // One more look where the folder changed during the first; a folder that never rests must not hold an answer.
    for (let round = 0; round < 2 && this.#isOld(); round += 1) await this.#look();
    return this.#snapshot;
  }

  async counts(): Promise<DatasetCounts | null> {
    const snapshot = await this.current();
    if (!snapshot) return null;
    const { source, converted, missing, config, error } = snapshot;
    const linked = config.source !== null;
    return { name: this.name, source, converted, missing, linked, path: snapshot.path, scan: null, error };
  }

  /** Clips as a listing shows them. Facts that do not come in time are null.
   *  @param entries of the current snapshot, a page of them */
  async describe(entries: readonly ClipEntry[], waitMs: number): Promise<Clip[]> {
    const files = entries.flatMap((entry) => shownFile(entry) ?? []);
    await this.#facts.settle(files, waitMs);
    return entries.map((entry) => this.#describe(entry));
  }

  /** Frames per second of a clip. @param own what its file says */
  fpsOf(file: ClipFile, own: number | null): number {
    const asked = file.format.raw ? this.#snapshot?.config.convert.input_fps : undefined;
    return asked ?? own ?? DEFAULT_INPUT_FPS;
  }

  forgetFacts(): void {
    this.#facts.clear();
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#facts.close();
  }

  #isOld(): boolean {
    if (this.#looking || this.#dirty || !this.#snapshot) return true;
    return this.#snapshot.config.source !== null && performance.now() - this.#lookedAt > LINK_MS;
  }

  #look(): Promise<void> {
    this.#looking ??= this.#takeIn().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #takeIn(): Promise<void> {
    const told = this.#told;
    const settled = this.#settled;
    this.#dirty = false;
    this.#told = false;
    this.#settled = false;
    const start = performance.now();
    const before = this.#snapshot;
    const now = await takeSnapshot(this.folder, before, settled);
    this.#lookedAt = performance.now();
    this.#restMs = Math.max(LEAST_REST_MS, REST_FACTOR * (this.#lookedAt - start));
    if (this.#closed) return;
    this.#snapshot = now;
    if (!now) return;
    this.#facts.keep(now.files);
    if (now.unfinished) this.#lookAgain();
    if (before ? !sameListing(before, now) : told) this.#options.onChange();
  }

  #lookAgain(): void {
    const timer = setTimeout(() => this.markDirty(), LOOK_AGAIN_MS);
    timer.unref();
  }

  #lookSoon(delayMs: number): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#dirty) this.current().catch(this.#options.onError);
    }, delayMs);
    this.#timer.unref();
  }

  #describe(entry: ClipEntry): Clip {
    const file = shownFile(entry);
    const facts = file && this.#facts.get(file);
    const frames = facts?.frames ?? null;
    const fps = file && facts && frames !== null ? this.fpsOf(file, facts.fps) : null;
    const { raw, npz } = entry;
    return {
      name: entry.name,
      status: isConverted(entry) ? 'converted' : 'missing',
      raw: raw !== null,
      stale: entry.stale,
      source: raw && { file: path.basename(raw.path), format: raw.format.id, bytes: raw.bytes },
      frames,
      fps,
      duration: frames === null || fps === null ? null : (frames - 1) / fps,
      modified: new Date((raw ?? npz)?.mtimeMs ?? 0).toISOString(),
      qa: null,
      error: entry.error ?? facts?.error ?? null,
    };
  }
}

/** The file that loading with source `auto` opens; null for an entry in error. */
export function shownFile(entry: ClipEntry): ClipFile | null {
  if (entry.error !== null) return null;
  return isConverted(entry) ? entry.npz : entry.raw;
}

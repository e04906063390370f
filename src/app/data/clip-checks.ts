import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { resultsKey } from '../../checks/results-key.ts';
import type { CheckSettings } from '../../checks/threshold.ts';
import { messageOf, StudioError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { Slices } from '../../core/slices.ts';
import type { ClipQuality } from '../../data/clip/clip-quality.ts';
import { shownFile } from '../../data/dataset.ts';
import type { DatasetStore } from '../../data/dataset-store.ts';
import type { ClipIndex, FileIdentity } from '../../data/index/clip-index.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import { DEFAULT_INPUT_FPS } from '../../motion/conversion-options.ts';
import type { Clip, Preview } from '../../protocol/schemas/data.ts';
import type { ClipFile } from './clip-library.ts';

/** Clips of a dataset that are checked without being asked for, each time it changes: hours of work otherwise. */
const SWEPT = 2000;
/** ms after a change of a dataset until it is swept: conversions and imports change it again and again. */
const SWEEP_MS = 1500;
/** ms until background work looks again whether the pool has a thread to spare. */
const YIELD_MS = 200;
/** ms between two news of one dataset. */
const TELL_MS = 1000;
/** Files waiting to be checked: those that were asked for longest ago are dropped first. */
const MAX_WAITING = 4000;
/** Results kept whole, for clips that are opened again. */
const KEPT = 32;

type Summary = NonNullable<Clip['qa']>;

/** A file as listings know it. */
interface ListedFile extends FileIdentity {
  readonly format: { readonly id: string; readonly raw: boolean };
}

/** What the index remembers of a file's checks. */
interface Remembered {
  /** robot, thresholds and frame rate that the file was checked for */
  readonly key: string;
  readonly summary: Summary | null;
  /** why the clip can be neither played nor converted, as far as its numbers say */
  readonly problem: string | null;
}

interface Waiting {
  /** id of the robot whose clip it is */
  readonly robot: string;
  readonly file: ListedFile;
  readonly fps: number;
  readonly dataset: string;
}

export interface QualityDeps {
  readonly index: ClipIndex;
  readonly settings: CheckSettings;
  readonly logger: Logger;
  /** The robot on stage. */
  robot(): ClipRobotSource;
  store(robot: string): DatasetStore;
  /** Checks a file in a thread. */
  check(
    file: string,
    format: string,
    robot: ClipRobotSource,
    fps: number,
    settings: CheckSettings,
  ): Promise<ClipQuality>;
  /** Whether a thread of the pool has nothing to do. */
  isIdle(): boolean;
  /** Summaries of a dataset's clips have come. */
  changed(dataset: string): void;
}

/** What is wrong with clips: of one at once, of datasets in the background, one file at a time and only while the pool
 *  has a thread to spare. Summaries are kept in the index of clips, by file, robot and thresholds. */
export class ClipChecks {
  readonly #deps: QualityDeps;
  readonly #waiting = new Map<string, Waiting>();
  /** checks under way, by what is checked: nobody's work is done twice */
  readonly #running = new Map<string, Promise<ClipQuality>>();
  readonly #kept = new Map<string, ClipQuality>();
  readonly #told = new Map<string, NodeJS.Timeout>();
  readonly #sweeps = new Map<string, NodeJS.Timeout>();
  #keys: { readonly robot: string; readonly byFps: Map<number, string> } = { robot: '', byFps: new Map() };
  #working = false;
  #closed = false;

  constructor(deps: QualityDeps) {
    this.#deps = deps;
  }

  /** The summary of a listed file; null where it is not known yet, and it is then found out.
   *  @param fps frames a second of the clip where its file says none */
  summary(robot: string, dataset: string, file: ListedFile, fps: number): Clip['qa'] {
    if (this.#deps.robot().facts.id !== robot) return null;
    const known = this.#known(file, this.#key(fps));
    if (known) return known.summary;
    this.#enqueue({ robot, file, fps, dataset });
    return null;
  }

  /** Why a listed file can be neither played nor converted; null where that is not known, or it can. */
  problem(robot: string, file: ListedFile, fps: number): string | null {
    if (this.#deps.robot().facts.id !== robot) return null;
    return this.#known(file, this.#key(fps))?.problem ?? null;
  }

  /** What is wrong with one clip, found at once. @throws bad_input where its file cannot be checked */
  async of({ path: file, format, fps }: ClipFile): Promise<NonNullable<Preview['qa']>> {
    const { size, mtimeMs } = await stat(file);
    const { issues, error } = await this.#check({ path: file, bytes: size, mtimeMs }, format, fps);
    if (error !== null) throw new StudioError('bad_input', error);
    return { ok: issues.every((issue) => issue.severity === 'info'), issues: [...issues] };
  }

  /** A dataset has changed: what is new in it is checked soon. @param all of it, whatever its size */
  sweep(robot: string, dataset: string | null, all = false): void {
    if (dataset === null || this.#closed || this.#deps.robot().facts.id !== robot) return;
    clearTimeout(this.#sweeps.get(dataset));
    const start = () => {
      this.#sweeps.delete(dataset);
      this.#sweepNow(robot, dataset, all ? Number.POSITIVE_INFINITY : SWEPT).catch((error: unknown) => {
        // The dataset may be gone by now, or its folder not readable: its listing says so.
        this.#deps.logger.debug({ err: error }, `checks of ${dataset}: ${messageOf(error)}`);
      });
    };
    this.#sweeps.set(dataset, setTimeout(start, SWEEP_MS).unref());
  }

  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    for (const timer of [...this.#told.values(), ...this.#sweeps.values()]) clearTimeout(timer);
  }

  async #sweepNow(robot: string, dataset: string, most: number): Promise<void> {
    const { entries, defaults } = await this.#deps.store(robot).conversionSource(dataset);
    const slices = new Slices();
    let found = 0;
    for (const entry of entries) {
      if (slices.due()) await slices.rest();
      if (this.#closed || found >= Math.min(most, MAX_WAITING)) return;
      const file = shownFile(entry);
      const fps = (file?.format.raw ? defaults.input_fps : undefined) ?? DEFAULT_INPUT_FPS;
      if (!file || this.#known(file, this.#key(fps))) continue;
      found += 1;
      this.#enqueue({ robot, file, fps, dataset });
    }
  }

  #known(file: FileIdentity, key: string): Remembered | null {
    const remembered = this.#deps.index.get<Remembered>('qa', file);
    return remembered?.key === key ? remembered : null;
  }

  /** A page of a listing needs it a thousand times, for a few frame rates. */
  #key(fps: number): string {
    const { physicsPath } = this.#deps.robot();
    if (physicsPath !== this.#keys.robot) this.#keys = { robot: physicsPath, byFps: new Map() };
    let key = this.#keys.byFps.get(fps);
    if (key === undefined) {
      // The folder of a compiled robot is named by its content.
      const robot = path.basename(path.dirname(physicsPath));
      const what = JSON.stringify([resultsKey(this.#deps.settings), robot, fps]);
      key = createHash('sha256').update(what).digest('base64url').slice(0, 16);
      if (this.#keys.byFps.size >= KEPT) this.#keys.byFps.clear();
      this.#keys.byFps.set(fps, key);
    }
    return key;
  }

  #enqueue(waiting: Waiting): void {
    if (this.#closed) return;
    // Last in, first out: what was asked for last is what somebody looks at.
    this.#waiting.delete(waiting.file.path);
    this.#waiting.set(waiting.file.path, waiting);
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= MAX_WAITING) break;
      this.#waiting.delete(oldest);
    }
    if (!this.#working) this.#work().catch((error: unknown) => this.#failed(error));
  }

  async #work(): Promise<void> {
    this.#working = true;
    try {
      while (this.#waiting.size > 0 && !this.#closed) {
        if (!this.#deps.isIdle()) {
          await new Promise((resolve) => setTimeout(resolve, YIELD_MS).unref());
          continue;
        }
        const next = [...this.#waiting.values()].at(-1)!;
        this.#waiting.delete(next.file.path);
        await this.#checkNext(next);
      }
    } finally {
      this.#working = false;
    }
  }

  async #checkNext({ robot, file, fps, dataset }: Waiting): Promise<void> {
    // Another robot is on stage by now; its listings ask for their own.
    if (this.#deps.robot().facts.id !== robot) return;
    try {
      await this.#check(file, file.format.id, fps);
      this.#tell(dataset);
    } catch (error) {
      this.#failed(error, path.basename(file.path));
    }
  }

  async #check(file: FileIdentity, format: string, fps: number): Promise<ClipQuality> {
    const { index, settings } = this.#deps;
    const robot = this.#deps.robot();
    const key = this.#key(fps);
    const id = `${key} ${file.bytes} ${file.mtimeMs} ${file.path}`;
    const kept = this.#kept.get(id);
    if (kept) return kept;
    let running = this.#running.get(id);
    if (!running) {
      running = this.#deps.check(file.path, format, robot, fps, settings).finally(() => this.#running.delete(id));
      this.#running.set(id, running);
    }
    const quality = await running;
    index.put('qa', file, { key, summary: summaryOf(quality), problem: problemOf(quality) } satisfies Remembered);
    this.#kept.set(id, quality);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return quality;
  }

  #tell(dataset: string): void {
    if (this.#told.has(dataset) || this.#closed) return;
    const tell = () => {
      this.#told.delete(dataset);
      this.#deps.changed(dataset);
    };
    this.#told.set(dataset, setTimeout(tell, TELL_MS).unref());
  }

  #failed(error: unknown, file?: string): void {
    if (this.#closed || (error instanceof StudioError && error.code === 'unavailable')) return;
    this.#deps.logger.warn({ err: error }, `checking ${file ?? 'clips'}: ${messageOf(error)}`);
  }
}

/** Numbers that are not finite, or too few: what no repair is for. */
function problemOf({ issues }: ClipQuality): string | null {
  const issue = issues.find(({ kind, severity, fix }) => kind === 'not_finite' && severity === 'error' && fix === null);
  return issue ? issue.text : null;
}

/** What a listing shows; null for a file that cannot be checked: its error is shown instead. */
function summaryOf({ issues, error }: ClipQuality): Summary | null {
  if (error !== null) return null;
  return { worst: issues[0]?.severity ?? 'ok', issues: issues.length };
}

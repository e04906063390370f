import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { resultsKey } from '../../checks/results-key.ts';
import type { CheckSettings } from '../../checks/threshold.ts';
import { messageOf, StudioError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { type ClipFindings, findingsOf } from '../../data/clip/clip-findings.ts';
import type { ClipQuality } from '../../data/clip/clip-quality.ts';
import type { ClipIndex, FileIdentity } from '../../data/index/clip-index.ts';
import type { ClipRobotSource } from '../../motion/clip-robot.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import type { ClipFile } from './clip-library.ts';

/** Delay before background checks try again while the pool is busy, ms. */
const YIELD_MS = 200;
/** Least time between two reports of changed summaries of one dataset, ms. */
const REPORT_MS = 1000;
/** Files waiting to be checked. Beyond this, the oldest requests are dropped. */
const MAX_WAITING = 4000;
/** Full results kept in memory, for clips that are opened again. */
const KEPT = 32;

/** A file as it was listed. */
interface ListedFile extends FileIdentity {
  readonly folder: string;
  readonly file: string;
  readonly format: { readonly id: string; readonly raw: boolean };
}

/** Result of a file's checks as the index stores it. */
interface Remembered {
  /** robot, thresholds and reading of the file that it was checked for */
  readonly key: string;
  /** null for a file that cannot be checked */
  readonly findings: ClipFindings | null;
  /** why the clip can be neither played nor converted; null if it can, or if only another reason prevents it */
  readonly problem: string | null;
}

interface Waiting {
  /** id of the robot whose clip it is */
  readonly robot: string;
  readonly file: ListedFile;
  readonly read: ReadOptions;
  readonly dataset: string;
}

export interface ClipChecksDeps {
  readonly index: ClipIndex;
  readonly settings: CheckSettings;
  readonly logger: Logger;
  /** the selected robot */
  robot(): ClipRobotSource;
  /** Checks a file in a thread of the pool. */
  check(
    file: string,
    format: string,
    robot: ClipRobotSource,
    read: ReadOptions,
    settings: CheckSettings,
  ): Promise<ClipQuality>;
  /** Whether a thread of the pool is idle. */
  isIdle(): boolean;
  /** Called when summaries of a dataset's clips have changed, at most once a second. */
  changed(dataset: string): void;
}

/** Checks clips: the open one at once, others in the background, one file at a time and only while the pool is idle.
 *  The index stores summaries by file, robot and thresholds. This class is application logic, not part of `checks`: it
 *  decides when to check, by the selected robot and the load of the pool. */
export class ClipChecks {
  readonly #deps: ClipChecksDeps;
  readonly #waiting = new Map<string, Waiting>();
  /** running checks: a second request for the same file waits for the first one */
  readonly #running = new Map<string, Promise<ClipQuality>>();
  readonly #results = new Map<string, ClipQuality>();
  /** datasets whose changes will be reported soon */
  readonly #reports = new Map<string, NodeJS.Timeout>();
  #keys: { readonly robot: string; readonly byReading: Map<string, string> } = { robot: '', byReading: new Map() };
  #working = false;
  #closed = false;

  constructor(deps: ClipChecksDeps) {
    this.#deps = deps;
  }

  /** Returns what was found in a listed file; null if it is not checked yet, or cannot be checked.
   *  @param read overrides what the file or its format states */
  findings(robot: string, file: ListedFile, read: ReadOptions): ClipFindings | null {
    if (this.#deps.robot().facts.id !== robot) return null;
    return this.#known(file, this.#key(read))?.findings ?? null;
  }

  /** Returns why a listed file can be neither played nor converted; null if it can, or is not checked yet. */
  problem(robot: string, file: ListedFile, read: ReadOptions): string | null {
    if (this.#deps.robot().facts.id !== robot) return null;
    return this.#known(file, this.#key(read))?.problem ?? null;
  }

  /** Checks one clip at once. @throws bad_input if its file cannot be checked */
  async of({ path: file, format, read }: ClipFile): Promise<ClipQuality> {
    const { size, mtimeMs } = await stat(file);
    const quality = await this.#check({ path: file, bytes: size, mtimeMs }, format, read);
    if (quality.error !== null) throw new StudioError('bad_input', quality.error);
    return quality;
  }

  /** Maximum number of files that can wait to be checked. */
  get capacity(): number {
    return MAX_WAITING;
  }

  /** Queues a listed file that is not checked yet. @returns whether it was queued */
  queueUnchecked(robot: string, dataset: string, file: ListedFile, read: ReadOptions): boolean {
    if (this.#deps.robot().facts.id !== robot) return false;
    if (this.#known(file, this.#key(read))) return false;
    this.#enqueue({ robot, file, read, dataset });
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    for (const timer of this.#reports.values()) clearTimeout(timer);
  }

  #known(file: ListedFile, key: string): Remembered | null {
    const remembered = this.#deps.index.getIn<Remembered>('qa', file);
    return remembered?.key === key ? remembered : null;
  }

  /** Cached by reading: a page of a listing needs the key a thousand times. */
  #key(read: ReadOptions): string {
    const { physicsPath } = this.#deps.robot();
    if (physicsPath !== this.#keys.robot) this.#keys = { robot: physicsPath, byReading: new Map() };
    const reading = JSON.stringify(read);
    let key = this.#keys.byReading.get(reading);
    if (key === undefined) {
      // The name of a compiled robot's folder identifies its content.
      const robot = path.basename(path.dirname(physicsPath));
      const what = JSON.stringify([resultsKey(this.#deps.settings), robot, reading]);
      key = createHash('sha256').update(what).digest('base64url').slice(0, 16);
      if (this.#keys.byReading.size >= KEPT) this.#keys.byReading.clear();
      this.#keys.byReading.set(reading, key);
    }
    return key;
  }

  #enqueue(waiting: Waiting): void {
    if (this.#closed) return;
    // Last in, first out: the newest request is for the clips that a person looks at now.
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

  async #checkNext({ robot, file, read, dataset }: Waiting): Promise<void> {
    // Another robot was selected; its listings request their own checks.
    if (this.#deps.robot().facts.id !== robot) return;
    try {
      await this.#check(file, file.format.id, read);
      this.#report(dataset);
    } catch (error) {
      this.#failed(error, path.basename(file.path));
    }
  }

  async #check(file: FileIdentity, format: string, read: ReadOptions): Promise<ClipQuality> {
    const { index, settings } = this.#deps;
    const robot = this.#deps.robot();
    const key = this.#key(read);
    const id = `${key} ${file.bytes} ${file.mtimeMs} ${file.path}`;
    const kept = this.#results.get(id);
    if (kept) return kept;
    let running = this.#running.get(id);
    if (!running) {
      running = this.#deps.check(file.path, format, robot, read, settings).finally(() => this.#running.delete(id));
      this.#running.set(id, running);
    }
    const quality = await running;
    index.put('qa', file, { key, findings: findingsOf(quality), problem: problemOf(quality) } satisfies Remembered);
    this.#results.set(id, quality);
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= KEPT) break;
      this.#results.delete(oldest);
    }
    return quality;
  }

  #report(dataset: string): void {
    if (this.#reports.has(dataset) || this.#closed) return;
    const report = () => {
      this.#reports.delete(dataset);
      this.#deps.changed(dataset);
    };
    this.#reports.set(dataset, setTimeout(report, REPORT_MS).unref());
  }

  #failed(error: unknown, file?: string): void {
    if (this.#closed || (error instanceof StudioError && error.code === 'unavailable')) return;
    this.#deps.logger.warn({ err: error }, `checking ${file ?? 'clips'}: ${messageOf(error)}`);
  }
}

/** Returns the text of an error that repairs cannot fix: numbers that are not finite, or too few frames. */
function problemOf({ issues }: ClipQuality): string | null {
  const issue = issues.find(({ kind, severity, fix }) => kind === 'not_finite' && severity === 'error' && fix === null);
  return issue ? issue.text : null;
}

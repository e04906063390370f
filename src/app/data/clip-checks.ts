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

/** Delay before background checks retry while the pool is busy, ms. */
const YIELD_MS = 200;
/** Minimum time between two reports of changed summaries for the same dataset, ms. */
const REPORT_MS = 1000;
/** Maximum number of files that wait for a check. Beyond this limit, the oldest requests are dropped. */
const MAX_WAITING = 4000;
/** Version of the `Remembered` records in the index. Results of another version are discarded and computed again. */
const RECORD = 2;
/** Number of full results kept in memory, so that reopening a clip does not check it again. */
const KEPT = 32;

/** A file as the listing found it. */
interface ListedFile extends FileIdentity {
  readonly folder: string;
  readonly file: string;
  readonly format: { readonly id: string; readonly raw: boolean };
}

/** Result of a file's checks, as stored in the index. */
interface Remembered {
  /** identifies the robot, the thresholds and the read options of the check */
  readonly key: string;
  /** null if the file cannot be checked */
  readonly findings: ClipFindings | null;
  /** why the clip can be neither played nor converted; null if it can, or if the checks did not find the reason */
  readonly problem: string | null;
}

interface Waiting {
  /** id of the robot that the clip belongs to */
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
  /** Returns true if at least one thread of the pool is idle. */
  isIdle(): boolean;
  /** Called when check summaries of a dataset's clips have changed, at most once a second. */
  changed(dataset: string): void;
}

/** Checks clips: the open clip immediately, all others in the background. Background checks handle one file at a time
 *  and only while the pool is idle. The index stores summaries by file, robot and thresholds. This class is part of the
 *  application, not of `checks`, because the time of a check depends on the selected robot and on the load of the
 *  pool. */
export class ClipChecks {
  readonly #deps: ClipChecksDeps;
  readonly #waiting = new Map<string, Waiting>();
  /** running checks; a second request for the same file waits for the running check */
  readonly #running = new Map<string, Promise<ClipQuality>>();
  readonly #results = new Map<string, ClipQuality>();
  /** timers of pending reports, by dataset */
  readonly #reports = new Map<string, NodeJS.Timeout>();
  #keys: { readonly robot: string; readonly byReading: Map<string, string> } = { robot: '', byReading: new Map() };
  #working = false;
  #closed = false;

  constructor(deps: ClipChecksDeps) {
    this.#deps = deps;
  }

  /** Returns the findings of a listed file; null if the file is not checked yet, or cannot be checked.
   *  @param read options that override what the file or its format states */
  findings(robot: string, file: ListedFile, read: ReadOptions): ClipFindings | null {
    if (this.#deps.robot().facts.id !== robot) return null;
    return this.#known(file, this.#key(read))?.findings ?? null;
  }

  /** Returns why a listed file can be neither played nor converted; null if it can, or is not checked yet. */
  problem(robot: string, file: ListedFile, read: ReadOptions): string | null {
    if (this.#deps.robot().facts.id !== robot) return null;
    return this.#known(file, this.#key(read))?.problem ?? null;
  }

  /** Checks one clip without delay. @throws bad_input if its file cannot be checked */
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

  /** Caches the key by read options, because listing one page needs it a thousand times. */
  #key(read: ReadOptions): string {
    const { physicsPath } = this.#deps.robot();
    if (physicsPath !== this.#keys.robot) this.#keys = { robot: physicsPath, byReading: new Map() };
    const reading = JSON.stringify(read);
    let key = this.#keys.byReading.get(reading);
    if (key === undefined) {
      // The name of a compiled robot's folder is a hash of the robot's content.
      const robot = path.basename(path.dirname(physicsPath));
      const what = JSON.stringify([RECORD, resultsKey(this.#deps.settings), robot, reading]);
      key = createHash('sha256').update(what).digest('base64url').slice(0, 16);
      if (this.#keys.byReading.size >= KEPT) this.#keys.byReading.clear();
      this.#keys.byReading.set(reading, key);
    }
    return key;
  }

  #enqueue(waiting: Waiting): void {
    if (this.#closed) return;
    // Process the newest request first, because it is for clips that the user sees now.
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
    // Skip this file: another robot was selected in the meantime, and its listings request their own checks.
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

/** Returns the message of a problem that no repair can fix: the file cannot be read as a clip of the robot, values are
 *  not finite, or there are too few frames. */
function problemOf({ issues, error }: ClipQuality): string | null {
  if (error !== null) return error;
  const issue = issues.find(({ kind, severity, fix }) => kind === 'not_finite' && severity === 'error' && fix === null);
  return issue ? issue.text : null;
}

import path from 'node:path';
import { writeAtomic } from '../core/files/atomic-file.ts';
import type { Job } from '../protocol/schemas/jobs.ts';
import { JobLog } from './job-log.ts';
import { type EndStatus, formatRecord, hasEnded, type JobIdentity, type JobRecord } from './job-record.ts';
import { Pace } from './pace.ts';

export const RECORD_FILE = 'job.json';
export const LOG_FILE = 'output.log';
/** Progress alone is written down this often; a new status at once. */
const PROGRESS_SAVE_MS = 2000;

/** A job in the hands of whoever carries it out. */
export interface JobHandle {
  readonly name: string;
  /** What the API shows of it now. */
  readonly job: Job;
  /** Aborts when the job is asked to stop, or the service ends: then call `finish('stopped')` soon. */
  readonly signal: AbortSignal;
  /** It is no longer queued. `report` says so too. */
  begin(): void;
  /** @param step how many steps are done @param steps of how many, where that has changed */
  report(step: number, steps?: number): void;
  /** Appends to the job's log. */
  log(line: string): void;
  /** It has ended; the first call counts. Settles when that is on the disk.
   *  @param error what a person should know or do; for `done` too, when something went wrong on the way */
  finish(status: EndStatus, error?: string): Promise<void>;
}

/** The clocks of a job, which tests set. */
export interface Clock {
  /** for instants that people read */
  wall(): Date;
  /** seconds that never go back, for rates */
  steady(): number;
}

/** Now as ISO text, not before `since`: clocks are set back. */
export function instantNow(clock: Clock, since: string): string {
  return new Date(Math.max(clock.wall().getTime(), Date.parse(since))).toISOString();
}

export const SYSTEM_CLOCK: Clock = { wall: () => new Date(), steady: () => performance.now() / 1e3 };

export interface LiveJobOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly onChange: () => void;
  /** what could not be written down */
  readonly onError: (error: unknown) => void;
}

/** A job that has not ended, whoever carries it out. */
export interface RunningJob {
  /** What the API shows of it now. */
  readonly job: Job;
  /** Settles when its end is written down. */
  readonly ended: Promise<void>;
  /** Asks it to stop; nothing to do for one that is stopping or has ended. */
  stop(): void;
  /** Settles when all lines of its log are in the file. */
  flushLog(): Promise<void>;
}

/** A job that this process carries out, until its end is written down. */
export class LiveJob implements JobHandle, RunningJob {
  readonly #options: LiveJobOptions;
  readonly #identity: JobIdentity;
  readonly #log: JobLog;
  readonly #abort = new AbortController();
  readonly ended: Promise<void>;
  #tellEnded: () => void = () => {};
  #job: Job;
  #pace: Pace | null = null;
  #saving: Promise<void> | null = null;
  #saveAgain = false;
  #timer: NodeJS.Timeout | null = null;
  #finishing: Promise<void> | null = null;
  /** set when the service ends: what a job that is stopped by that tells */
  #serviceEnds: string | null = null;

  /** @param record on the disk already */
  constructor(record: JobRecord, options: LiveJobOptions) {
    this.#options = options;
    this.#identity = record.identity;
    this.#job = record.job;
    this.#log = new JobLog(path.join(options.folder, LOG_FILE), options.onError);
    this.ended = new Promise((resolve) => {
      this.#tellEnded = resolve;
    });
  }

  get name(): string {
    return this.#job.name;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get job(): Job {
    const job = this.#job;
    if (!this.#pace || hasEnded(job.status)) return job;
    const now = this.#options.clock.steady();
    return {
      ...job,
      rate: this.#pace.rate(now),
      eta: job.steps === null ? null : this.#pace.eta(job.steps, now),
    };
  }

  begin(): void {
    if (this.#job.status !== 'queued') return;
    this.#start();
    this.#changed({ status: 'running' });
  }

  report(step: number, steps: number | null = this.#job.steps): void {
    const { status } = this.#job;
    if (hasEnded(status)) return;
    if (status === 'queued') this.begin();
    else if (!this.#pace) this.#start();
    this.#pace?.report(step, this.#options.clock.steady());
    const done = Math.max(step, this.#job.step ?? 0);
    const progress = steps === null || steps === 0 ? null : Math.min(1, done / steps);
    this.#job = { ...this.#job, step: done, steps, progress };
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#save();
    }, PROGRESS_SAVE_MS).unref();
    this.#options.onChange();
  }

  log(line: string): void {
    this.#log.line(line);
  }

  /** Asks it to stop; nothing to do for one that is stopping or has ended. */
  stop(): void {
    if (this.#job.status !== 'queued' && this.#job.status !== 'running') return;
    this.#changed({ status: 'stopping' });
    this.#abort.abort();
  }

  /** The service ends: the job is stopped, and tells `hint`. */
  endWithService(hint: string): void {
    this.#serviceEnds = hint;
    this.stop();
  }

  finish(status: EndStatus, error?: string): Promise<void> {
    // Why a job was stopped matters more than how far it had come, which its log says.
    const told =
      status === 'stopped' ? (this.#serviceEnds ?? error) : (error ?? (status === 'lost' ? this.#serviceEnds : null));
    this.#finishing ??= this.#finish(status, told ?? null);
    return this.#finishing;
  }

  /** Settles when all logged lines are in the file. */
  flushLog(): Promise<void> {
    return this.#log.flush();
  }

  async #finish(status: EndStatus, error: string | null): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const job = this.#job;
    const { clock } = this.#options;
    this.#changed({
      status,
      error,
      ended: instantNow(clock, job.started ?? job.created),
      eta: null,
      rate: this.#pace?.mean(clock.steady()) ?? null,
      progress: status === 'done' && !job.steps ? 1 : job.progress,
    });
    await this.#log.close();
    while (this.#saving) await this.#saving;
    this.#tellEnded();
  }

  #start(): void {
    const { clock } = this.#options;
    this.#job = { ...this.#job, started: instantNow(clock, this.#job.created) };
    this.#pace = new Pace(clock.steady());
  }

  #changed(news: Partial<Job>): void {
    this.#job = { ...this.#job, ...news };
    this.#save();
    this.#options.onChange();
  }

  #save(): void {
    if (this.#saving) this.#saveAgain = true;
    else this.#saving = this.#write();
  }

  /** One write at a time, the last state always. Never rejects. */
  async #write(): Promise<void> {
    try {
      do {
        this.#saveAgain = false;
        const record = formatRecord({ job: this.job, identity: this.#identity });
        await writeAtomic(path.join(this.#options.folder, RECORD_FILE), record);
      } while (this.#saveAgain);
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#saving = null;
    }
  }
}

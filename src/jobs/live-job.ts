import path from 'node:path';
import { writeAtomic } from '../core/files/atomic-file.ts';
import type { Job } from '../protocol/schemas/jobs.ts';
import { JobLog } from './job-log.ts';
import { type EndStatus, formatRecord, hasEnded, type JobIdentity, type JobRecord } from './job-record.ts';
import { Pace } from './pace.ts';

export const RECORD_FILE = 'job.json';
export const LOG_FILE = 'output.log';
/** Interval at which progress is saved; a new status is saved at once. */
const PROGRESS_SAVE_MS = 2000;

/** Interface of a job for the code that does its work. */
export interface JobHandle {
  readonly name: string;
  /** the job as the API shows it */
  readonly job: Job;
  /** Aborts when the job is asked to stop, or the service ends. Then call `finish('stopped')` soon. */
  readonly signal: AbortSignal;
  /** Marks the job as running. `report` also does this. */
  begin(): void;
  /** @param step number of steps done @param steps new total, if it has changed */
  report(step: number, steps?: number): void;
  /** Appends to the job's log. */
  log(line: string): void;
  /** Ends the job. Only the first call has an effect. Settles when the end is on disk. @param error message for the
   *  user; may also be given with `done` if part of the work failed */
  finish(status: EndStatus, error?: string): Promise<void>;
}

/** The clocks of a job; tests replace them. */
export interface Clock {
  /** wall clock */
  wall(): Date;
  /** monotonic clock, s */
  steady(): number;
}

/** Returns the current time as ISO text, but never before `since`, because clocks can be set back. */
export function instantNow(clock: Clock, since: string): string {
  return new Date(Math.max(clock.wall().getTime(), Date.parse(since))).toISOString();
}

export const SYSTEM_CLOCK: Clock = { wall: () => new Date(), steady: () => performance.now() / 1e3 };

export interface LiveJobOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly onChange: () => void;
  /** called if the record cannot be written */
  readonly onError: (error: unknown) => void;
}

/** A job that has not ended, run by this process or detached. */
export interface RunningJob {
  /** The job as the API shows it. */
  readonly job: Job;
  /** Settles when the end of the job is on disk. */
  readonly ended: Promise<void>;
  /** Asks the job to stop; does nothing if it is stopping or has ended. */
  stop(): void;
  /** Settles when all logged lines are in the file. */
  flushLog(): Promise<void>;
}

/** A job that this process runs, until its end is on disk. */
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
  /** set when the service ends: the error of the job */
  #serviceEnds: string | null = null;

  /** @param record already on disk */
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

  /** Asks the job to stop; does nothing if it is stopping or has ended. */
  stop(): void {
    if (this.#job.status !== 'queued' && this.#job.status !== 'running') return;
    this.#changed({ status: 'stopping' });
    this.#abort.abort();
  }

  /** Stops the job because the service ends; `hint` becomes its error. */
  endWithService(hint: string): void {
    this.#serviceEnds = hint;
    this.stop();
  }

  finish(status: EndStatus, error?: string): Promise<void> {
    // A stopped job reports the reason of the stop instead of its progress, which is in its log.
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

  /** Writes the states of the job one after another. The last state is always written. Never rejects. */
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

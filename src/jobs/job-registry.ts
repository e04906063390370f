import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { appendFile, lstat, mkdir, rm, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { badInput, StudioError } from '../core/errors.ts';
import { createFolderAtomic, writeAtomic, writeAtomicSync } from '../core/files/atomic-file.ts';
import { quoteName } from '../core/files/names.ts';
import { IrregularFileError, openRegularFile } from '../core/files/read-regular-file.ts';
import { Mutex } from '../core/mutex.ts';
import { didYouMean } from '../core/nearest.ts';
import type { Job } from '../protocol/schemas/jobs.ts';
import { DetachedQueue } from './detached/detached-queue.ts';
import type { Launcher, LaunchOrder } from './detached/launcher.ts';
import { ORDER_FILE, OrderSeal } from './detached/sealed-order.ts';
import { readRecords } from './job-folders.ts';
import {
  formatRecord,
  hasEnded,
  type JobIdentity,
  type JobRecord,
  type JobSpec,
  nameStem,
  newRecord,
} from './job-record.ts';
import {
  type Clock,
  instantNow,
  type JobHandle,
  LiveJob,
  LOG_FILE,
  RECORD_FILE,
  type RunningJob,
  SYSTEM_CLOCK,
} from './live-job.ts';
import { tailLines } from './log-tail.ts';

/** A change of a job, or the name of a job that was removed. */
export type JobChange = { readonly job: Job } | { readonly forgotten: string };

export interface JobRegistryOptions {
  /** `<workspace>/jobs`, which exists */
  readonly folder: string;
  /** Returns advice on how to continue, for a job that ended together with the service. */
  readonly interrupted: (job: Job) => string;
  /** Called if a record cannot be written, and for bugs in the work of a job. */
  readonly onError: (message: string, error: unknown) => void;
  /** Called at the start for every job that had not ended when the service ended. */
  readonly onFound?: (job: Job) => void;
  readonly clock?: Clock;
  /** Launchers of detached jobs, by name. The job of a missing launcher is `lost`. */
  readonly launchers?: ReadonlyMap<string, Launcher>;
  /** Proves that a service of this user wrote the orders of queued jobs. The default seal is valid only for this
   *  process: jobs that are still queued when it ends are lost. */
  readonly seal?: OrderSeal;
  /** Returns the path of the run for the folder that a trainer prints; null for a folder outside of the workspace. */
  readonly runOf?: (folder: string) => string | null;
}

/** Creates the order of a job. Write files to `unseen`, which is renamed to `folder` afterwards. The order may refer to
 *  `folder`. */
export type PrepareLaunch = (place: { readonly folder: string; readonly unseen: string }) => Promise<LaunchOrder>;

/** Number of newest job names that are compared with an unknown name, for suggestions. */
const COMPARED = 500;
/** File permissions: readable only by the owner, because orders may contain keys of other services. */
const PRIVATE = 0o600;
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY;
/** Time that running jobs have to end when the service ends, ms. */
const CLOSE_MS = 800;

interface Entry {
  /** set for a job that has ended */
  job: Job | null;
  readonly identity: JobIdentity;
  /** set while the job has not ended */
  live: RunningJob | null;
}

/** All jobs, running and past. Each job has a folder with `job.json` and `output.log`. The list in memory mirrors the
 *  disk. */
export class JobRegistry {
  readonly #options: JobRegistryOptions;
  readonly #clock: Clock;
  /** jobs by name, oldest first */
  readonly #entries = new Map<string, Entry>();
  /** last number that was used, by prefix of names */
  readonly #numbers = new Map<string, number>();
  readonly #listeners = new Set<(change: JobChange) => void>();
  readonly #queues = new Mutex();
  readonly #detached: DetachedQueue;
  readonly #seal: OrderSeal;
  #sequence = 0;
  #closing = false;

  private constructor(options: JobRegistryOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#seal = options.seal ?? new OrderSeal(randomBytes(32));
    this.#detached = new DetachedQueue({
      seal: this.#seal,
      launchers: options.launchers ?? new Map(),
      clock: this.#clock,
      runOf: options.runOf ?? (() => null),
      folder: (name) => this.#folder(name),
      onChange: (job) => this.#tell({ job }),
      onError: (name, error) => options.onError(`job ${name}`, error),
    });
  }

  /** Reads the folder of jobs. A job of the service itself that had not ended when the service ended becomes `lost`. */
  static open(options: JobRegistryOptions): JobRegistry {
    const registry = new JobRegistry(options);
    const warn = (name: string, error: unknown) => options.onError(`the record of job ${name} is damaged`, error);
    for (const record of readRecords(options.folder, warn)) registry.#adopt(record);
    registry.#detached.pump();
    return registry;
  }

  /** Creates a queued job. Its folder exists when this settles. @throws unavailable when the service ends, disk_full */
  async create(spec: JobSpec): Promise<JobHandle> {
    return this.#carryOut((await this.#makeFolder(spec, async () => {})).record);
  }

  /** Creates a job that runs without this service, and starts it when its launcher has a free slot.
   *  @param prepare the order, or a function that makes the order and further files of the job's folder
   *  @returns the name of the job
   *  @throws unavailable when the service ends, disk_full, bad_input for an unknown launcher, what `prepare` throws;
   *  the job is then not created */
  async launch(spec: JobSpec & { readonly launcher: string }, prepare: LaunchOrder | PrepareLaunch): Promise<string> {
    this.#detached.launcher(spec.launcher);
    const { record, made: order } = await this.#makeFolder(spec, async (place, { uuid }) => {
      const order = typeof prepare === 'function' ? await prepare(place) : prepare;
      const owner = { folder: place.folder, uuid, launcher: spec.launcher };
      const text = this.#seal.format(order, owner, place.unseen);
      await writeAtomic(path.join(place.unseen, ORDER_FILE), text, PRIVATE);
      return order;
    });
    this.#follow(record.identity, this.#detached.add(record, order));
    this.#detached.pump();
    return record.job.name;
  }

  /** Creates the folder of a new job with its record, an empty log and the files that `fill` writes. */
  async #makeFolder<T>(
    spec: JobSpec,
    fill: (place: { readonly folder: string; readonly unseen: string }, identity: JobIdentity) => Promise<T>,
  ): Promise<{ readonly record: JobRecord; readonly made: T }> {
    const stem = nameStem(spec);
    for (;;) {
      if (this.#closing) throw new StudioError('unavailable', 'the service is shutting down');
      const number = (this.#numbers.get(stem) ?? 0) + 1;
      this.#numbers.set(stem, number);
      const name = `${stem}-${number}`;
      this.#sequence += 1;
      const record = newRecord(name, spec, this.#sequence, this.#clock.wall());
      const folder = this.#folder(name);
      if (await isTaken(folder)) continue; // A folder of this name already exists, for example made by hand: use the next number.
      try {
        await mkdir(this.#options.folder).catch(ignoreExisting);
        let made: { readonly of: T } | null = null;
        await createFolderAtomic(folder, async (unseen) => {
          await appendFile(path.join(unseen, LOG_FILE), '');
          made = { of: await fill({ folder, unseen }, record.identity) };
          await writeAtomic(path.join(unseen, RECORD_FILE), formatRecord(record));
        });
        return { record, made: made!.of };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOTEMPTY' || code === 'EEXIST') continue; // The name was taken in the meantime.
        throw error;
      }
    }
  }

  /** Creates a job and runs `work` in the background. If `work` settles without `finish`, the job is `done`, or
   *  `stopped` if it was asked to stop; an error makes it `failed`.
   *  @param queue jobs of one queue run one after another; a job that is stopped while it waits never begins
   *  @returns the job's name */
  async run(spec: JobSpec, work: (job: JobHandle) => Promise<void>, queue?: string): Promise<string> {
    const creating = this.create(spec);
    const begin = async (job: JobHandle) => {
      if (job.signal.aborted) return;
      job.begin();
      await work(job);
    };
    // Jobs enter the queue in the order of the calls, regardless of how long creating their folders takes.
    let come: () => void = () => {};
    const turn = new Promise<void>((resolve) => {
      come = resolve;
    });
    const queued =
      queue === undefined
        ? null
        : this.#queues.run(async () => {
            const next = await creating;
            come();
            await begin(next);
          }, queue);
    queued?.catch(() => {}); // the error is reported below, or by `creating`
    const job = await creating;
    const carry = async () => {
      if (queued === null) return begin(job);
      await untilAborted(turn, job.signal);
      return queued;
    };
    carry().then(
      () => job.finish(job.signal.aborted ? 'stopped' : 'done'),
      (error: unknown) => {
        if (job.signal.aborted && error instanceof Error && error.name === 'AbortError') return job.finish('stopped');
        if (error instanceof StudioError) return job.finish('failed', error.message);
        this.#options.onError(`job ${job.name} failed because of a bug`, error);
        return job.finish('failed', 'internal error: see the service log');
      },
    );
    return job.name;
  }

  /** Returns all jobs, newest first. */
  list(): Job[] {
    return [...this.#entries.values()].reverse().map(jobOf);
  }

  /** Returns the jobs that have not ended, newest first. */
  active(): Job[] {
    return this.list().filter(({ status }) => !hasEnded(status));
  }

  /** @throws bad_input for an unknown name */
  get(name: string, field = 'name'): Job {
    return jobOf(this.#entry(name, field));
  }

  /** Returns the last `lines` lines of a job's log, oldest first. @throws bad_input for an unknown name */
  async tail(name: string, lines: number): Promise<string[]> {
    await this.#entry(name).live?.flushLog();
    return tailLines(path.join(this.#folder(name), LOG_FILE), lines);
  }

  /** Returns the path of a job's log after writing all pending lines. @throws bad_input for an unknown name */
  async logFile(name: string): Promise<string> {
    await this.#entry(name).live?.flushLog();
    const file = path.join(this.#folder(name), LOG_FILE);
    try {
      // The log may be missing although the record exists.
      await (await openRegularFile(file, {}, APPEND)).close();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR')
        throw badInput(`name: the log of job ${quoteName(name)} is missing: its folder was removed`);
      if (!(error instanceof IrregularFileError)) throw error;
      throw badInput(`name: the log of job ${quoteName(name)} ${error.message}`);
    }
    return file;
  }

  /** Asks a job to stop. Does nothing for a job that has ended. @throws bad_input for an unknown name */
  stop(name: string): void {
    this.#entry(name).live?.stop();
  }

  /** Removes record and log of a job, but not its results. Waits for a job that is stopping.
   *  @throws bad_input for an unknown name, conflict for a job that is queued or running */
  async forget(name: string, signal?: AbortSignal): Promise<void> {
    const entry = this.#entry(name);
    const { status } = jobOf(entry);
    if (status === 'queued' || status === 'running')
      throw new StudioError('conflict', `the job ${quoteName(name)} is ${status}. Stop it first.`);
    if (entry.live) await untilAborted(entry.live.ended, signal);
    const folder = this.#folder(name);
    // Delete the record first, because a folder without a record is not a job.
    await unlink(path.join(folder, RECORD_FILE)).catch(ignoreMissing);
    await rm(folder, { recursive: true, force: true });
    if (this.#entries.delete(name)) this.#tell({ forgotten: name });
  }

  /** Calls the listener at every change. The rate is not limited: progress may change thousands of times per second.
   *  @returns a function that removes the listener */
  onChange(listener: (change: JobChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops the service's own jobs and waits up to `CLOSE_MS`. Jobs that have not ended by then are recorded as
   *  `lost`. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([this.#detached.close(), this.#endLiveJobs()]);
  }

  async #endLiveJobs(): Promise<void> {
    const live = [...this.#entries.values()].flatMap(({ live }) => (live instanceof LiveJob ? live : []));
    if (live.length === 0) return;
    for (const job of live) job.endWithService(this.#options.interrupted(job.job));
    const timeout = new AbortController();
    const ended = Promise.all(live.map((job) => job.ended));
    await Promise.race([ended, sleep(CLOSE_MS, undefined, { signal: timeout.signal }).catch(() => {})]);
    timeout.abort();
    await Promise.all(live.map((job) => job.finish('lost')));
  }

  #adopt({ job, identity }: JobRecord): void {
    this.#sequence = Math.max(this.#sequence, identity.sequence);
    const [, stem = '', number = '0'] = /^(.*)-(\d{1,9})$/.exec(job.name) ?? [];
    if (Number(number) > (this.#numbers.get(stem) ?? 0)) this.#numbers.set(stem, Number(number));
    const keep = (ended: Job) => this.#entries.set(job.name, { job: ended, identity, live: null });
    if (hasEnded(job.status)) {
      keep(job);
      return;
    }
    const detached = this.#detached.adopt({ job, identity });
    if (detached && !('lost' in detached)) this.#follow(identity, detached);
    else keep(this.#lose(job, identity, detached?.lost ?? this.#options.interrupted(job)));
    this.#options.onFound?.(this.get(job.name));
  }

  #lose(job: Job, identity: JobIdentity, error: string): Job {
    const ended = instantNow(this.#clock, job.started ?? job.created);
    const lost: Job = { ...job, status: 'lost', ended, eta: null, error };
    try {
      writeAtomicSync(path.join(this.#folder(job.name), RECORD_FILE), formatRecord({ job: lost, identity }));
    } catch (error) {
      this.#options.onError(`the record of job ${job.name} could not be written`, error);
    }
    return lost;
  }

  #carryOut(record: JobRecord): JobHandle {
    const { name } = record.job;
    const live = new LiveJob(record, {
      folder: this.#folder(name),
      clock: this.#clock,
      onChange: () => this.#tell({ job: live.job }),
      onError: (error) => this.#options.onError(`the record of job ${name} could not be written`, error),
    });
    this.#follow(record.identity, live);
    // The service may have begun to end in the meantime.
    if (this.#closing) live.endWithService(this.#options.interrupted(live.job));
    return live;
  }

  /** Keeps a job in the list of running jobs until it ends. */
  #follow(identity: JobIdentity, live: RunningJob): void {
    const entry: Entry = { job: null, identity, live };
    this.#entries.set(live.job.name, entry);
    live.ended.then(() => {
      entry.job = live.job;
      entry.live = null;
    });
    this.#tell({ job: live.job });
  }

  #entry(name: string, field = 'name'): Entry {
    const entry = this.#entries.get(name);
    if (entry) return entry;
    const hint = didYouMean(name, [...this.#entries.keys()].slice(-COMPARED).reverse()) ?? 'GET /api/jobs lists all';
    throw badInput(`${field}: unknown job ${quoteName(name)}; ${hint}`);
  }

  #folder(name: string): string {
    return path.join(this.#options.folder, name);
  }

  #tell(change: JobChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function jobOf(entry: Entry): Job {
  return entry.live?.job ?? entry.job!;
}

async function isTaken(folder: string): Promise<boolean> {
  return lstat(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** @throws AbortError */
async function untilAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

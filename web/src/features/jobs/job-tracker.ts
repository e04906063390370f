import { computed, signal } from '@preact/signals';
import type { EventPayloads } from '../../../../src/protocol/events.ts';
import type { Job } from '../../../../src/protocol/schemas/jobs.ts';
import type { call } from '../../net/api.ts';
import { count } from '../../ui/format.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { toast } from '../../ui/toasts.ts';
import { afterEvent, isLive } from './shared/job-list.ts';

export interface JobsDeps {
  readonly call: typeof call;
  readonly toast: typeof toast;
  /** shows an error to the user */
  readonly failed: (what: string, error: unknown) => void;
  /** fills the form of the area Train so that it continues a run */
  readonly resume: (run: string) => void;
  /** shows a notification of the operating system when a job ends while the page is hidden */
  readonly notice: (title: string, text: string) => void;
}

interface JobLog {
  readonly job: string;
  readonly lines: readonly string[];
  readonly loading: boolean;
  readonly error: string | null;
}

/** Maximum number of log lines that the page keeps. */
const LOG_TAIL = 2000;
/** Minimum time between two reads of the shown log, ms. */
const LOG_EVERY_MS = 400;
/** Stopping a job that has run for longer than this must be confirmed, ms. */
const ASK_AFTER_MS = 60_000;

/** The jobs that the service keeps, and the log of one of them. */
export class JobTracker {
  readonly #deps: JobsDeps;
  /** All jobs, newest first. */
  readonly jobs = signal<readonly Job[]>([]);
  /** Error of the last read of the jobs; null after a success. */
  readonly jobsError = signal<string | null>(null);
  readonly liveJobs = computed(() => this.jobs.value.filter(isLive));
  /** Name of the job whose log is shown; null if no log is shown. */
  readonly shownJob = signal<string | null>(null);
  readonly jobLog = signal<JobLog | null>(null);
  /** Name of the job whose stop must be confirmed in a dialog; null: none. */
  readonly stopAsked = signal<string | null>(null);
  /** Name of the ended job whose removal must be confirmed in a dialog; null: none. */
  readonly forgetAsked = signal<string | null>(null);
  /** Names of the live jobs that this page has started. */
  readonly #own = new Set<string>();
  readonly #waiting = new Map<string, ((job: Job) => void)[]>();
  /** For each read of the list that is in progress, the events that arrived since it began. */
  readonly #reads = new Set<EventPayloads['jobs'][]>();
  #openLog: (name: string) => void = () => {};
  #playRun: (run: string) => void = () => {};
  #logTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(deps: JobsDeps) {
    this.#deps = deps;
  }

  /** Registers the function that opens the log of a job. The buttons of toasts call this function. */
  readonly onOpenLog = (open: (name: string) => void): void => {
    this.#openLog = open;
  };

  /** Registers the function that plays the newest checkpoint of a run. The toast of a finished training calls it. */
  readonly onPlayRun = (play: (run: string) => void): void => {
    this.#playRun = play;
  };

  readonly refreshJobs = async (): Promise<void> => {
    const events: EventPayloads['jobs'][] = [];
    this.#reads.add(events);
    try {
      const reply = await this.#deps.call('GET /api/jobs');
      // The service may have written the reply before these events, and it reports the end of a job only once.
      this.jobs.value = events.reduce(afterEvent, reply.jobs);
      this.jobsError.value = null;
      for (const job of this.jobs.peek()) this.#announceEnd(job);
    } catch (error) {
      this.jobsError.value = messageOf(error);
    } finally {
      this.#reads.delete(events);
    }
  };

  /** Updates the list with the payload of a `jobs` event. */
  readonly takeJobs = (payload: EventPayloads['jobs']): void => {
    for (const events of this.#reads) events.push(payload);
    this.jobs.value = afterEvent(this.jobs.peek(), payload);
    if ('forgotten' in payload) {
      this.#own.delete(payload.forgotten);
      if (this.shownJob.peek() === payload.forgotten) this.showJob(null);
      return;
    }
    for (const job of payload.jobs) {
      this.#announceEnd(job);
      if (job.name === this.shownJob.peek()) this.#readLogSoon();
    }
  };

  /** Marks a job as started by this page: a toast reports its end. */
  readonly ownJob = (name: string): void => {
    this.#own.add(name);
    const known = this.jobs.peek().find((job) => job.name === name);
    if (known === undefined) void this.refreshJobs();
    else this.#announceEnd(known); // Check the end at once, because the job may have ended before the reply with its name arrived.
  };

  /** Resolves with the job once it has ended. */
  readonly jobEnd = (name: string): Promise<Job> => {
    const known = this.jobs.peek().find((job) => job.name === name);
    if (known !== undefined && !isLive(known)) return Promise.resolve(known);
    return new Promise((resolve) => this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), resolve]));
  };

  #announceEnd(job: Job): void {
    if (isLive(job)) return;
    for (const resolve of this.#waiting.get(job.name) ?? []) resolve(job);
    this.#waiting.delete(job.name);
    if (this.#own.delete(job.name)) this.#toastEnd(job);
  }

  #toastEnd(job: Job): void {
    const { toast, notice } = this.#deps;
    const { run } = job;
    notice(`${job.name}: ${job.status}`, job.error ?? job.run ?? '');
    const log = { label: 'Show log', run: () => this.#openLog(job.name) };
    const of = job.dataset === null ? '' : ` of ${job.dataset}`;
    if (job.status === 'done' && job.error !== null) {
      toast('error', job.kind === 'convert' ? `Conversion${of} finished with errors` : job.name, job.error, log);
    } else if (job.status === 'done' && job.kind === 'train' && run !== null) {
      toast('ok', `${job.name} is done`, '', { label: 'Play', run: () => this.#playRun(run) });
    } else if (job.status === 'done') {
      const clips = job.kind === 'convert' && job.steps !== null;
      toast('ok', clips ? `${count(job.steps ?? 0, 'clip')}${of} converted` : `${job.name} is done`);
    } else if (job.status === 'stopped') {
      const resume = { label: 'Resume', run: () => this.#deps.resume(run ?? '') };
      const canResume = job.kind === 'train' && run !== null;
      toast('info', `${job.name} was stopped`, job.error ?? '', canResume ? resume : log);
    } else toast('error', `${job.name} ${job.status === 'lost' ? 'was lost' : 'failed'}`, job.error ?? '', log);
  }

  /** Shows the log of a job and keeps it up to date. @param name null hides the log */
  readonly showJob = (name: string | null): void => {
    this.shownJob.value = name;
    this.jobLog.value = name === null ? null : { job: name, lines: [], loading: true, error: null };
    if (name !== null) void this.#readLog(name);
  };

  #readLogSoon(): void {
    this.#logTimer ??= setTimeout(() => {
      this.#logTimer = null;
      const name = this.shownJob.peek();
      if (name !== null) void this.#readLog(name);
    }, LOG_EVERY_MS);
  }

  async #readLog(name: string): Promise<void> {
    try {
      const { log } = await this.#deps.call('GET /api/jobs/{name}', { params: { name }, query: { tail: LOG_TAIL } });
      if (this.shownJob.peek() === name) this.jobLog.value = { job: name, lines: log, loading: false, error: null };
    } catch (error) {
      const before = this.jobLog.peek();
      if (before?.job === name) this.jobLog.value = { ...before, loading: false, error: messageOf(error) };
    }
  }

  /** Stops a job. If the job has run for more than a minute, the user is asked to confirm first. */
  readonly stopJob = async (name: string): Promise<void> => {
    const started = this.jobs.peek().find((job) => job.name === name)?.started ?? null;
    if (started !== null && Date.now() - Date.parse(started) > ASK_AFTER_MS) this.stopAsked.value = name;
    else await this.confirmStop(name);
  };

  /** Stops a job without asking. */
  readonly confirmStop = async (name: string): Promise<void> => {
    try {
      await this.#deps.call('POST /api/jobs/{name}/stop', { params: { name } });
    } catch (error) {
      this.#deps.failed(`${name} could not be stopped`, error);
    }
  };

  /** Asks the user whether an ended job is removed: its log is lost. */
  readonly forgetJob = (name: string): void => {
    this.forgetAsked.value = name;
  };

  /** Removes an ended job with its log, without asking. @throws Error with the service's message */
  readonly confirmForget = async (name: string): Promise<void> => {
    await this.#deps.call('DELETE /api/jobs/{name}', { params: { name } });
  };
}

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, StudioError } from '../../core/errors.ts';
import { writeAtomic } from '../../core/files/atomic-file.ts';
import { bootId, startOf } from '../../core/files/pid-lock.ts';
import type { Job } from '../../protocol/schemas/jobs.ts';
import { type EndStatus, formatRecord, hasEnded, isRunPath, type JobIdentity, type JobRecord } from '../job-record.ts';
import { type Clock, instantNow, RECORD_FILE, type RunningJob } from '../live-job.ts';
import { mostSteps, secondsAfter, secondsLeft } from '../longest-course.ts';
import { Pace } from '../pace.ts';
import { failureLine } from './failure-line.ts';
import { type JobPlace, jobPlace } from './job-place.ts';
import { type Launcher, type LaunchOrder, type Sighting, UnreachableError } from './launcher.ts';
import { ORDER_FILE } from './sealed-order.ts';
import { TrainingLog, type TrainingProgress } from './training-log.ts';

/** Times after a stop request at which the signal is sent again, s. A signal can be lost while a process starts. */
const STOP_AGAIN_S = [0.3, 1, 3, 6, 10];
const PROGRESS_SAVE_S = 2;
/** Longest wait of an ending service for a start of processes, ms. Slurm may take longer to answer. */
const LAUNCH_MS = 2000;
/** A training that writes no output for this time raises an alarm, s. */
const SILENCE_S = 300;
/** From this iteration on, episodes of only a few steps mean that the policy does not learn. */
const SHORT_AFTER = 50;
const SHORT_STEPS = 5;
const NOT_SAVED = `${RECORD_FILE} could not be written, so the job was not started. Free space on the disk, then launch it again.`;

export interface DetachedJobOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly launcher: Launcher;
  /** null for a job that was already started and whose order on disk is not valid */
  readonly order: LaunchOrder | null;
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
  /** Returns the path of the run for the folder that a trainer prints; null if that folder is outside of the
   *  workspace. */
  readonly runOf: (folder: string) => string | null;
}

/** A job whose processes outlive this service. A launcher starts it, its state is observed from outside, and its folder
 *  identifies it after a restart. */
export class DetachedJob implements RunningJob {
  readonly ended: Promise<void>;
  readonly #options: DetachedJobOptions;
  readonly #place: JobPlace;
  readonly #log: TrainingLog;
  #tellEnded: () => void = () => {};
  #identity: JobIdentity;
  #job: Job;
  #pace: Pace | null = null;
  #timer: NodeJS.Timeout | null = null;
  #launching: Promise<void> = Promise.resolve();
  #looking: Promise<void> | null = null;
  #saving: Promise<boolean> = Promise.resolve(true);
  #savedAt = 0;
  #savedStep: number | null = null;
  #stopAsked: number | null = null;
  #stopsSent = 0;
  #over = false;

  /** @param record already on disk */
  constructor(record: JobRecord, options: DetachedJobOptions) {
    const { folder } = options;
    this.#options = options;
    this.#identity = record.identity;
    this.#job = record.job;
    this.#savedStep = record.job.step;
    this.#place = jobPlace(folder, record.identity.uuid);
    this.#log = new TrainingLog(this.#place.log);
    this.ended = new Promise((resolve) => {
      this.#tellEnded = resolve;
    });
    if (record.job.status === 'stopping') this.#stopAsked = options.clock.steady();
  }

  get job(): Job {
    const job = this.#job;
    if (!this.#pace || hasEnded(job.status)) return job;
    const { clock } = this.#options;
    const now = clock.steady();
    const most = mostSteps(job);
    const left = most === null ? null : this.#pace.eta(most, now);
    const after = secondsAfter(job);
    // After the last step, the evaluations have run since then.
    const all = left === null ? null : left > 0 ? left + after : Math.max(0, this.#pace.at + after - now);
    const eta = all === null ? null : Math.min(all, secondsLeft(job, instantNow(clock, job.created)));
    // An estimate that has passed says nothing.
    return { ...job, rate: this.#pace.rate(now), eta: eta !== null && after > 0 && eta <= 0 ? null : eta };
  }

  get launcher(): Launcher {
    return this.#options.launcher;
  }

  /** Returns true if processes of the job were started, or may have been. */
  get wasStarted(): boolean {
    return this.#identity.submitted === true || this.#job.started !== null;
  }

  /** Starts the job's processes. Never rejects: a job that cannot be started becomes `failed`. */
  launch(): Promise<void> {
    const { order } = this.#options;
    if (!this.#over && !this.wasStarted && order !== null) this.#launching = this.#launch(order);
    return this.#launching;
  }

  async #launch(order: LaunchOrder): Promise<void> {
    this.#identity = { ...this.#identity, submitted: true };
    if (!this.#options.launcher.queues)
      this.#set({ status: 'running', started: instantNow(this.#options.clock, this.#job.created) });
    // Save the record first. If the service is killed during the launch, the record then says that processes may exist.
    if (!(await this.#save())) {
      // After a restart the job would start a second time beside these processes.
      this.#identity = { ...this.#identity, submitted: false };
      this.#set({ started: null });
      await this.#finish('failed', NOT_SAVED);
      return;
    }
    try {
      await this.#options.launcher.start(this.#place, order);
    } catch (error) {
      // The launcher may have accepted the job although its answer did not arrive.
      if (error instanceof UnreachableError) {
        this.#set({ error: error.message });
        this.watch();
        return;
      }
      if (!(error instanceof StudioError)) this.#options.onError(error);
      await this.#finish('failed', error instanceof StudioError ? error.message : messageOf(error));
      return;
    }
    this.watch();
  }

  /** Starts to observe the job's processes: immediately, then at the launcher's interval. */
  watch(): void {
    if (this.#over || this.#timer) return;
    if (!this.wasStarted) {
      // The service ended after the request to stop the job and before the end of the job.
      this.#finish('stopped', null);
      return;
    }
    const period = this.#options.launcher.periodS * 1e3;
    const look = () => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
    };
    this.#timer = setInterval(look, period);
    this.#timer.unref();
    look();
  }

  stop(): void {
    const { status } = this.#job;
    if (this.#over || (status !== 'queued' && status !== 'running')) return;
    this.#stopAsked = this.#options.clock.steady();
    this.#set({ status: 'stopping' });
    this.#save();
    if (this.wasStarted) this.#sendStop(false);
    else this.#finish('stopped', null);
  }

  /** Stops observing because the service ends. The job continues. If its processes are being started, waits for them:
   *  otherwise, the next service would find a job without a process. */
  async endWithService(): Promise<void> {
    const limit = new AbortController();
    const late = sleep(LAUNCH_MS, undefined, { signal: limit.signal }).catch(() => {});
    await Promise.race([this.#launching, late]);
    limit.abort();
    const goesOn = !this.#over;
    this.#over = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.#looking;
    // Progress is saved at intervals, so the latest value may not be on disk yet.
    if (goesOn && this.#savedStep !== this.#job.step) this.#save();
    await this.#saving;
  }

  async flushLog(): Promise<void> {} // The processes write the log themselves.

  /** Checks the job's processes once. */
  async #look(): Promise<void> {
    try {
      const sighting = await this.#options.launcher.look(this.#place);
      await this.#readProgress();
      if (this.#over) return;
      await this.#see(sighting);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #see(sighting: Sighting): Promise<void> {
    switch (sighting.state) {
      case 'queued':
      case 'running':
      case 'unknown': {
        // The stop file keeps the job from starting later. Without this end, a job that never reached the launcher
        // would wait for it forever.
        if (sighting.state === 'unknown' && this.#job.started === null && this.#isGraceOver())
          return this.#finish('stopped', sighting.detail);
        const status =
          this.#stopAsked !== null ? 'stopping' : sighting.state === 'unknown' ? this.#job.status : sighting.state;
        const pid = sighting.state === 'running' ? sighting.pid : this.#job.pid;
        const error = sighting.detail;
        const before = this.#job;
        // A job that waits in the launcher's own queue has not started.
        const started = status === 'queued' ? null : this.#startOf(sighting);
        const alarm = sighting.state === 'running' && error === null ? this.#alarm(started) : null;
        if (pid !== this.#job.pid && pid !== null) {
          this.#identity = { ...this.#identity, start_time: startOf(pid), boot_id: bootId() };
        }
        const isNews = status !== before.status || pid !== before.pid || error !== before.error;
        if (isNews || started !== before.started || alarm !== (before.alarm ?? null)) {
          this.#set({ status, pid, started, error, alarm });
          await this.#save();
        }
        this.#stopAgain();
        return;
      }
      case 'ended': {
        const { code, signal, atMs, detail, cancelled } = sighting;
        this.#set({ exit_code: code, signal, started: this.#startOf(sighting) });
        if (this.#stopAsked !== null) return this.#finish('stopped', null, atMs);
        if (cancelled) return this.#finish('stopped', detail ?? 'cancelled by another program', atMs);
        if (code === 0 && signal === null) return this.#finish('done', null, atMs);
        return this.#finish(
          'failed',
          detail ?? endText(this.#job.kind, { code, signal, said: await this.#failureLine() }),
          atMs,
        );
      }
      case 'gone':
        return this.#finish(this.#stopAsked !== null ? 'stopped' : 'lost', sighting.detail);
    }
  }

  /** Returns the start of the job, or null if it has not started. */
  #startOf(sighting: Sighting): string | null {
    const { started, created } = this.#job;
    if (started !== null || (sighting.state !== 'running' && sighting.state !== 'ended')) return started;
    const { startedMs = null } = sighting;
    if (startedMs !== null) return new Date(Math.max(startedMs, Date.parse(created))).toISOString();
    return sighting.state === 'running' ? instantNow(this.#options.clock, created) : null;
  }

  async #readProgress(): Promise<void> {
    const progress = await this.#log.read();
    for (const folder of this.#log.folders) {
      if (this.#job.run !== null) break;
      const run = this.#options.runOf(folder);
      if (run !== null && isRunPath(run)) this.#set({ run });
    }
    if (progress) this.#report(progress);
  }

  #report({ step, steps }: TrainingProgress): void {
    const { clock } = this.#options;
    // For a job that was found after a restart, earlier steps are not included in the measured rate.
    this.#pace ??= new Pace(clock.steady(), step);
    if (step === this.#job.step && steps === this.#job.steps) return;
    this.#pace.report(step, clock.steady());
    // The number of steps may grow, but progress must not fall.
    this.#set({ step, steps, progress: Math.max(this.#job.progress ?? 0, Math.min(1, step / steps)) });
    if (clock.steady() - this.#savedAt >= PROGRESS_SAVE_S) this.#save();
  }

  /** Returns a problem of a running job that a person should look at, or null. */
  #alarm(started: string | null): string | null {
    const { figures } = this.#log;
    if (Number.isNaN(figures.meanReward) || Number.isNaN(figures.meanEpisodeLength)) {
      return 'the mean reward is not a number: the training has diverged. Stop it and lower the learning rate.';
    }
    const { step } = this.#job;
    if (figures.meanEpisodeLength !== null && (step ?? 0) >= SHORT_AFTER && figures.meanEpisodeLength < SHORT_STEPS) {
      return `episodes last ${figures.meanEpisodeLength} steps after ${step} iterations. Check the joint order and the terminations.`;
    }
    const since = Math.max(this.#log.grewAtMs, started === null ? 0 : Date.parse(started));
    const silentS = (this.#options.clock.wall().getTime() - since) / 1e3;
    return silentS > SILENCE_S ? `no output for ${Math.round(silentS / 60)} minutes` : null;
  }

  /** Returns the log line that explains the failure; null if there is none or the log cannot be read. */
  async #failureLine(): Promise<string | null> {
    return failureLine(this.#place.log).catch(() => null);
  }

  /** Whether a stop was requested, and its time to end is over. */
  #isGraceOver(): boolean {
    const { clock, launcher } = this.#options;
    return this.#stopAsked !== null && clock.steady() - this.#stopAsked >= launcher.graceS;
  }

  #stopAgain(): void {
    if (this.#stopAsked === null || !this.wasStarted) return;
    const since = this.#options.clock.steady() - this.#stopAsked;
    if (this.#isGraceOver()) this.#sendStop(true);
    else if (since >= (STOP_AGAIN_S[this.#stopsSent - 1] ?? Infinity) || this.#stopsSent === 0) this.#sendStop(false);
  }

  #sendStop(force: boolean): void {
    this.#stopsSent += 1;
    this.#options.launcher.stop(this.#place, force).catch(this.#options.onError);
  }

  /** @param atMs end of the job, ms since 1970, which may be before this observation; null: now */
  async #finish(status: EndStatus, error: string | null, atMs: number | null = null): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    if (status === 'stopped') await this.#options.launcher.stop(this.#place, true).catch(this.#options.onError);
    const { clock } = this.#options;
    const job = this.#job;
    const now = instantNow(clock, job.started ?? job.created);
    const then = atMs === null ? now : new Date(atMs).toISOString();
    const ended = then < now && then > (job.started ?? job.created) ? then : now;
    this.#set({
      status,
      error,
      alarm: null,
      ended,
      eta: null,
      rate: this.#pace?.mean(this.#pace.at) ?? meanRate({ ...job, ended }),
      progress: status === 'done' ? 1 : job.progress,
    });
    // The record on disk may still say that the job is queued. Without its order, it is not started after a restart.
    if (!(await this.#save()) && !this.wasStarted)
      await rm(path.join(this.#options.folder, ORDER_FILE), { force: true }).catch(this.#options.onError);
    this.#tellEnded();
  }

  #set(news: Partial<Job>): void {
    this.#job = { ...this.#job, ...news };
    this.#options.onChange();
  }

  /** Writes the record in its current state after any earlier write has ended. Never rejects.
   *  @returns false if the record could not be written */
  #save(): Promise<boolean> {
    this.#savedAt = this.#options.clock.steady();
    this.#saving = this.#saving.then(async () => {
      try {
        this.#savedStep = this.#job.step;
        const record = formatRecord({ job: this.job, identity: this.#identity });
        await writeAtomic(path.join(this.#options.folder, RECORD_FILE), record);
        return true;
      } catch (error) {
        this.#options.onError(error);
        return false;
      }
    });
    return this.#saving;
  }
}

/** Returns the mean steps per second of a job whose steps were not observed, or null. */
function meanRate({ step, started, ended }: Job): number | null {
  const seconds = started === null || ended === null ? 0 : (Date.parse(ended) - Date.parse(started)) / 1e3;
  return step === null || step === 0 || seconds <= 0 ? null : step / seconds;
}

function endText(
  kind: Job['kind'],
  {
    code,
    signal,
    said,
  }: { readonly code: number | null; readonly signal: string | null; readonly said: string | null },
): string {
  const what = kind === 'evaluate' ? 'the evaluation' : 'the trainer';
  if (signal === 'SIGKILL')
    return `${what} was killed by SIGKILL, either by a person or by the system because memory ran out`;
  if (signal !== null) return `${what} was ended by ${signal}. The log shows its last actions.`;
  if (said !== null) return `${what} ended with exit status ${code}: ${said}`;
  return `${what} ended with exit status ${code}; the end of its log may explain why`;
}

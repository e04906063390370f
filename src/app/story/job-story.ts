import { countText, spanText } from '../../core/log/format-numbers.ts';
import type { Logger } from '../../core/logger.ts';
import { hasEnded } from '../../jobs/job-record.ts';
import type { JobChange } from '../../jobs/job-registry.ts';
import type { Job } from '../../protocol/schemas/jobs.ts';

/** Number of log lines that are searched for the last metrics of a job. Between two evaluations, ten seconds apart,
 *  there may be 100 iterations. */
const TAIL = 5000;

type Known = Pick<Job, 'status' | 'error'> & { readonly alarm: string | null };

/** Logs a line for each change in the life of a job: queued, started, asked to stop, ended, found again, forgotten. */
export class JobStory {
  readonly #logger: Logger;
  readonly #tail: (name: string, lines: number) => Promise<string[]>;
  readonly #known = new Map<string, Known>();
  /** promises of log lines that wait until the end of the job's log is read */
  readonly #writing = new Set<Promise<void>>();
  #closing = false;

  /** @param tail returns the last lines of a job's log */
  constructor(logger: Logger, tail: (name: string, lines: number) => Promise<string[]>) {
    this.#logger = logger;
    this.#tail = tail;
  }

  /** Logs a job that had not ended when the service stopped. Call it at the start for each such job. */
  readonly found = (job: Job): void => {
    this.#known.set(job.name, knownOf(job));
    if (hasEnded(job.status)) this.#logger.error(`${job.name} is lost: ${job.error ?? 'its process is gone'}`);
    else if (job.status === 'queued') this.#logger.info(`${job.name} still waits in the queue`);
    else this.#logger.info(`${job.name} was found again after the restart: ${job.status}${stepsText(job)}`);
  };

  readonly changed = (change: JobChange): void => {
    if ('forgotten' in change) {
      this.#known.delete(change.forgotten);
      this.#logger.info(`${change.forgotten} forgotten`);
      return;
    }
    const { job } = change;
    const { name, status } = job;
    const before = this.#known.get(name);
    const now = knownOf(job);
    if (before?.status === status && before.alarm === now.alarm && before.error === now.error) return;
    this.#known.set(name, now);
    if (before && hasEnded(before.status)) return;
    if (!before) this.#begin(job);
    if (hasEnded(status)) this.#end(job);
    else if (status === 'running' && before?.status === 'queued') this.#logger.info(`${name} started`);
    else if (status === 'stopping' && before?.status !== 'stopping' && !this.#closing)
      this.#logger.info(`${name} was asked to stop`);
    if (hasEnded(status)) return;
    for (const trouble of ['alarm', 'error'] as const)
      if (now[trouble] !== null && now[trouble] !== before?.[trouble]) this.#logger.warn(`${name}: ${now[trouble]}`);
  };

  /** Logs the jobs that have not ended when the service ends. Jobs inside the service end with it; detached jobs
   *  continue. @param jobs jobs that have not ended */
  closing(jobs: readonly Job[]): void {
    this.#closing = true;
    for (const job of jobs)
      if (job.launcher !== null)
        this.#logger.info(`${job.name} continues without the service: ${job.status}${stepsText(job)}`);
  }

  /** Settles when every line is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #begin(job: Job): void {
    this.#logger.info(queuedText(job));
    // A launcher with a free place starts the job immediately, so log the wait only if the job is still queued
    // afterwards.
    if (job.kind !== 'convert')
      setImmediate(() => {
        if (this.#known.get(job.name)?.status === 'queued') this.#logger.info(`${job.name} waits for its turn`);
      });
  }

  #end(job: Job): void {
    const writing = this.#tail(job.name, TAIL)
      .catch(() => []) // Without the job's log, the line contains only the values of the job record.
      .then((lines) => this.#writeEnd(job, lines))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  #writeEnd(job: Job, lines: readonly string[]): void {
    const { name, status, error, started, ended, created } = job;
    const seconds = (Date.parse(ended ?? created) - Date.parse(started ?? ended ?? created)) / 1e3;
    const took = started === null ? '' : ` after ${spanText(Math.max(0, seconds))}`;
    const parts = [
      ...(job.kind === 'convert' ? conversionFigures(lines) : trainingFigures(job, lines)),
      ...(error === null ? [] : [error]),
    ];
    const figures = parts.length === 0 ? '' : `: ${parts.join('; ')}`;
    if (status === 'done' && error === null) this.#logger.info(`${name} done${took}${figures}`);
    else if (status === 'done') this.#logger.warn(`${name} done${took}${figures}`);
    else if (status === 'stopped')
      this.#logger.info(`${name} stopped ${this.#closing ? 'with the service' : 'by request'}${took}${figures}`);
    else this.#logger.error(`${name} ${status === 'lost' ? 'is lost' : 'failed'}${took}${figures}`);
  }
}

function knownOf({ status, error, alarm = null }: Job): Known {
  return { status, error, alarm };
}

function queuedText({ name, kind, task, dataset, steps, trainer, launcher, params }: Job): string {
  const on = dataset === null ? '' : ` dataset ${dataset}`;
  if (kind === 'convert') {
    const { which } = params as { which?: unknown };
    return `${name} queued: ${countText(steps ?? 0, 'clip')} of${on} (${String(which)})`;
  }
  if (kind !== 'train') return `${name} queued`;
  const { num_envs: envs } = params as { num_envs?: unknown };
  const parts = [`task ${task}`, on.trim()];
  if (typeof envs === 'number') parts.push(countText(envs, 'environment'));
  if (steps !== null) parts.push(countText(steps, 'iteration'));
  parts.push(`trainer ${trainer}`, `launcher ${launcher}`);
  return `${name} launched: ${parts.join(', ')}`;
}

function stepsText({ step, steps, kind }: Job): string {
  if (step === null) return '';
  return `, ${step} of ${countText(steps ?? step, kind === 'train' ? 'iteration' : 'step')}`;
}

/** Returns the job's own log line about the number of converted clips. */
function conversionFigures(lines: readonly string[]): string[] {
  const line = lines.findLast((text) => /^(\d+ of \d+ clips converted|nothing to convert\b.*)$/.test(text));
  return line === undefined ? [] : [line];
}

function trainingFigures(job: Job, lines: readonly string[]): string[] {
  const parts: string[] = [];
  if (job.step !== null) parts.push(stepsText(job).slice(2));
  const line = lines.findLast((text) => text.includes('Evaluation'));
  const evaluation = line === undefined ? null : /Evaluation[^:]*: (.+? s, .+? % full)/.exec(line);
  if (evaluation) parts.push(`last evaluation ${evaluation[1]}`);
  if (job.run !== null) parts.push(`run ${job.run}`);
  return parts;
}

import type { Job } from '../../../../../src/protocol/schemas/jobs.ts';
import { span, whole } from '../../../ui/format.ts';
import { isLive } from './job-list.ts';

const STATE: Readonly<Record<Job['status'], readonly [dot: string, word: string]>> = {
  queued: ['hollow', 'Queued'],
  running: ['accent', 'Running'],
  stopping: ['accent', 'Stopping'],
  done: ['ok', 'Done'],
  failed: ['err', 'Failed'],
  stopped: ['square', 'Stopped'],
  lost: ['warn', 'Lost'],
};

/** Returns the class of the dot and the word that show a job's state. */
export function jobState(job: Job): readonly [dot: string, word: string] {
  return job.status === 'done' && job.error !== null ? ['warn', 'Partly done'] : STATE[job.status];
}

/** Returns the word for a state without its job. */
export function statusWord(status: Job['status']): string {
  return STATE[status][1];
}

export const JOB_KIND: Readonly<Record<Job['kind'], string>> = {
  train: 'Training',
  convert: 'Conversion',
  evaluate: 'Evaluation',
};

/** Returns the unit of a job's steps. */
function unit(job: Job): string {
  return job.kind === 'convert' ? 'clips' : job.kind === 'train' ? 'iterations' : 'episodes';
}

/** Returns `up to ` for a job whose remaining time is an upper estimate, because it may end earlier. */
export function atMost(job: Job): string {
  return job.params['automatic'] === true ? 'up to ' : '';
}

/** Returns `11 of 38 clips · 2.1 clips/s · 13 s left` for a live job, and duration and exit code for an ended job. */
export function jobFigures(job: Job, now: number): string {
  const parts: string[] = [];
  if (job.step !== null && job.steps !== null) parts.push(`${whole(job.step)} of ${whole(job.steps)} ${unit(job)}`);
  if (isLive(job)) {
    if (job.rate !== null && job.rate > 0) parts.push(`${Number(job.rate.toPrecision(2))} ${unit(job)}/s`);
    if (job.eta !== null) parts.push(`${atMost(job)}${span(job.eta)} left`);
  } else if (job.started !== null && job.ended !== null) {
    parts.unshift(`after ${span(Math.max(0, (Date.parse(job.ended) - Date.parse(job.started)) / 1000))}`);
    // The exit code of a job that was stopped on request tells nothing, so it is omitted.
    if (job.status !== 'stopped') {
      if (job.exit_code !== null && job.exit_code !== 0) parts.push(`exit code ${job.exit_code}`);
      if (job.signal !== null) parts.push(`signal ${job.signal}`);
    }
  } else if (job.started !== null) parts.push(`${span(Math.max(0, (now - Date.parse(job.started)) / 1000))} so far`);
  return parts.join(' · ');
}

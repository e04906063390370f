import type { EventPayloads } from '../../../../../src/protocol/events.ts';
import type { Job } from '../../../../../src/protocol/schemas/jobs.ts';

/** Returns whether a job has not ended. */
export function isLive(job: Job): boolean {
  return job.status === 'queued' || job.status === 'running' || job.status === 'stopping';
}

/** Returns the list after a `jobs` event, newest first. */
export function afterEvent(known: readonly Job[], event: EventPayloads['jobs']): readonly Job[] {
  if ('forgotten' in event) return known.filter((job) => job.name !== event.forgotten);
  return mergeJobs(known, event.jobs);
}

/** Merges new and changed jobs into the list and sorts it, newest first. */
export function mergeJobs(known: readonly Job[], changed: readonly Job[]): readonly Job[] {
  const fresh = new Map(changed.map((job) => [job.name, job]));
  const kept = known.map((job) => {
    const next = fresh.get(job.name);
    fresh.delete(job.name);
    return next ?? job;
  });
  return [...fresh.values(), ...kept].sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0));
}

/** Returns the progress of several jobs (0..1), weighted by their numbers of steps; null if no job reports progress. */
export function overallProgress(jobs: readonly Job[]): number | null {
  const known = jobs.filter((job) => job.progress !== null);
  if (known.length === 0) return null;
  const weight = (job: Job) => job.steps ?? 1;
  const whole = known.reduce((sum, job) => sum + weight(job), 0);
  return whole === 0 ? null : known.reduce((sum, job) => sum + (job.progress ?? 0) * weight(job), 0) / whole;
}

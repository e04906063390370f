import type { Job } from '../../protocol/schemas/jobs.ts';

/** The name of a job among `active` that uses a robot, or one of its datasets where that is named; null for none. A job
 *  that does not say whose robot it is for counts. */
export function jobUsing(active: readonly Job[], robot: string, dataset?: string): string | null {
  const uses = (job: Job) => {
    const { robot: own } = job.params;
    return (dataset === undefined || job.dataset === dataset) && (typeof own !== 'string' || own === robot);
  };
  return active.find(uses)?.name ?? null;
}

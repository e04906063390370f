import type { AppContext } from '../app-context.ts';
import { Jobs, type JobsOptions } from './jobs.ts';

/** Opens the list of jobs. @param detached where trainings run and how they are found again */
export function createJobs({ places, hub, logger, uses }: AppContext, detached: JobsOptions['detached'] = {}): Jobs {
  const jobs = new Jobs({ folder: places.jobs, hub, logger, detached });
  uses.connect({ jobs: () => jobs.registry.active() });
  return jobs;
}

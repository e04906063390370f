import type { AppContext } from '../app-context.ts';
import { Jobs, type JobsOptions } from './jobs.ts';

/** Opens the list of jobs. @param detached launchers of trainings, and the functions that find running trainings after
 *  a restart */
export function createJobs({ places, hub, logger, uses }: AppContext, detached: JobsOptions['detached'] = {}): Jobs {
  const jobs = new Jobs({ folder: places.jobs, hub, logger, detached });
  uses.connect({ jobs: () => jobs.registry.active() });
  return jobs;
}

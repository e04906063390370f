import { forgetJob, job, jobs, stopJob } from '../../protocol/routes/training.ts';
import { handle, ok } from './handle.ts';

export const jobHandlers = [
  handle(jobs, (studio) => studio.jobs.list()),
  handle(job, (studio, { params, query }) => studio.jobs.get(params.name, query.tail)),
  handle(stopJob, (studio, { params }) => {
    studio.jobs.stop(params.name);
    return ok();
  }),
  handle(forgetJob, async (studio, { params, signal }) => {
    await studio.jobs.forget(params.name, signal);
    return ok();
  }),
];

import { forgetJob, job, jobLog, jobs, stopJob } from '../../protocol/routes/training.ts';
import { handle, handleDownload, ok } from './handle.ts';

export const jobHandlers = [
  handle(jobs, (studio) => studio.jobs.list()),
  handle(job, (studio, { params, query }) => studio.jobs.get(params.name, query.tail)),
  handleDownload(jobLog, async (studio, { params }) => ({ path: await studio.jobs.logFile(params.name) })),
  handle(stopJob, (studio, { params }) => {
    studio.jobs.stop(params.name);
    return ok();
  }),
  handle(forgetJob, async (studio, { params, signal }) => {
    await studio.jobs.forget(params.name, signal);
    return ok();
  }),
];

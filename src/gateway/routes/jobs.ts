import { downloadJobLog, forgetJob, getJob, listJobs, stopJob } from '../../protocol/routes/training.ts';
import { handle, handleDownload, ok } from './handle.ts';

export const jobHandlers = [
  handle(listJobs, (studio) => studio.jobs.list()),
  handle(getJob, (studio, { params, query }) => studio.jobs.get(params.name, query.tail)),
  handleDownload(downloadJobLog, async (studio, { params }) => ({ path: await studio.jobs.logFile(params.name) })),
  handle(stopJob, (studio, { params }) => {
    studio.jobs.stop(params.name);
    return ok();
  }),
  handle(forgetJob, async (studio, { params, signal }) => {
    await studio.jobs.forget(params.name, signal);
    return ok();
  }),
];

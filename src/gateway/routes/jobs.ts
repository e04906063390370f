import { downloadJobLog, forgetJob, getJob, listJobs, stopJob } from '../../protocol/routes/jobs.ts';
import { handle, handleDownload, ok } from './handle.ts';

export const jobsHandlers = [
  handle(listJobs, ({ jobs }) => jobs.list()),
  handle(getJob, ({ jobs }, { params, query }) => jobs.get(params.name, query.tail)),
  handleDownload(downloadJobLog, async ({ jobs }, { params }) => ({ path: await jobs.logFile(params.name) })),
  handle(stopJob, ({ jobs }, { params }) => {
    jobs.stop(params.name);
    return ok();
  }),
  handle(forgetJob, async ({ jobs }, { params, signal }) => {
    await jobs.forget(params.name, signal);
    return ok();
  }),
];

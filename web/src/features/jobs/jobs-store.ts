import { call } from '../../net/api.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { JobTracker } from './job-tracker.ts';

/** The page's jobs. */
export const {
  jobs,
  jobsError,
  liveJobs,
  shownJob,
  jobLog,
  onOpenLog,
  refreshJobs,
  takeJobs,
  ownJob,
  jobEnd,
  showJob,
  stopJob,
  forgetJob,
} = new JobTracker({ call, toast, failed });

import { call } from '../../net/api.ts';
import { notice } from '../../ui/notices.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { JobTracker } from './job-tracker.ts';
import { askResume } from './resume-request-store.ts';

/** The page's jobs. */
export const {
  jobs,
  jobsError,
  liveJobs,
  shownJob,
  jobLog,
  onOpenLog,
  onPlayRun,
  refreshJobs,
  takeJobs,
  ownJob,
  jobEnd,
  showJob,
  stopAsked,
  stopJob,
  confirmStop,
  forgetAsked,
  forgetJob,
  confirmForget,
} = new JobTracker({ call, toast, failed, resume: askResume, notice });

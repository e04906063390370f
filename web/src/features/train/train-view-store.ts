import { remember, remembered } from '../../ui/stored.ts';
import { jobTab } from '../jobs/job-tab-store.ts';
import { jobs, showJob, shownJob } from '../jobs/jobs-store.ts';
import { runs } from '../runs/runs-store.ts';
import { TrainView } from './train-view.ts';

/** State of the area Train of this page. */
export const {
  chosenJob,
  chosenRun,
  chooseJob,
  curveTab,
  compared,
  toggleCompared,
  smoothing,
  setSmoothing,
  logScale,
} = new TrainView({ jobs, shownJob, showJob, jobTab, runs, remembered, remember });

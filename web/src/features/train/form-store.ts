import { remember, remembered } from '../../ui/stored.ts';
import { failed } from '../../ui/toasts.ts';
import { datasets } from '../data/data-store.ts';
import { datasetToTrain } from '../data/dataset-to-train-store.ts';
import { liveJobs } from '../jobs/jobs-store.ts';
import { preferredDataset } from '../tasks/dry-run-store.ts';
import { taskToTrain } from '../tasks/task-dialog-store.ts';
import { launches } from './launch-store.ts';
import { chooseJob } from './train-view-store.ts';
import { TrainingForm } from './training-form.ts';

const converting = (name: string) => liveJobs.value.some(({ kind, dataset }) => kind === 'convert' && dataset === name);

/** The page's form of a new training. */
export const { form, trainer, launchBody, change, checked, isReady, starting, startChecking, startTraining } =
  new TrainingForm({
    launches,
    datasets,
    chooseJob,
    failed,
    converting,
    taskToTrain,
    datasetToTrain,
    preferredDataset,
    remembered,
    remember,
  });

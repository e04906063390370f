import { dataDialog } from '../../ui/dialogs.ts';
import { dockView } from '../../ui/dock-state.ts';
import { goTo, layout } from '../../ui/layout.ts';
import { jobTab } from './job-tab-store.ts';
import { jobs, onOpenLog, showJob } from './jobs-store.ts';

/** Opens the progress and the log of a job: a training in the area Train, other jobs in the lower part of the area
 *  Data, or in a dialog on a phone. */
export function openJob(name: string): void {
  showJob(name);
  const job = jobs.peek().find((one) => one.name === name);
  if (job?.kind === 'train') {
    jobTab.value = job.status === 'failed' || job.status === 'lost' ? 'log' : 'curves';
    goTo('train');
    return;
  }
  if (layout.peek() === 'phone') {
    dataDialog.value = { kind: 'job', job: name };
    return;
  }
  goTo('data');
  dockView.value = 'job';
}

onOpenLog(openJob);

import { onOpenLog, showJob } from '../service/jobs.ts';
import { dataDialog } from './dialogs.ts';
import { dockView } from './dock.ts';
import { goTo, layout } from './ui.ts';

/** Shows a job's progress and log: in the dock of Data, on a phone in a dialog. */
export function openJob(name: string): void {
  showJob(name);
  if (layout.peek() === 'phone') {
    dataDialog.value = { kind: 'job', job: name };
    return;
  }
  goTo('data');
  dockView.value = 'job';
}

onOpenLog(openJob);

import '../../../ui/dialog-forms.css';
import { Button } from '../../../ui/controls.tsx';
import { dataDialog } from '../../../ui/dialogs.ts';
import { dockView } from '../../../ui/dock-state.ts';
import { goTo, layout } from '../../../ui/layout.ts';
import { jobs } from '../../jobs/jobs-store.ts';
import { isLive } from '../../jobs/shared/job-list.ts';
import { JobLog } from '../../jobs/shared/job-log.tsx';
import { datasetToTrain } from '../dataset-to-train-store.ts';
import { ConvertDialog } from './convert-dialog.tsx';
import { DeleteClipsDialog, DeleteDatasetDialog } from './delete-dialogs.tsx';
import { closeDialog, DialogHead } from './dialog-head.tsx';
import { ImportDialog, NewDatasetDialog } from './import-dialog.tsx';
import { MarkDialog } from './mark-dialog.tsx';
import { PickDialog } from './pick-dialog.tsx';
import { ReadingDialog } from './reading-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { UploadDialog } from './upload-dialog.tsx';

export function DialogBody() {
  const now = dataDialog.value;
  if (now === null) return null;
  switch (now.kind) {
    case 'new':
      return <NewDatasetDialog />;
    case 'import':
      return <ImportDialog />;
    case 'upload':
      return <UploadDialog />;
    case 'convert':
      return <ConvertDialog dataset={now.dataset} clips={now.clips} />;
    case 'reading':
      return <ReadingDialog dataset={now.dataset} clip={now.clip} />;
    case 'job':
      return <JobDialog name={now.job} />;
    case 'rename':
      return <RenameDialog dataset={now.dataset} clip={now.clip} />;
    case 'delete-dataset':
      return <DeleteDatasetDialog name={now.dataset} />;
    case 'delete-clips':
      return <DeleteClipsDialog dataset={now.dataset} clips={now.clips} />;
    case 'pick':
      return <PickDialog dataset={now.dataset} />;
    case 'mark':
      return <MarkDialog dataset={now.dataset} clips={now.clips} now={now.now} />;
  }
}

function JobDialog({ name }: { readonly name: string }) {
  const job = jobs.value.find((one) => one.name === name);
  const live = job === undefined || isLive(job);
  const converted = job?.kind === 'convert' && job.status === 'done';
  const verb = converted ? 'Converted' : 'Converting';
  return (
    <>
      <DialogHead>{job?.kind === 'convert' ? `${verb} ${job.dataset ?? ''}` : name}</DialogHead>
      <JobLog />
      <footer class="dialog-foot">
        <span class="grow" />
        {layout.value !== 'phone' && (
          <Button
            kind="outline"
            onClick={() => {
              closeDialog();
              goTo('data');
              dockView.value = 'job';
            }}
          >
            Show in the dock
          </Button>
        )}
        <Button kind={live || converted ? 'default' : 'primary'} onClick={closeDialog}>
          {live ? 'Continue in the background' : 'Close'}
        </Button>
        {converted && (
          <Button
            kind="primary"
            onClick={() => {
              closeDialog();
              datasetToTrain.value = job?.dataset ?? null;
              goTo('train');
            }}
          >
            Go to Train
          </Button>
        )}
      </footer>
    </>
  );
}

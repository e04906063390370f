import { Dialog } from '../../../ui/dialog.tsx';
import { type DataDialog, dataDialog } from '../../../ui/dialogs.ts';
import { Lazy } from '../../../ui/lazy.tsx';
import { closeDialog } from './dialog-head.tsx';

const LABEL: Readonly<Record<DataDialog['kind'], string>> = {
  new: 'New dataset',
  import: 'Import clips',
  upload: 'Upload clips',
  convert: 'Convert clips',
  reading: 'How the files are read',
  job: 'Job',
  rename: 'Rename',
  'delete-dataset': 'Delete dataset',
  'delete-clips': 'Delete clips',
  mark: 'Mark clips',
  pick: 'Select the best clips',
};

const body = () => import('./dialog-body.tsx').then((part) => part.DialogBody);

/** Shows the dialogs of Data. Their code is loaded when the first dialog opens. */
export function DataDialogs() {
  const now = dataDialog.value;
  return (
    <Dialog
      open={now !== null}
      label={now === null ? 'Data' : LABEL[now.kind]}
      class={now === null ? '' : `dialog-${now.kind}`}
      onClose={closeDialog}
    >
      <Lazy load={body} what="The dialog" />
    </Dialog>
  );
}

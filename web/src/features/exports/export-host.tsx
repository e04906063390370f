import { Dialog } from '../../ui/dialog.tsx';
import { Lazy } from '../../ui/lazy.tsx';
import { exportDialog } from './export-dialog-store.ts';

const body = () => import('./export-dialog.tsx').then((part) => part.ExportDialog);

/** Shows the dialog of exports. The code of the dialog is loaded when it first opens. */
export function ExportDialogs() {
  return (
    <Dialog
      open={exportDialog.value !== null}
      label="Exports"
      class="dialog-export"
      onClose={() => {
        exportDialog.value = null;
      }}
    >
      <Lazy load={body} what="The dialog" />
    </Dialog>
  );
}

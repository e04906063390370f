import { Dialog } from '../../ui/dialog.tsx';
import { Lazy } from '../../ui/lazy.tsx';
import { stopAsked } from './jobs-store.ts';

const body = () => import('./stop-dialog.tsx').then((part) => part.StopDialog);

/** Shows the dialog that asks before a job is stopped. The code of the dialog is loaded when it first opens. */
export function StopDialogs() {
  return (
    <Dialog
      open={stopAsked.value !== null}
      label="Stop job"
      onClose={() => {
        stopAsked.value = null;
      }}
    >
      <Lazy load={body} what="The dialog" />
    </Dialog>
  );
}

import { Dialog } from '../../ui/dialog.tsx';
import { Lazy } from '../../ui/lazy.tsx';
import { forgetAsked, stopAsked } from './jobs-store.ts';

const stop = () => import('./job-dialogs.tsx').then((part) => part.StopDialog);
const forget = () => import('./job-dialogs.tsx').then((part) => part.ForgetDialog);

/** Shows the dialogs that ask before a job is stopped or removed. Their code is loaded when one first opens. */
export function JobDialogs() {
  return (
    <>
      <Dialog
        open={stopAsked.value !== null}
        label="Stop job"
        onClose={() => {
          stopAsked.value = null;
        }}
      >
        <Lazy load={stop} what="The dialog" />
      </Dialog>
      <Dialog
        open={forgetAsked.value !== null}
        label="Remove job"
        onClose={() => {
          forgetAsked.value = null;
        }}
      >
        <Lazy load={forget} what="The dialog" />
      </Dialog>
    </>
  );
}

import { Dialog } from '../../ui/dialog.tsx';
import { Lazy } from '../../ui/lazy.tsx';
import { forgetAsked, stopAsked } from './jobs-store.ts';

const body = () => import('./job-dialogs.tsx').then((part) => part.JobDialog);

/** Shows the dialog that asks before a job is stopped or removed. Its code is loaded when it first opens. */
export function JobDialogs() {
  const forget = forgetAsked.value !== null;
  return (
    <Dialog
      open={forget || stopAsked.value !== null}
      label={forget ? 'Remove job' : 'Stop job'}
      onClose={() => {
        forgetAsked.value = null;
        stopAsked.value = null;
      }}
    >
      <Lazy load={body} what="The dialog" />
    </Dialog>
  );
}

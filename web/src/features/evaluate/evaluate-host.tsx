import { Dialog } from '../../ui/dialog.tsx';
import { Lazy } from '../../ui/lazy.tsx';
import { evaluateDialog } from './evaluate-dialog-store.ts';

const body = () => import('./evaluate-dialog.tsx').then((part) => part.EvaluateDialog);

/** Shows the dialog of evaluations. The code of the dialog is loaded when it first opens. */
export function EvaluateDialogs() {
  return (
    <Dialog
      open={evaluateDialog.value !== null}
      label="Evaluations"
      class="dialog-evaluate"
      onClose={() => {
        evaluateDialog.value = null;
      }}
    >
      <Lazy load={body} what="The dialog" />
    </Dialog>
  );
}

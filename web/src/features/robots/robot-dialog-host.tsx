import { Dialog } from '../../ui/dialog.tsx';
import { Lazy } from '../../ui/lazy.tsx';
import { robotDialog } from './robot-dialog-store.ts';

const LABEL = { spec: "Robot's file", delete: 'Delete robot', 'remove-upload': 'Remove upload' } as const;
const body = () => import('./robot-dialogs.tsx').then((part) => part.RobotDialogBody);

/** Shows the dialogs of the area Robots. */
export function RobotDialogs() {
  const now = robotDialog.value;
  return (
    <Dialog
      open={now !== null}
      label={now === null ? 'Robots' : LABEL[now.kind]}
      class={now?.kind === 'spec' ? 'dialog-convert' : ''}
      onClose={() => {
        robotDialog.value = null;
      }}
    >
      <Lazy load={body} what="The dialog" />
    </Dialog>
  );
}

import { useState } from 'preact/hooks';
import { UNDO_NOTE, undoButton } from '../../../net/undo.ts';
import { Button, IconButton } from '../../../ui/controls.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Confirm } from '../../../ui/dialogs/confirm.tsx';
import { toast } from '../../../ui/toasts.ts';
import { deleteRun } from '../runs-store.ts';

export interface DeleteRunProps {
  /** `<experiment>/<run>` */
  readonly run: string;
  /** reason why the run cannot be deleted now; absent: it can */
  readonly reason?: string | undefined;
  /** shows an icon instead of a text, for narrow places */
  readonly small?: boolean;
}

/** A button that deletes a run of the workspace after a confirmation. */
export function DeleteRun({ run, reason, small = false }: DeleteRunProps) {
  const [open, setOpen] = useState(false);
  const name = run.slice(run.indexOf('/') + 1);
  const ask = () => setOpen(true);
  return (
    <>
      {small ? (
        <IconButton icon="trash" label="Delete this run" disabled={reason !== undefined} onClick={ask} />
      ) : (
        <Button small kind="quiet" icon="trash" disabled={reason !== undefined} title={reason ?? run} onClick={ask}>
          Delete run
        </Button>
      )}
      <Dialog open={open} label="Delete run" onClose={() => setOpen(false)}>
        <Confirm
          title={`Delete ${name}?`}
          word="Delete run"
          onClose={() => setOpen(false)}
          run={async () => {
            const undo = await deleteRun(run);
            toast('ok', `${name} deleted`, '', undoButton(`${name} deleted`, [undo]));
          }}
        >
          The folder <span class="mono">{run}</span> with its checkpoints, curves and settings is deleted; one that is
          linked from elsewhere stays there. {UNDO_NOTE}
        </Confirm>
      </Dialog>
    </>
  );
}

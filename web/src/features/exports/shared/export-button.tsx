import { Button } from '../../../ui/controls.tsx';
import { exportDialog } from '../export-dialog-store.ts';

/** Opens the exports of a run. @param run `<experiment>/<run>` */
export function ExportButton({ run, checkpoint }: { readonly run: string; readonly checkpoint?: string }) {
  return (
    <Button
      small
      kind="outline"
      icon="robot"
      title="Exports a checkpoint with a clip for a robot's controller"
      onClick={() => {
        exportDialog.value = { run, ...(checkpoint === undefined ? {} : { checkpoint }) };
      }}
    >
      Export
    </Button>
  );
}

import { Button } from '../../../ui/controls.tsx';
import { evaluateDialog } from '../evaluate-dialog-store.ts';

/** Opens the evaluations of a run. @param run `<experiment>/<run>` */
export function EvaluateButton({ run }: { readonly run: string }) {
  return (
    <Button
      small
      kind="outline"
      icon="flag"
      title="Evaluates checkpoints on clips, from several start times and under several conditions"
      onClick={() => {
        evaluateDialog.value = { run };
      }}
    >
      Evaluate
    </Button>
  );
}

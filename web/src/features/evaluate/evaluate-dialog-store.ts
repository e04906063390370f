import { signal } from '@preact/signals';

/** What the dialog of evaluations shows when it opens. */
export interface EvaluateRequest {
  /** path of the run whose evaluations are listed */
  readonly run: string;
  /** checkpoint that is preselected in the form; absent: the latest */
  readonly checkpoint?: string;
}

/** The request that opened the dialog of evaluations; null if the dialog is closed. */
export const evaluateDialog = signal<EvaluateRequest | null>(null);

/** Returns a function that says whether the dialog that is open now is still open. It also asks the element, because the
 *  browser closes a dialog before it reports so. */
export function dialogWatch(): () => boolean {
  const request = evaluateDialog.peek();
  return () =>
    evaluateDialog.peek() === request && document.querySelector<HTMLDialogElement>('.dialog-evaluate')?.open === true;
}

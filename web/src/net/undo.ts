import type { ToastAction } from '../ui/toast-queue.ts';
import { failed, toast } from '../ui/toasts.ts';
import { call } from './api.ts';

/** Sentence that tells where deleted items are kept, for dialogs that ask before a deletion. */
export const UNDO_NOTE = 'You can undo this, or restore it from the trash in Status.';

/** Sentence for dialogs that ask before a deletion that the service cannot undo. */
export const FINAL_NOTE = 'This cannot be undone.';

/** Undoes actions, the last one first. @param tokens tokens from the replies to the actions @throws Error with the
 *  service's message */
export async function undo(tokens: readonly string[]): Promise<void> {
  for (const token of [...tokens].reverse()) await call('POST /api/undo', { body: { undo: token } });
}

/** Returns the button "Undo" of a toast; null if there is nothing to undo. @param what name of the action: `walk
 *  deleted` */
export function undoButton(what: string, tokens: readonly (string | null)[]): ToastAction | null {
  const known = tokens.filter((token) => token !== null);
  if (known.length === 0) return null;
  return {
    label: 'Undo',
    run: () =>
      void undo(known).then(
        () => toast('ok', `Undone: ${what}`),
        (error: unknown) => failed(`Not undone: ${what}`, error),
      ),
  };
}

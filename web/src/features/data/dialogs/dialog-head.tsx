import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { IconButton } from '../../../ui/controls.tsx';
import { dataDialog } from '../../../ui/dialogs.ts';

export function closeDialog(): void {
  dataDialog.value = null;
}

/** Returns a function that states whether the dialog that calls this hook is still open. It is used when a request
 *  ends: the user may have closed the dialog and opened another one meanwhile. */
export function useStillOpen(): () => boolean {
  const [own] = useState(() => dataDialog.peek());
  return () => dataDialog.peek() === own;
}

/** Heading and close button of a dialog. */
export function DialogHead({ children }: { readonly children: ComponentChildren }) {
  return (
    <header class="dialog-head">
      <h2 class="ellipsis">{children}</h2>
      <IconButton icon="close" label="Close" hint="Esc" onClick={closeDialog} />
    </header>
  );
}

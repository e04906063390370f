import type { ComponentChildren } from 'preact';
import { IconButton } from '../../../ui/controls.tsx';
import { dataDialog } from '../../../ui/dialogs.ts';

export function closeDialog(): void {
  dataDialog.value = null;
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

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  readonly open: boolean;
  readonly label: string;
  readonly class?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal `<dialog>`. Escape and a click on the backdrop close it; the browser returns the focus. */
export function Dialog({ open, label, class: extra = '', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBackdrop = useRef(false);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser itself closes the dialog on Escape
    <dialog
      ref={dialog}
      class={`dialog ${extra}`}
      aria-label={label}
      onClose={onClose}
      onPointerDown={(event) => {
        pressedBackdrop.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        // A drag from the content to the backdrop, such as selecting text, also ends with a click on the dialog.
        if (event.target === dialog.current && pressedBackdrop.current) onClose();
      }}
    >
      {open && children}
    </dialog>
  );
}

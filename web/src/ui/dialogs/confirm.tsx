import '../dialog-forms.css';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, IconButton } from '../controls.tsx';
import { Icon } from '../icon.tsx';
import { messageOf } from '../message-of.ts';

export interface ConfirmProps {
  readonly title: string;
  /** label of the confirming button */
  readonly word: string;
  /** The confirmed action. If it throws, the error is shown and the dialog stays open. */
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
  /** description of what will be lost */
  readonly children: ComponentChildren;
}

/** Contents of a dialog that asks for confirmation before data is lost. */
export function Confirm({ title, word, run, onClose, children }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await run();
      onClose();
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  return (
    <>
      <header class="dialog-head">
        <h2 class="ellipsis">{title}</h2>
        <IconButton icon="close" label="Close" hint="Esc" onClick={onClose} />
      </header>
      <div class="dialog-form">
        <p class="dim">{children}</p>
        {error !== null && (
          <p class="note note-err" role="alert">
            <Icon name="warn" />
            {error}
          </p>
        )}
      </div>
      <footer class="dialog-foot">
        <span class="grow" />
        <Button kind="outline" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="confirm" busy={busy} onClick={() => void confirm()}>
          {word}
        </Button>
      </footer>
    </>
  );
}

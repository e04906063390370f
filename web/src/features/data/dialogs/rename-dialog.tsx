import { useState } from 'preact/hooks';
import { Button } from '../../../ui/controls.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { messageOf } from '../../../ui/message-of.ts';
import { renameData } from '../data-actions.ts';
import { showsClips } from '../preview-store.ts';
import { closeDialog, DialogHead, useStillOpen } from './dialog-head.tsx';

interface RenameProps {
  readonly dataset: string;
  /** null: rename the dataset itself */
  readonly clip: string | null;
}

export function RenameDialog({ dataset, clip }: RenameProps) {
  const old = clip ?? dataset;
  const [name, setName] = useState(old);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const stillOpen = useStillOpen();
  const possible = name.trim() !== '' && name.trim() !== old;
  const rename = async () => {
    setBusy(true);
    try {
      await renameData(dataset, clip, name.trim());
      if (stillOpen()) closeDialog();
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  const closes = showsClips(dataset, clip === null ? null : [clip]) ? ' The clip that is open will be closed.' : '';
  return (
    <>
      <DialogHead>Rename {old}</DialogHead>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (possible) void rename();
        }}
      >
        <TextField
          label="New name"
          value={name}
          error={error}
          hint={`${clip === null ? 'The clips stay in the dataset.' : 'The converted clip, the recipe and the marks are renamed too.'}${closes}`}
          autofocus
          onInput={(value) => {
            setName(value);
            setError(null);
          }}
        />
      </form>
      <footer class="dialog-foot">
        <span class="grow" />
        <Button kind="outline" onClick={closeDialog}>
          Cancel
        </Button>
        <Button kind="primary" busy={busy} disabled={!possible} onClick={() => void rename()}>
          Rename
        </Button>
      </footer>
    </>
  );
}

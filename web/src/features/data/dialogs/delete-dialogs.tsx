import { useEffect, useRef, useState } from 'preact/hooks';
import { UNDO_NOTE } from '../../../net/undo.ts';
import { Button, Progress, Switch } from '../../../ui/controls.tsx';
import { count, whole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { messageOf } from '../../../ui/message-of.ts';
import { deleteClips, deleteDataset } from '../data-actions.ts';
import { datasets } from '../data-store.ts';
import { mirrorName } from '../mirrors.ts';
import { showsClips } from '../preview-store.ts';
import { countsText } from '../shared/counts.ts';
import { closeDialog, DialogHead, useStillOpen } from './dialog-head.tsx';

export function DeleteDatasetDialog({ name }: { readonly name: string }) {
  const set = datasets.state.value.value?.datasets.find((one) => one.name === name);
  const [busy, setBusy] = useState(false);
  const stillOpen = useStillOpen();
  const [error, setError] = useState<string | null>(null);
  const remove = async () => {
    setBusy(true);
    setError(null);
    try {
      await deleteDataset(name);
      if (stillOpen()) closeDialog();
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  return (
    <>
      <DialogHead>Delete {name}?</DialogHead>
      <div class="dialog-form">
        <p class="dim">
          {set !== undefined && `${countsText(set)}. `}
          {set?.linked === true
            ? `The linked folder ${set.path} stays unchanged; the clips converted from it are deleted. `
            : ''}
          {showsClips(name, null) && 'The clip that is open will be closed. '}
          {UNDO_NOTE}
        </p>
        <ErrorNote error={error} />
      </div>
      <footer class="dialog-foot">
        <span class="grow" />
        <Button kind="outline" onClick={closeDialog}>
          Cancel
        </Button>
        <Button kind="confirm" busy={busy} onClick={() => void remove()}>
          {busy ? 'Deleting' : 'Delete dataset'}
        </Button>
      </footer>
    </>
  );
}

export interface DeleteClipsProps {
  readonly dataset: string;
  readonly clips: readonly string[];
}

/** Maximum number of names listed in a dialog; the others are counted. */
const NAMED = 5;

export function DeleteClipsDialog({ dataset, clips }: DeleteClipsProps) {
  const set = datasets.state.value.value?.datasets.find((one) => one.name === dataset);
  const [done, setDone] = useState<number | null>(null);
  const stop = useRef<AbortController | null>(null);
  const [mirrors, setMirrors] = useState(false);
  const stillOpen = useStillOpen();
  // Closing the dialog during the deletion stops it, as the button does, because nothing else could.
  useEffect(() => () => stop.current?.abort(), []);
  const one = clips.length === 1;
  const busy = done !== null;
  const remove = async () => {
    stop.current = new AbortController();
    setDone(0);
    await deleteClips(dataset, clips, mirrors, setDone, stop.current.signal);
    if (stillOpen()) closeDialog();
  };
  const more = clips.length - NAMED;
  return (
    <>
      <DialogHead>{one ? `Delete ${clips[0]}?` : `Delete ${count(clips.length, 'clip')}?`}</DialogHead>
      <div class="dialog-form">
        {!one && (
          <p class="mono named">
            {clips.slice(0, NAMED).join(', ')}
            {more > 0 && ` and ${whole(more)} more`}
          </p>
        )}
        <p class="dim">
          {set?.linked === true
            ? `Only the converted clips are deleted: ${set.name} is linked, and its folder stays unchanged. `
            : `${one ? 'Its source' : 'Their sources'} and the files converted from ${one ? 'it' : 'them'} are deleted. `}
          {showsClips(dataset, clips) && 'The clip that is open will be closed. '}
          {UNDO_NOTE}
        </p>
        {(set?.extra ?? 0) > 0 && (
          <Switch
            label={one ? `Delete its mirror image ${mirrorName(clips[0] ?? '')} too` : 'Delete their mirror images too'}
            on={mirrors}
            disabled={busy}
            onChange={setMirrors}
          />
        )}
        {busy && <Progress value={done / clips.length} label="Deleting" />}
      </div>
      <footer class="dialog-foot">
        {busy && (
          <span class="dim num">
            {whole(done)} of {whole(clips.length)}
          </span>
        )}
        <span class="grow" />
        <Button kind="outline" onClick={() => (busy ? stop.current?.abort() : closeDialog())}>
          {busy ? 'Stop' : 'Cancel'}
        </Button>
        <Button kind="confirm" busy={busy} onClick={() => void remove()}>
          {busy ? 'Deleting' : one ? 'Delete clip' : `Delete ${count(clips.length, 'clip')}`}
        </Button>
      </footer>
    </>
  );
}

function ErrorNote({ error }: { readonly error: string | null }) {
  if (error === null) return null;
  return (
    <p class="note note-err" role="alert">
      <Icon name="warn" />
      {error}
    </p>
  );
}

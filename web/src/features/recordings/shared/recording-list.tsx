import { useEffect, useState } from 'preact/hooks';
import type { Recording } from '../../../../../src/protocol/schemas/recordings.ts';
import { FINAL_NOTE } from '../../../net/undo.ts';
import { Button, IconButton } from '../../../ui/controls.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Confirm } from '../../../ui/dialogs/confirm.tsx';
import { bytes, clock } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { area, goTo } from '../../../ui/layout.ts';
import {
  deleteRecording,
  listError,
  openRecording,
  recordings,
  refreshRecordings,
  running,
} from '../recordings-store.ts';

/** Lists the recordings of the workspace with buttons to open, download and delete them. */
export function RecordingList() {
  const [removing, setRemoving] = useState<string | null>(null);
  useEffect(() => void refreshRecordings(), []);
  const all = recordings.value ?? [];
  return (
    <section class="section" aria-labelledby="recordings-title">
      <h3 id="recordings-title">Recordings</h3>
      {listError.value !== null && (
        <p class="dim pad-x">
          <span class="err">The recordings could not be read: {listError.value}</span>{' '}
          <Button small onClick={() => void refreshRecordings()}>
            Try again
          </Button>
        </p>
      )}
      {recordings.value !== null && all.length === 0 && (
        <p class="dim pad-x">No recordings yet. The record button is at the top right of the scene.</p>
      )}
      <ul class="tasks">
        {all.map((recording) => (
          <Row key={`${recording.name}.${recording.format}`} recording={recording} onRemove={setRemoving} />
        ))}
      </ul>
      {removing !== null && (
        <Dialog open label={`Delete ${removing}?`} onClose={() => setRemoving(null)}>
          <Confirm
            title={`Delete ${removing}?`}
            word="Delete"
            run={() => deleteRecording(removing)}
            onClose={() => setRemoving(null)}
          >
            The file is deleted. {FINAL_NOTE}
          </Confirm>
        </Dialog>
      )}
    </section>
  );
}

interface RowProps {
  readonly recording: Recording;
  readonly onRemove: (name: string) => void;
}

function Row({ recording, onRemove }: RowProps) {
  const { name, format, state, error, reason } = recording;
  const live = state === 'recording';
  const shown = live ? (running.value ?? recording) : recording;
  const open = async () => {
    const from = area.peek();
    if ((await openRecording(name)) && area.peek() === from) goTo('data');
  };
  const problem = error ?? (state === 'cut' ? reason : null);
  return (
    <li>
      <div class="task-row">
        <span class={`dot dot-${live ? 'accent' : error !== null ? 'err' : state === 'cut' ? 'warn' : 'ok'}`} />
        <button
          type="button"
          class="link ellipsis grow"
          title={`Play ${name} in the scene`}
          disabled={live || error !== null}
          onClick={() => void open()}
        >
          {name}
        </button>
        <span class="dim num">
          {format} · {clock(shown.duration)} · {bytes(shown.bytes)}
        </span>
        {!live && (
          <>
            <a
              class="icon-btn"
              href={`api/recordings/${encodeURIComponent(name)}`}
              download
              aria-label={`Download ${name}`}
              title="Download"
            >
              <Icon name="download" />
            </a>
            <IconButton icon="trash" label={`Delete ${name}`} onClick={() => onRemove(name)} />
          </>
        )}
      </div>
      {problem !== null && <p class={error === null ? 'dim' : 'err'}>{problem}</p>}
    </li>
  );
}

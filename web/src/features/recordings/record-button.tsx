import './recordings.css';
import { IconButton } from '../../ui/controls.tsx';
import { bytes, clock } from '../../ui/format.ts';
import { running, toggleRecording } from './recordings-store.ts';

/** A button that starts and stops the recording of the scene. During a recording it shows the duration and the size. */
export function RecordButton() {
  const now = running.value;
  return (
    <div class="tool-group record-tool">
      <IconButton
        icon={now === null ? 'record' : 'stop'}
        label={now === null ? 'Record the motion, to play it again' : `Stop recording ${now.name}`}
        pressed={now !== null}
        onClick={() => void toggleRecording()}
      />
      {now !== null && (
        <span class="num record-figures" role="timer" aria-label="Length and size of the recording">
          {clock(now.duration)} · {bytes(now.bytes)}
        </span>
      )}
    </div>
  );
}

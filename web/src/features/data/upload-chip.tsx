import { Progress } from '../../ui/controls.tsx';
import { dataDialog } from '../../ui/dialogs.ts';
import { whole } from '../../ui/format.ts';
import { upload } from './upload-store.ts';

/** Progress of a running upload, for the top bar. */
export function UploadChip() {
  const now = upload.value;
  if (now === null || now.state !== 'running') return null;
  return (
    <button
      type="button"
      class="top-btn busy-chip"
      aria-label={`Uploading to ${now.dataset}, ${now.done + now.failures.length} of ${now.files} files`}
      title={`Uploading to ${now.dataset}`}
      onClick={() => (dataDialog.value = { kind: 'upload' })}
    >
      <span class="dim ellipsis">Uploading</span>
      <span class="medium num">
        {whole(now.done + now.failures.length)} / {whole(now.files)}
      </span>
      <Progress value={now.bytes === 0 ? null : now.sent / now.bytes} label="Upload" />
    </button>
  );
}

import { useState } from 'preact/hooks';
import { FileRows } from '../../../ui/choose-files.tsx';
import { Button, Progress } from '../../../ui/controls.tsx';
import { dataDialog } from '../../../ui/dialogs.ts';
import { FieldRow, TextField } from '../../../ui/fields.tsx';
import { bytes, count, whole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { messageOf } from '../../../ui/message-of.ts';
import { Empty } from '../../../ui/states.tsx';
import type { Upload } from '../clip-upload.ts';
import { dataset, datasets } from '../data-store.ts';
import type { UploadPlan } from '../upload-plan.ts';
import { cancelUpload, chosenUpload, startUpload, upload } from '../upload-store.ts';
import { closeDialog, DialogHead } from './dialog-head.tsx';

export function UploadDialog() {
  const plan = chosenUpload.value;
  const now = upload.value;
  if (now?.state === 'running') return <Sending now={now} />;
  if (plan !== null) return <Plan key={plan.bytes} plan={plan} />;
  if (now !== null) return <Sent now={now} />;
  return (
    <>
      <DialogHead>Upload clips</DialogHead>
      <Empty title="Nothing is chosen" />
    </>
  );
}

/** Select value for a dataset that is to be created. */
const NEW = '\u0000new';

function Plan({ plan }: { readonly plan: UploadPlan<File> }) {
  const known = (datasets.state.value.value?.datasets ?? []).filter((set) => !set.linked);
  const exists = plan.folder !== null && known.some((set) => set.name === plan.folder);
  const present = dataset.value !== null && !dataset.value.linked ? dataset.value.name : known[0]?.name;
  const [into, setInto] = useState(plan.folder === null ? (present ?? NEW) : exists ? plan.folder : NEW);
  const [name, setName] = useState(plan.folder ?? '');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const isNew = into === NEW;
  const target = isNew ? name.trim() : into;
  const start = async () => {
    setBusy(true);
    try {
      await startUpload(plan, target, isNew);
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  };
  const n = plan.accepted.length;
  return (
    <>
      <DialogHead>Upload {plan.folder ?? count(n, 'clip')}</DialogHead>
      <div class="dialog-form">
        <div class="form-pair">
          <FieldRow label="Into" hint={isNew ? '' : 'Clips of the same name are replaced'}>
            {(ids) => (
              <span class="select boxed">
                <select {...ids} value={into} onChange={(event) => setInto(event.currentTarget.value)}>
                  <option value={NEW}>A new dataset</option>
                  {known.map((set) => (
                    <option key={set.name} value={set.name}>
                      {set.name}
                    </option>
                  ))}
                </select>
                <Icon name="down" small />
              </span>
            )}
          </FieldRow>
          {isNew && (
            <TextField
              label="Name"
              value={name}
              error={error}
              autofocus
              onInput={(value) => {
                setName(value);
                setError(null);
              }}
            />
          )}
        </div>
        {!isNew && error !== null && (
          <p class="note note-err" role="alert">
            <Icon name="warn" />
            {error}
          </p>
        )}
        <p class="num">
          {count(n, 'clip')}
          <span class="dim">, {bytes(plan.bytes)}</span>
          {plan.refused.length > 0 && <span class="dim">, {count(plan.refused.length, 'other file')} left out</span>}
        </p>
        <FileRows rows={plan.refused.map(({ path, reason }) => ({ name: path, note: reason }))} label="Left out" />
      </div>
      <footer class="dialog-foot">
        <span class="grow" />
        <Button
          kind="outline"
          onClick={() => {
            chosenUpload.value = null;
            closeDialog();
          }}
        >
          Cancel
        </Button>
        <Button kind="primary" busy={busy} disabled={n === 0 || target === ''} onClick={() => void start()}>
          Upload {count(n, 'clip')}
        </Button>
      </footer>
    </>
  );
}

function Sending({ now }: { readonly now: Upload }) {
  return (
    <>
      <DialogHead>Uploading to {now.dataset}</DialogHead>
      <div class="dialog-form">
        <div class="upload-total" role="status">
          <Progress value={now.bytes === 0 ? 1 : now.sent / now.bytes} label="All files" />
          <p class="num dim">
            {whole(now.done + now.failures.length)} of {count(now.files, 'file')} · {bytes(now.sent)} of{' '}
            {bytes(now.bytes)}
          </p>
        </div>
        <ul class="upload-rows" aria-label="Files being uploaded">
          {now.active.map(({ name, share }) => (
            <li key={name}>
              <span class="ellipsis grow">{name}</span>
              <Progress value={share} label={name} />
              <span class="num dim">{Math.round(100 * share)} %</span>
            </li>
          ))}
        </ul>
        <FileRows rows={now.failures.map(({ name, reason }) => ({ name, note: reason }))} label="Not uploaded" />
      </div>
      <footer class="dialog-foot">
        <span class="grow" />
        <Button kind="outline" onClick={cancelUpload}>
          Stop
        </Button>
        <Button onClick={closeDialog}>Continue in the background</Button>
      </footer>
    </>
  );
}

function Sent({ now }: { readonly now: Upload }) {
  const bad = now.failures.length > 0;
  return (
    <>
      <DialogHead>
        {now.state === 'cancelled' ? 'Upload stopped' : bad ? 'Some files were not uploaded' : 'Uploaded'}
      </DialogHead>
      <div class="dialog-form">
        <p class="num">
          {whole(now.done)} of {count(now.files, 'file')} {now.done === 1 ? 'is' : 'are'} in {now.dataset}.
        </p>
        <FileRows rows={now.failures.map(({ name, reason }) => ({ name, note: reason }))} label="Not uploaded" />
      </div>
      <footer class="dialog-foot">
        <span class="grow" />
        <Button kind={now.done === 0 ? 'primary' : 'outline'} onClick={closeDialog}>
          Close
        </Button>
        {now.done > 0 && (
          <Button
            kind="primary"
            onClick={() => (dataDialog.value = { kind: 'convert', dataset: now.dataset, clips: null })}
          >
            Convert them
          </Button>
        )}
      </footer>
    </>
  );
}

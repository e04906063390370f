import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { ChooseFiles, FileRows } from '../../ui/choose-files.tsx';
import { Button, Progress } from '../../ui/controls.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ago, bytes, count, whole } from '../../ui/format.ts';
import { robotDialog } from '../robots/robot-dialog-store.ts';
import { imports } from '../robots/robots-store.ts';
import type { Sending } from './folder-upload.ts';
import { chosenFolder, sending } from './sending-store.ts';
import { idNear } from './shared/model-folder.ts';
import { continueUpload, copyFolder, takeModelFiles, takenIds, working } from './wizard-store.ts';

/** Id of the new robot, as typed. */
export const robotId = signal('');

/** The source of the files: this computer, the service's machine, or an unfinished upload. */
export function FilesStep() {
  const folder = chosenFolder.value;
  useEffect(() => {
    if (folder !== null) robotId.value = folder.id;
  }, [folder]);
  return (
    <div class="import-scroll import-form">
      {folder === null ? <Choose /> : <Chosen />}
      {sending.value !== null && <SendingState now={sending.value} />}
      {folder === null && <FromPath />}
      {folder === null && <Unfinished />}
    </div>
  );
}

function Choose() {
  return (
    <section aria-labelledby="from-here">
      <h3 id="from-here">From this computer</h3>
      <ChooseFiles
        title="Drop the robot's folder anywhere on the page"
        hint="MJCF (.xml) or URDF with its meshes. Subfolders are kept."
        filesLabel="Model files"
        folderLabel="Robot folder"
        onChosen={(files) => void takeModelFiles(files)}
      />
    </section>
  );
}

function Chosen() {
  const folder = chosenFolder.value;
  if (folder === null) return null;
  const known = takenIds.value.has(robotId.value.trim());
  const busy = working.value !== null;
  return (
    <section aria-labelledby="chosen-title">
      <div class="import-row">
        <h3 id="chosen-title">Chosen files</h3>
        <span class="grow" />
        <Button
          small
          kind="quiet"
          disabled={busy}
          onClick={() => {
            chosenFolder.value = null;
            sending.value = null;
          }}
        >
          Choose other files
        </Button>
      </div>
      <p class="num">
        {count(folder.files.length, 'file')}
        <span class="dim">, {bytes(folder.bytes)}</span>
        {folder.left > 0 && <span class="dim">, {count(folder.left, 'hidden file')} skipped</span>}
      </p>
      <TextField
        label="ID"
        value={robotId.value}
        mono
        disabled={busy}
        hint={
          known
            ? 'A robot or an upload with this ID exists. Only missing or changed files are uploaded.'
            : 'Names the folder and the tasks of the robot. Letters, digits, dots, underscores and hyphens.'
        }
        onInput={(value) => {
          robotId.value = value;
        }}
      />
      <FileRows rows={folder.files.map(({ file, path }) => ({ name: path, note: bytes(file.size) }))} label="Files" />
    </section>
  );
}

function SendingState({ now }: { readonly now: Sending }) {
  return (
    <section aria-label="Upload">
      <div class="upload-total" role="status">
        <Progress value={now.bytes === 0 ? 1 : now.sent / now.bytes} label="All files" />
        <p class="num dim">
          {whole(now.done)} of {count(now.files, 'file')} · {bytes(now.sent)} of {bytes(now.bytes)}
          {now.there > 0 && ` · ${whole(now.there)} already there`}
          {now.state === 'cancelled' && ' · stopped'}
        </p>
      </div>
      <FileRows rows={now.failures.map(({ path, reason }) => ({ name: path, note: reason }))} label="Refused files" />
    </section>
  );
}

function FromPath() {
  const [source, setSource] = useState('');
  const [id, setId] = useState('');
  const folder =
    source
      .trim()
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) ?? '';
  const suggested = folder === '' ? '' : idNear(folder, takenIds.value);
  const busy = working.value !== null;
  const start = () => {
    if (source.trim() !== '' && !busy) void copyFolder(source.trim(), id.trim() || suggested);
  };
  return (
    <section aria-labelledby="from-service">
      <h3 id="from-service">Folder on the server</h3>
      <form
        class="import-path"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <TextField
          label="Folder"
          value={source}
          mono
          placeholder="/data/robots/g1"
          hint="A path on the machine that runs motion-studio. The folder is copied."
          disabled={busy}
          onInput={setSource}
        />
        <TextField label="ID" value={id} mono placeholder={suggested || 'g1'} disabled={busy} onInput={setId} />
        <Button kind="outline" busy={busy} disabled={source.trim() === ''} onClick={start}>
          Copy folder
        </Button>
      </form>
    </section>
  );
}

function Unfinished() {
  const now = imports.state.value;
  const list = now.value?.unfinished ?? [];
  if (now.error !== null && now.value === null)
    return (
      <p class="err" role="alert">
        {now.error}
      </p>
    );
  if (list.length === 0) return null;
  const draft = now.value?.draft?.id;
  const busy = working.value !== null;
  return (
    <section aria-labelledby="unfinished-title">
      <h3 id="unfinished-title">Unfinished</h3>
      <ul class="import-uploads">
        {list.map((upload) => (
          <li key={upload.id}>
            <span class="grow import-upload">
              <span class="mono semi ellipsis">{upload.id}</span>
              <span class="dim num">
                {count(upload.files, 'file')} · {bytes(upload.bytes)} · {ago(upload.modified, Date.now())}
                {draft === upload.id && ' · draft'}
              </span>
            </span>
            <Button small kind="outline" disabled={busy} onClick={() => void continueUpload(upload.id)}>
              Continue
            </Button>
            <Button
              small
              kind="danger"
              disabled={busy}
              onClick={() => {
                robotDialog.value = { kind: 'remove-upload', id: upload.id };
              }}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

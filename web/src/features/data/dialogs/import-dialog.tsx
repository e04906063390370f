import { useState } from 'preact/hooks';
import { CLIP_ENDINGS } from '../../../../../src/protocol/clip-endings.ts';
import { activeTasks } from '../../../net/busy.ts';
import { ChooseFiles } from '../../../ui/choose-files.tsx';
import { Button, Progress, Segmented, Tabs } from '../../../ui/controls.tsx';
import { dataDialog } from '../../../ui/dialogs.ts';
import { TextField } from '../../../ui/fields.tsx';
import { messageOf } from '../../../ui/message-of.ts';
import { createDataset, importFolder } from '../data-actions.ts';
import { chooseFiles } from '../upload-store.ts';
import { closeDialog, DialogHead, useStillOpen } from './dialog-head.tsx';

export function NewDatasetDialog() {
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const stillOpen = useStillOpen();
  const create = async () => {
    setBusy(true);
    try {
      await createDataset(name.trim());
      if (stillOpen()) closeDialog();
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };
  return (
    <>
      <DialogHead>New dataset</DialogHead>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') void create();
        }}
      >
        <TextField
          label="Name"
          value={name}
          error={error}
          hint="Creates a folder of this name in the workspace"
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
        <Button kind="primary" busy={busy} disabled={name.trim() === ''} onClick={() => void create()}>
          Create
        </Button>
      </footer>
    </>
  );
}

type From = 'files' | 'folder';

export function ImportDialog() {
  const [from, setFrom] = useState<From>('files');
  return (
    <>
      <DialogHead>Import clips</DialogHead>
      <Tabs
        label="From where"
        value={from}
        tabs={[
          ['files', 'From this computer'],
          ['folder', 'Folder on the server'],
        ]}
        onChange={setFrom}
      />
      <div role="tabpanel" aria-labelledby={`tab-${from}`}>
        {from === 'files' ? <FromFiles /> : <FromFolder />}
      </div>
    </>
  );
}

function FromFiles() {
  return (
    <div class="dialog-form">
      <ChooseFiles
        title="Drop clips or a folder anywhere on the page"
        hint="CSV, PKL, NPY, MOTION and NPZ; a folder becomes a dataset of its name."
        filesLabel="Clip files"
        folderLabel="Clip folder"
        accept={CLIP_ENDINGS.join(',')}
        onChosen={(files) => {
          chooseFiles(files);
          dataDialog.value = { kind: 'upload' };
        }}
      />
    </div>
  );
}

function FromFolder() {
  const [source, setSource] = useState('');
  const [name, setName] = useState('');
  const [link, setLink] = useState(false);
  const [busy, setBusy] = useState(false);
  const stillOpen = useStillOpen();
  const [error, setError] = useState<string | null>(null);
  const ofName = error?.startsWith('name:') === true;
  const task = activeTasks.value.find((one) => one.task.startsWith('import'));
  const start = async () => {
    setBusy(true);
    setError(null);
    try {
      const done = await importFolder(source.trim(), name.trim(), link);
      if (done && stillOpen()) closeDialog();
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  };
  return (
    <>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (source.trim() !== '' && !busy) void start();
        }}
      >
        <TextField
          label="Folder"
          value={source}
          placeholder="/data/lafan1/g1"
          mono
          error={ofName ? null : error}
          hint="Path on the machine that runs the service: clips, a LeRobot dataset, a SONIC deploy folder or a TWIST2 yaml"
          autofocus
          onInput={setSource}
        />
        <TextField
          label="Name"
          value={name}
          error={ofName ? error : null}
          hint="Default: the name of the folder"
          onInput={setName}
        />
        <div class="choice-row">
          <div class="grow">
            <p class="medium">Files</p>
            <p class="field-note">
              {link
                ? 'Stay where they are and are never written to. Converted clips go to the workspace.'
                : 'Are copied into the workspace.'}
            </p>
          </div>
          <Segmented
            label="Files"
            value={link ? 'link' : 'copy'}
            options={[
              ['copy', 'Copy'],
              ['link', 'Link'],
            ]}
            onChange={(way) => setLink(way === 'link')}
          />
        </div>
        {busy && (
          <div class="import-progress" role="status">
            <Progress value={task?.progress ?? null} label="Importing" />
            <p class="dim ellipsis">{task?.message || 'Reading the folder'}</p>
          </div>
        )}
      </form>
      <footer class="dialog-foot">
        <span class="dim ellipsis grow">{busy ? 'The import continues when the dialog is closed.' : ''}</span>
        <Button kind="outline" onClick={closeDialog}>
          {busy ? 'Close' : 'Cancel'}
        </Button>
        <Button kind="primary" busy={busy} disabled={source.trim() === ''} onClick={() => void start()}>
          {busy ? 'Importing' : link ? 'Link folder' : 'Copy folder'}
        </Button>
      </footer>
    </>
  );
}

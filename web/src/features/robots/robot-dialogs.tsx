import '../../ui/dialog-forms.css';
import { useEffect, useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import { call } from '../../net/api.ts';
import { FINAL_NOTE, UNDO_NOTE, undoButton } from '../../net/undo.ts';
import { copyText } from '../../ui/clipboard.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { Confirm } from '../../ui/dialogs/confirm.tsx';
import { count } from '../../ui/format.ts';
import { messageOf } from '../../ui/message-of.ts';
import { Failed, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.ts';
import { robotDialog } from './robot-dialog-store.ts';
import { deleteRobot, imports, removeUpload, robots } from './robots-store.ts';

function close(): void {
  robotDialog.value = null;
}

/** The content of the open dialog; loaded with the first dialog that opens. */
export function RobotDialogBody() {
  const now = robotDialog.value;
  if (now === null) return null;
  if (now.kind === 'spec') return <SpecDialog key={now.id} id={now.id} />;
  return now.kind === 'delete' ? <DeleteDialog id={now.id} /> : <RemoveUploadDialog id={now.id} />;
}

function Head({ children }: { readonly children: string }) {
  return (
    <header class="dialog-head">
      <h2 class="ellipsis">{children}</h2>
      <IconButton icon="close" label="Close" hint="Esc" onClick={close} />
    </header>
  );
}

function DeleteDialog({ id }: { readonly id: string }) {
  const summary = robots.state.value.value?.robots.find((robot) => robot.id === id);
  const sets = summary?.datasets.length ?? 0;
  return (
    <Confirm
      title={`Delete ${summary?.name ?? id}?`}
      word="Delete robot"
      onClose={close}
      run={async () => {
        const what = `${summary?.name ?? id} deleted`;
        toast('ok', what, '', undoButton(what, [await deleteRobot(id)]));
      }}
    >
      The folder <span class="mono">{id}</span> with its model files is deleted.
      {summary?.selected === true &&
        ' It is selected: the built-in robot is selected instead, and an open clip is closed.'}
      {sets > 0 && ` Its ${count(sets, 'dataset')} and its runs stay.`} {UNDO_NOTE}
    </Confirm>
  );
}

function RemoveUploadDialog({ id }: { readonly id: string }) {
  const upload = imports.state.value.value?.unfinished.find((one) => one.id === id);
  return (
    <Confirm title={`Remove the upload ${id}?`} word="Remove upload" onClose={close} run={() => removeUpload(id)}>
      {upload === undefined ? 'The uploaded files' : count(upload.files, 'file')} and the settings of the robot are
      deleted. {FINAL_NOTE}
    </Confirm>
  );
}

type SpecReply = ReplyOf<RouteByKey['GET /api/robots/{id}/spec']>;

function SpecDialog({ id }: { readonly id: string }) {
  const [found, setFound] = useState<SpecReply | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    setError(null);
    call('GET /api/robots/{id}/spec', { params: { id } }).then(setFound, (failure: unknown) =>
      setError(messageOf(failure)),
    );
  }, [id, tries]);
  return (
    <>
      <Head>{`${id}/robot.yaml`}</Head>
      <div class="dialog-form">
        {error !== null ? (
          <Failed what="The file could not be read" detail={error} onRetry={() => setTries(tries + 1)} />
        ) : found === null ? (
          <Skeleton rows={10} label="Reading the file" />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
          <pre class="robot-yaml mono" tabIndex={0}>
            {found.yaml}
          </pre>
        )}
      </div>
      <footer class="dialog-foot">
        <span class="grow" />
        <Button
          kind="outline"
          icon="copy"
          disabled={found === null}
          onClick={() => found !== null && void copyText(found.yaml, 'robot.yaml')}
        >
          Copy
        </Button>
        <Button
          kind="outline"
          icon="download"
          disabled={found === null}
          onClick={() => found !== null && download(`${id}.robot.yaml`, found.yaml)}
        >
          Download
        </Button>
      </footer>
    </>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 1000);
}

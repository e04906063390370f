import type { RobotSummary } from '../../../../src/protocol/schemas/robots.ts';
import { Badge, IconButton } from '../../ui/controls.tsx';
import { count, fixed } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { thumbnails } from '../../viewport/view-state.ts';
import { openImport, openRobot } from './import-request-store.ts';
import { robotDialog } from './robot-dialog-store.ts';
import { imports, selecting, selectRobot } from './robots-store.ts';

function figures({ model }: RobotSummary): string {
  if (model === null) return 'Not read yet';
  return `${count(model.joints, 'joint')} · ${fixed(model.mass, 1)} kg · ${fixed(model.height, 2)} m`;
}

export function RobotCard({ summary }: { readonly summary: RobotSummary }) {
  const busy = selecting.value === summary.id;
  const picture = thumbnails.value[summary.id];
  return (
    <div class="card-row">
      <button
        type="button"
        class={`card${summary.selected ? ' on' : ''}`}
        aria-pressed={summary.selected}
        aria-disabled={busy} // a disabled button would lose the focus of the keyboard
        onClick={() => {
          if (!summary.selected && !busy) void selectRobot(summary.id);
        }}
      >
        <span class="thumb">
          {picture === undefined ? <Icon name="robot" /> : <img src={picture} alt="" width="40" height="40" />}
        </span>
        <span class="card-text">
          <span class="card-title">
            <span class="semi ellipsis">{summary.name}</span>
            {summary.source === 'builtin' && <Badge kind="neutral">Built-in</Badge>}
            {summary.error !== null && <Badge kind="error">Cannot be loaded</Badge>}
          </span>
          <span class={`ellipsis num ${summary.error === null ? 'dim' : 'err'}`} title={summary.error ?? undefined}>
            {summary.error ?? figures(summary)}
          </span>
        </span>
        {busy ? (
          <span class="spinner accent" role="status" aria-label={`Selecting ${summary.name}`} />
        ) : (
          summary.selected && <Icon name="check" />
        )}
      </button>
      {summary.source === 'created' && (
        <Menu label={`More actions for ${summary.name}`} button={<Icon name="dots" />} buttonClass="icon-btn" end>
          <MenuItem onSelect={() => openRobot(summary.id)}>
            <Icon name="wiring" />
            Edit
          </MenuItem>
          <MenuItem onSelect={() => (robotDialog.value = { kind: 'spec', id: summary.id })}>
            <Icon name="list" />
            Show robot.yaml
          </MenuItem>
          <MenuItem danger onSelect={() => (robotDialog.value = { kind: 'delete', id: summary.id })}>
            <Icon name="trash" />
            Delete
          </MenuItem>
        </Menu>
      )}
    </div>
  );
}

/** Uploads that are not saved as robots yet. */
export function UnfinishedCards() {
  const now = imports.state.value.value;
  return (
    <>
      {(now?.unfinished ?? []).map((upload) => (
        <li key={`upload ${upload.id}`}>
          <div class="card-row">
            <button type="button" class="card" onClick={() => openImport(upload.id)}>
              <span class="thumb">
                <Icon name="upload" />
              </span>
              <span class="card-text">
                <span class="card-title">
                  <span class="semi ellipsis">{upload.id}</span>
                  <Badge kind="warning">Unfinished import</Badge>
                </span>
                <span class="ellipsis num dim">
                  {count(upload.files, 'file')}
                  {now?.draft?.id === upload.id ? ` · draft of ${now.draft.model}` : ' · not read yet'}
                </span>
              </span>
            </button>
            <IconButton
              icon="trash"
              label={`Remove the upload ${upload.id}`}
              onClick={() => (robotDialog.value = { kind: 'remove-upload', id: upload.id })}
            />
          </div>
        </li>
      ))}
    </>
  );
}

import './data.css';
import { useEffect, useState } from 'preact/hooks';
import type { Clip, Preview } from '../../../../src/protocol/schemas/data.ts';
import { call } from '../../net/api.ts';
import { Badge, Button, IconButton, Segmented, Switch, Tabs } from '../../ui/controls.tsx';
import { count, rate, times } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Lazy } from '../../ui/lazy.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { Empty, Skeleton } from '../../ui/states.tsx';
import { ClipFiles } from './clip-files.tsx';
import { clipAt, dataset, rowOf, rowsVersion } from './data-store.ts';
import { DatasetFacts } from './dataset-facts.tsx';
import { editedClip } from './edit-mode.ts';
import { QaFoot, QaList } from './issue-list.tsx';
import { closePreview, isOpen, loadClip, preview, setOptions } from './preview-store.ts';
import { unreadable } from './unreadable.ts';
import { UnreadableClip } from './unreadable-clip.tsx';

const editPanel = () => import('./edit/parts.ts').then((part) => part.EditPanel);

type Tab = 'qa' | 'display' | 'files' | 'dataset';

/** Shows the inspector in a scrolling pane. */
export function ClipInspectorPane() {
  return (
    <div class="pane-body">
      <ClipInspector />
    </div>
  );
}

/** Shows details of the open clip, or of the selected dataset while no clip is open. */
export function ClipInspector() {
  const [tab, setTab] = useState<Tab>('qa');
  const open = preview.value;
  const refused = unreadable.value;
  const listed = useClip(refused?.dataset ?? open?.dataset ?? null, refused?.clip ?? open?.clip ?? null);
  if (open === null) return <Skeleton rows={6} label="Loading the preview" />;
  if (editedClip.value !== null) return <Lazy load={editPanel} what="The editor" />;
  if (refused !== null) return <UnreadableClip dataset={refused.dataset} name={refused.clip} clip={listed.clip} />;
  if (!isOpen.value) {
    return (
      <>
        {open.error !== null && (
          <p class="note note-err">
            <Icon name="warn" />
            {open.error}
          </p>
        )}
        {dataset.value === null ? (
          <Empty icon="data" title="No clip open">
            <p class="dim">Click a clip to see it on the robot.</p>
          </Empty>
        ) : (
          <DatasetFacts set={dataset.value} alone />
        )}
      </>
    );
  }
  return (
    <>
      <ClipHead open={open} clip={listed.clip} />
      <Tabs
        label="Clip"
        value={tab}
        tabs={[
          open.grid !== null
            ? ['qa', 'Clips', open.grid.clips.length]
            : open.qa === null
              ? ['qa', 'QA']
              : ['qa', 'QA', open.qa.issues.filter(({ ignored }) => !ignored).length],
          ['display', 'Display'],
          ['files', 'Files'],
          ['dataset', 'Dataset'],
        ]}
        onChange={setTab}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <div class="tab-panel tab-scroll" role="tabpanel" tabIndex={0} aria-labelledby={`tab-${tab}`}>
        {tab === 'qa' && (open.grid === null ? <QaList open={open} /> : <GridList grid={open.grid} />)}
        {tab === 'display' && <Display open={open} clip={listed.clip} />}
        {tab === 'files' && <ClipFiles open={open} clip={listed.clip} error={listed.error} />}
        {tab === 'dataset' && dataset.value !== null && <DatasetFacts set={dataset.value} />}
      </div>
      {tab === 'qa' && (open.qa?.issues.length ?? 0) > 0 && <QaFoot />}
    </>
  );
}

function ClipHead({ open, clip }: { readonly open: Preview; readonly clip: Clip | null }) {
  const from = open.source === 'npz' && clip?.source != null ? ` · from ${clip.source.format.toUpperCase()}` : '';
  return (
    <div class="clip-head">
      <div class="clip-head-row">
        <h2 class="ellipsis grow" title={open.clip ?? undefined}>
          {open.clip ?? count(open.grid?.clips.length ?? 0, 'clip')}
        </h2>
        {open.grid !== null ? (
          <Badge kind="neutral">Grid</Badge>
        ) : clip?.stale === true ? (
          <Badge kind="warning">Stale</Badge>
        ) : open.source === 'npz' ? (
          <Badge kind="ok">Converted</Badge>
        ) : (
          <Badge kind="neutral">Raw</Badge>
        )}
        {open.dataset !== null && open.clip !== null && open.grid === null && (
          <Button onClick={() => (editedClip.value = { dataset: open.dataset ?? '', clip: open.clip ?? '' })}>
            Edit
          </Button>
        )}
        <IconButton icon="close" label="Close clip" onClick={() => void closePreview()} />
      </div>
      <p class="dim num ellipsis">
        {count(open.frames, 'frame')} · {rate(open.fps)} fps{from}
      </p>
    </div>
  );
}

/** Returns the listing entry of the open clip: from the loaded pages, otherwise fetched by name. */
function useClip(set: string | null, name: string | null): { clip: Clip | null; error: string | null } {
  const [found, setFound] = useState<{ clip: Clip | null; error: string | null }>({ clip: null, error: null });
  const version = rowsVersion.value;
  useEffect(() => {
    if (set === null || name === null) return setFound({ clip: null, error: null });
    const row = dataset.peek()?.name === set ? rowOf(name) : -1;
    const listed = row < 0 ? null : clipAt(row);
    if (listed !== null) return setFound({ clip: listed, error: null });
    const stop = new AbortController();
    call('GET /api/data/clips', { query: { dataset: set, q: name, size: 1000 }, signal: stop.signal }).then(
      (reply) => setFound({ clip: reply.clips.find((clip) => clip.name === name) ?? null, error: null }),
      (error: unknown) => {
        if (!stop.signal.aborted) setFound({ clip: null, error: messageOf(error) });
      },
    );
    return () => stop.abort();
  }, [set, name, version]);
  return found;
}

interface TabProps {
  readonly open: Preview;
  readonly clip: Clip | null;
}

function Display({ open, clip }: TabProps) {
  const { options, source } = open;
  const hasNpz = source === 'npz' || (clip?.raw === true && clip.status === 'converted');
  const both = clip?.raw === true && hasNpz;
  return (
    <div class="switches">
      {open.grid === null && (
        <div class="switch-row">
          <span>Shown from</span>
          {both ? (
            <Segmented
              label="Shown from"
              value={source ?? 'raw'}
              options={[
                ['npz', 'Converted'],
                ['raw', 'Raw'],
              ]}
              onChange={(next) => {
                if (open.dataset !== null && open.clip !== null && next !== source)
                  void loadClip(open.dataset, open.clip, next);
              }}
            />
          ) : (
            <span class="dim">{source === 'npz' ? 'converted clip' : 'raw file'}</span>
          )}
        </div>
      )}
      <Switch
        label="Ghost: source clip"
        on={options.ghost}
        disabled={open.grid !== null || source !== 'npz' || clip?.raw === false}
        {...(source === 'npz' ? {} : { title: 'Only a converted clip has a ghost: its source clip' })}
        onChange={(ghost) => void setOptions({ ghost })}
      />
      <Switch label="Key bodies" on={options.keybodies} onChange={(keybodies) => void setOptions({ keybodies })} />
      <Switch label="Contacts" on={options.contacts} onChange={(contacts) => void setOptions({ contacts })} />
      <Switch label="Trail" on={options.trail} onChange={(trail) => void setOptions({ trail })} />
      <Switch label="Loop" on={options.loop} onChange={(loop) => void setOptions({ loop })} />
      <p class="dim num">Plays at {times(options.speed)} of real time. Everyone who watches sees the same.</p>
    </div>
  );
}

/** Lists the clips of the grid in display order. A click on a clip opens only this clip. */
function GridList({ grid }: { readonly grid: NonNullable<Preview['grid']> }) {
  return (
    <ol class="grid-list">
      {grid.clips.map((name, k) => (
        <li key={name}>
          <button type="button" onClick={() => void loadClip(grid.dataset, name)}>
            <span class="dim num">{k + 1}</span>
            <span class="ellipsis">{name}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

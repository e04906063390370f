import { useEffect, useState } from 'preact/hooks';
import type { Clip, Preview } from '../../../../src/protocol/schemas/data.ts';
import { bytes, clock, count, rate, times, whole } from '../../logic/format.ts';
import { call, messageOf } from '../../net/api.ts';
import { Badge, IconButton, Switch, Tabs } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, Skeleton } from '../../parts/states.tsx';
import { clipAt, rowOf, rowsVersion } from '../../service/data.ts';
import { closePreview, duration, isOpen, preview, setOptions } from '../../service/preview.ts';

type Tab = 'clip' | 'display';

export function ClipInspector() {
  const [tab, setTab] = useState<Tab>('clip');
  const open = preview.value;
  if (open === null) return <Skeleton rows={6} label="Loading the preview" />;
  if (open.error !== null && !isOpen.value) {
    return (
      <Empty icon="warn" title="The clip could not be loaded">
        <p class="dim">{open.error}</p>
      </Empty>
    );
  }
  if (!isOpen.value) {
    return (
      <Empty icon="data" title="No clip open">
        <p class="dim">Click a clip to see it on the robot.</p>
      </Empty>
    );
  }
  return (
    <>
      <div class="clip-head">
        <div class="clip-head-row">
          <h2 class="ellipsis grow">{open.clip ?? `${open.grid?.clips.length ?? 0} clips`}</h2>
          {open.source === 'npz' ? <Badge kind="ok">Converted</Badge> : <Badge kind="neutral">Raw</Badge>}
          <IconButton icon="close" label="Close clip" onClick={() => void closePreview()} />
        </div>
        <p class="dim num">
          {count(open.frames, 'frame')} · {rate(open.fps)} fps
        </p>
      </div>
      <Tabs
        label="Clip"
        value={tab}
        tabs={[
          ['clip', 'Clip'],
          ['display', 'Display'],
        ]}
        onChange={setTab}
      />
      <div class="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'clip' ? <Facts open={open} /> : <Display open={open} />}
      </div>
    </>
  );
}

/** The listing's entry of the open clip: at hand, or asked for by its name. */
function useClip(dataset: string | null, name: string | null): { clip: Clip | null; error: string | null } {
  const [found, setFound] = useState<{ clip: Clip | null; error: string | null }>({ clip: null, error: null });
  const version = rowsVersion.value;
  useEffect(() => {
    if (dataset === null || name === null) return;
    const row = rowOf(name);
    const listed = row < 0 ? null : clipAt(row);
    if (listed !== null) return setFound({ clip: listed, error: null });
    const stop = new AbortController();
    call('GET /api/data/clips', { query: { dataset, q: name, size: 1000 }, signal: stop.signal }).then(
      (reply) => setFound({ clip: reply.clips.find((clip) => clip.name === name) ?? null, error: null }),
      (error: unknown) => {
        if (!stop.signal.aborted) setFound({ clip: null, error: messageOf(error) });
      },
    );
    return () => stop.abort();
  }, [dataset, name, version]);
  return found;
}

function Facts({ open }: { readonly open: Preview }) {
  const { clip, error } = useClip(open.dataset, open.clip);
  const [now] = useState(Date.now());
  const modified = clip === null ? null : new Date(clip.modified);
  return (
    <dl class="facts">
      <Fact name="Dataset" value={open.dataset ?? '–'} />
      <Fact name="Length" value={clock(duration.value, 2)} unit="m:s" />
      <Fact name="Frames" value={whole(open.frames)} />
      <Fact name="Frame rate" value={rate(open.fps)} unit="fps" />
      <Fact name="Shown from" value={open.source === 'npz' ? 'converted clip' : 'raw file'} />
      {clip?.source != null && <Fact name="File" value={clip.source.file} mono />}
      {clip?.source != null && <Fact name="Format" value={`${clip.source.format}, ${bytes(clip.source.bytes)}`} />}
      {modified !== null && (
        <Fact
          name="Modified"
          value={modified.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
          title={`${Math.round((now - modified.getTime()) / 86_400_000)} days ago`}
        />
      )}
      {error !== null && (
        <p class="err note">
          <Icon name="warn" />
          {error}
        </p>
      )}
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  readonly mono?: boolean;
  readonly title?: string;
}

function Fact({ name, value, unit, mono = false, title }: FactProps) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd class={mono ? 'mono ellipsis' : 'num ellipsis'} title={mono ? value : undefined}>
        {value}
        {unit !== undefined && <span class="dim"> {unit}</span>}
      </dd>
    </div>
  );
}

function Display({ open: { options } }: { readonly open: Preview }) {
  return (
    <div class="switches">
      <Switch label="Key bodies" on={options.keybodies} onChange={(keybodies) => void setOptions({ keybodies })} />
      <Switch label="Contacts" on={options.contacts} onChange={(contacts) => void setOptions({ contacts })} />
      <Switch label="Trail" on={options.trail} onChange={(trail) => void setOptions({ trail })} />
      <Switch label="Loop" on={options.loop} onChange={(loop) => void setOptions({ loop })} />
      <p class="dim num">Plays at {times(options.speed)} of real time. Everyone who watches sees the same.</p>
    </div>
  );
}

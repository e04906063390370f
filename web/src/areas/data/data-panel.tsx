import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import { count, fixed, whole } from '../../logic/format.ts';
import { Segmented } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, WithLoaded } from '../../parts/states.tsx';
import { chooseDataset, dataset, datasets, listing, search, statusFilter } from '../../service/data.ts';
import { robot } from '../../service/robots.ts';
import { layout } from '../../state/ui.ts';
import { ClipTable } from './clip-table.tsx';

type DatasetList = ReplyOf<RouteByKey['GET /api/data/datasets']>;

export function DataPanel() {
  return (
    <>
      <header class="pane-head">
        <h2>Data</h2>
        {robot.state.value.value !== null && <span class="dim ellipsis">of {robot.state.value.value.name}</span>}
      </header>
      <WithLoaded
        loaded={datasets.state.value}
        what="The datasets could not be read"
        retry={() => void datasets.refresh()}
        rows={8}
      >
        {(value: DatasetList) =>
          value.datasets.length === 0 ? <NoDatasets robot={value.robot} /> : <Browser list={value.datasets} />
        }
      </WithLoaded>
    </>
  );
}

function NoDatasets({ robot: id }: { readonly robot: string }) {
  return (
    <Empty icon="data" title="No datasets yet">
      <p class="dim">
        A folder of CSV clips below <code>data/{id}/</code> in the workspace shows up here within seconds.
      </p>
    </Empty>
  );
}

function Browser({ list }: { readonly list: readonly DatasetCounts[] }) {
  const chosen = dataset.value;
  if (layout.value === 'phone') {
    return chosen !== null && <Clips set={chosen} lead={<DatasetChoice list={list} chosen={chosen} />} />;
  }
  return (
    <>
      <div class="datasets">
        <div class="datasets-head" aria-hidden="true">
          <span class="grow">Dataset</span>
          <span>Converted / source</span>
          <span class="dataset-length">Length</span>
        </div>
        <ul aria-label="Datasets">
          {list.map((set) => (
            <li key={set.name}>
              <DatasetRow set={set} on={set.name === chosen?.name} />
            </li>
          ))}
        </ul>
      </div>
      {chosen !== null && <Clips set={chosen} />}
    </>
  );
}

/** The datasets where there is no room for a list of them. */
function DatasetChoice({
  list,
  chosen,
}: {
  readonly list: readonly DatasetCounts[];
  readonly chosen: DatasetCounts | null;
}) {
  return (
    <label class="select dataset-choice">
      <span class="visually-hidden">Dataset</span>
      <select value={chosen?.name ?? ''} onChange={(event) => chooseDataset(event.currentTarget.value)}>
        {list.map((set) => (
          <option key={set.name} value={set.name}>
            {set.name} · {count(Math.max(set.source, set.converted), 'clip')}
          </option>
        ))}
      </select>
      <Icon name="down" small />
    </label>
  );
}

function DatasetRow({ set, on }: { readonly set: DatasetCounts; readonly on: boolean }) {
  const whole01 = set.source > 0 ? set.converted / set.source : set.converted > 0 ? 1 : 0;
  return (
    <button
      type="button"
      class={`dataset${on ? ' on' : ''}`}
      aria-pressed={on}
      title={set.path}
      onClick={() => chooseDataset(set.name)}
    >
      <Icon name={set.error != null ? 'warn' : set.linked ? 'link' : 'folder'} />
      <span class="medium ellipsis dataset-name">{set.name}</span>
      <span class={`coverage${whole01 >= 1 ? ' full' : ''}`} aria-hidden="true">
        <span style={{ width: `${100 * Math.min(1, whole01)}%` }} />
      </span>
      <span class="num dim dataset-counts">
        {whole(set.converted)} / {whole(set.source)}
      </span>
      <span class="num dim dataset-length">{set.scan === null ? '–' : `${fixed(set.scan.hours, 2)} h`}</span>
    </button>
  );
}

const SEARCH_AFTER_MS = 150;

/** @param lead stands before the search */
function Clips({ set, lead }: { readonly set: DatasetCounts; readonly lead?: ComponentChildren }) {
  const [typed, setTyped] = useState(search.peek());
  useEffect(() => {
    const timer = window.setTimeout(() => {
      search.value = typed;
    }, SEARCH_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const clips = Math.max(set.source, set.converted);
  const { total } = listing.value;
  return (
    <>
      <div class="clip-tools">
        {lead}
        <label class="field search-field">
          <Icon name="search" />
          <input
            id="clip-search"
            type="search"
            aria-label="Search clips"
            placeholder={`Search ${count(clips, 'clip')}, * and ? work`}
            spellcheck={false}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.stopPropagation();
              if (typed === '') event.currentTarget.blur();
              else setTyped('');
            }}
          />
        </label>
        <Segmented
          label="Status"
          value={statusFilter.value}
          options={[
            ['all', 'All'],
            ['converted', 'Converted'],
            ['missing', 'Missing'],
          ]}
          onChange={(status) => {
            statusFilter.value = status;
          }}
        />
      </div>
      {set.error != null && (
        <p class="note note-err">
          <Icon name="warn" />
          {set.error}
        </p>
      )}
      <ClipTable set={set} />
      <footer class="pane-foot">
        <span class="dim num" role="status" aria-label="Clips found">
          {total === null
            ? 'Looking for clips'
            : total === clips
              ? count(total, 'clip')
              : `${whole(total)} of ${count(clips, 'clip')}`}
          {set.missing > 0 && total === clips && ` · ${whole(set.missing)} not converted`}
        </span>
      </footer>
    </>
  );
}

import './data.css';
import '../../ui/lists.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import { activeTasks } from '../../net/busy.ts';
import { Button, Segmented } from '../../ui/controls.tsx';
import { dataDialog } from '../../ui/dialogs.ts';
import { count } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { layout } from '../../ui/layout.ts';
import { Lazy } from '../../ui/lazy.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Empty, WithLoaded } from '../../ui/states.tsx';
import { ClipTable } from './clip-table.tsx';
import { ClipsFoot } from './clips-foot.tsx';
import { scanDataset } from './data-actions.ts';
import { dataset, datasets, filters, search } from './data-store.ts';
import { DatasetChoice, DatasetList } from './dataset-list.tsx';
import { FilterChips } from './filter-chips.tsx';
import { showListedGrid } from './listed-clips.ts';
import { clipsOf } from './shared/counts.ts';
import { uploading } from './upload-store.ts';

type DatasetReply = ReplyOf<RouteByKey['GET /api/data/datasets']>;

export function DataPanel() {
  return (
    <>
      {layout.value !== 'phone' && (
        <header class="pane-head">
          <h2>Data</h2>
          <span class="grow" />
          <ImportButton />
          <DatasetMenu set={dataset.value} />
        </header>
      )}
      <WithLoaded
        loaded={datasets.state.value}
        what="The datasets could not be read"
        retry={() => void datasets.refresh()}
        rows={8}
      >
        {(value: DatasetReply) =>
          value.datasets.length === 0 ? <NoDatasets robot={value.robot} /> : <Browser list={value.datasets} />
        }
      </WithLoaded>
    </>
  );
}

function ImportButton() {
  if (uploading.value) {
    return (
      <Button icon="upload" onClick={() => (dataDialog.value = { kind: 'upload' })}>
        Uploading
      </Button>
    );
  }
  return (
    <Button icon="upload" onClick={() => (dataDialog.value = { kind: 'import' })}>
      Import
    </Button>
  );
}

/** Menu with all actions on the selected dataset. */
function DatasetMenu({
  set,
  withImport = false,
}: {
  readonly set: DatasetCounts | null;
  readonly withImport?: boolean;
}) {
  const clips = set === null ? 0 : clipsOf(set);
  return (
    <Menu label="Dataset actions" button={<Icon name="dots" />} buttonClass="icon-btn" end>
      {withImport && (
        <MenuItem onSelect={() => (dataDialog.value = { kind: uploading.peek() ? 'upload' : 'import' })}>
          <Icon name="upload" />
          Import clips
        </MenuItem>
      )}
      <MenuItem onSelect={() => (dataDialog.value = { kind: 'new' })}>
        <Icon name="plus" />
        New dataset
      </MenuItem>
      {set !== null && (
        <>
          <MenuItem
            disabled={set.source === 0}
            onSelect={() => (dataDialog.value = { kind: 'convert', dataset: set.name, clips: null })}
          >
            <Icon name="loop" />
            Convert
          </MenuItem>
          <MenuItem disabled={clips === 0} onSelect={() => void scanDataset(set.name)}>
            <Icon name="ruler" />
            Read clip lengths
          </MenuItem>
          <MenuItem disabled={clips === 0} onSelect={() => void showListedGrid(set.name, 16)}>
            <Icon name="grid" />
            Show a grid
          </MenuItem>
          <MenuItem onSelect={() => (dataDialog.value = { kind: 'rename', dataset: set.name, clip: null })}>
            <Icon name="heading" />
            Rename
          </MenuItem>
          <MenuItem danger onSelect={() => (dataDialog.value = { kind: 'delete-dataset', dataset: set.name })}>
            <Icon name="trash" />
            <span class="ellipsis">Delete {set.name}</span>
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function NoDatasets({ robot: id }: { readonly robot: string }) {
  const importing = activeTasks.value.some((task) => task.task.startsWith('import'));
  return (
    <Empty icon="data" title="No datasets yet">
      <p class="dim">
        Drop CSV, PKL or NPZ clips anywhere on the page, or copy a folder of them to <code>data/{id}/</code> in the
        workspace.
      </p>
      <Button kind="primary" icon="upload" busy={importing} onClick={() => (dataDialog.value = { kind: 'import' })}>
        {importing ? 'Importing' : 'Import clips'}
      </Button>
    </Empty>
  );
}

function Browser({ list }: { readonly list: readonly DatasetCounts[] }) {
  const chosen = dataset.value;
  if (layout.value === 'phone') {
    return (
      chosen !== null && (
        <Clips
          set={chosen}
          lead={<DatasetChoice list={list} chosen={chosen} />}
          tail={<DatasetMenu set={chosen} withImport />}
        />
      )
    );
  }
  return (
    <>
      <DatasetList list={list} chosen={chosen} />
      {chosen !== null && <Clips set={chosen} />}
    </>
  );
}

const SEARCH_AFTER_MS = 150;
const filterMenu = () => import('./filter-menu.tsx').then((part) => part.FilterMenu);

interface ClipsProps {
  readonly set: DatasetCounts;
  /** shown before the search field */
  readonly lead?: ComponentChildren;
  /** shown after the search field */
  readonly tail?: ComponentChildren;
}

function Clips({ set, lead, tail }: ClipsProps) {
  const [typed, setTyped] = useState(search.peek());
  useEffect(() => {
    const timer = window.setTimeout(() => {
      search.value = typed;
    }, SEARCH_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
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
            placeholder={`Search ${count(clipsOf(set), 'clip')}`}
            title="A part of the name, or a pattern such as walk_*"
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
        {tail}
        <Segmented
          label="Status"
          value={filters.value.status ?? 'all'}
          options={[
            ['all', 'All'],
            ['converted', 'Converted'],
            ['missing', 'Not converted'],
          ]}
          onChange={(status) => {
            filters.value = { ...filters.peek(), status };
          }}
        />
        <Menu
          label="Sort and filter"
          button={<Icon name="list" />}
          buttonClass={Object.keys(filters.value).some((key) => key !== 'status') ? 'icon-btn on' : 'icon-btn'}
          end
        >
          <Lazy load={filterMenu} what="The menu" />
        </Menu>
      </div>
      <FilterChips />
      {set.error != null && (
        <p class="note note-err">
          <Icon name="warn" />
          {set.error}
        </p>
      )}
      <ClipTable set={set} />
      <ClipsFoot set={set} />
    </>
  );
}

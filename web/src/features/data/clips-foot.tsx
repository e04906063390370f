import { useEffect, useState } from 'preact/hooks';
import type { DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { dataDialog } from '../../ui/dialogs.ts';
import { count, whole } from '../../ui/format.ts';
import { failed } from '../../ui/toasts.ts';
import { liveJobs } from '../jobs/jobs-store.ts';
import { GRID_MOST } from './clip-preview.ts';
import { openMarks } from './curation.ts';
import { clipAt, filters, listing, rowsVersion, search, ticked, untickAll } from './data-store.ts';
import { countListedMissing, listedNames, SELECT_MOST, showListedGrid } from './listed-clips.ts';
import { loadGrid, loadingGrid } from './preview-store.ts';
import { clipsOf } from './shared/counts.ts';
import { onlyFilters } from './sorts.ts';

/** Foot of the clip table. Shows counts and the suggested next step, or, if clips are selected, actions on these
 *  clips. */
export function ClipsFoot({ set }: { readonly set: DatasetCounts }) {
  const names = ticked.value;
  return (
    <footer class={names.size > 0 ? 'pane-foot bulk' : 'pane-foot'}>
      {names.size > 0 ? <Bulk set={set} names={[...names]} /> : <NextStep set={set} />}
    </footer>
  );
}

function Bulk({ set, names }: { readonly set: DatasetCounts; readonly names: readonly string[] }) {
  const tooMany = names.length > GRID_MOST;
  return (
    <>
      <IconButton icon="close" label="Deselect all" onClick={untickAll} />
      <span class="num ellipsis grow" role="status" aria-label="Selected clips">
        {whole(names.length)} selected
      </span>
      <IconButton
        icon="grid"
        label={tooMany ? `A grid shows at most ${GRID_MOST} clips` : 'Show as a grid'}
        disabled={tooMany || loadingGrid.value}
        onClick={() => void loadGrid(set.name, names)}
      />
      <Button kind="outline" onClick={() => openMarks(set.name, names)}>
        Mark
      </Button>
      <Button
        kind="danger"
        onClick={() => (dataDialog.value = { kind: 'delete-clips', dataset: set.name, clips: names })}
      >
        Delete
      </Button>
      <Button kind="primary" onClick={() => (dataDialog.value = { kind: 'convert', dataset: set.name, clips: names })}>
        Convert {whole(names.length)}
      </Button>
    </>
  );
}

function NextStep({ set }: { readonly set: DatasetCounts }) {
  const { total } = listing.value;
  const clips = clipsOf(set);
  const { status = 'all' } = filters.value;
  const narrowed = Object.keys(onlyFilters(filters.value)).length > 0;
  const filtered = search.value.trim() !== '' || status !== 'all' || narrowed;
  const issues = issuesListed();
  const facts = [
    total === null
      ? 'Looking for clips'
      : filtered
        ? `${whole(total)} of ${count(Math.max(clips, total), 'clip')}`
        : count(total, 'clip'),
    ...(issues !== null && issues > 0 ? [count(issues, 'finding')] : []),
  ];
  const failing = set.failed > 0 && filters.value.failed !== true;
  return (
    <>
      <span class="dim num ellipsis grow" role="status" aria-label="Clips found">
        {facts.join(' · ')}
      </span>
      {failing && (
        <button
          type="button"
          class="link num foot-failed"
          title="Show the clips whose conversion failed"
          onClick={() => (filters.value = { failed: true })}
        >
          {whole(set.failed)} failed
        </button>
      )}
      {filtered && total !== null && total > 0 && (
        <Button
          icon="grid"
          kind="outline"
          disabled={loadingGrid.value}
          title={`Show the ${total > GRID_MOST ? `first ${GRID_MOST}` : 'listed'} clips side by side`}
          onClick={() => void showListedGrid(set.name, Math.min(GRID_MOST, total))}
        >
          Grid
        </Button>
      )}
      <ConvertStep set={set} filtered={filtered} />
    </>
  );
}

/** Button that converts the clips that are not converted yet: those of the whole dataset, or the listed ones while a
 *  search or a filter narrows the table. */
function ConvertStep({ set, filtered }: { readonly set: DatasetCounts; readonly filtered: boolean }) {
  const listed = useListedMissing(filtered);
  const job = liveJobs.value.find((one) => one.kind === 'convert' && one.dataset === set.name);
  const convertListed = async () => {
    try {
      const names = await listedNames('missing');
      if (names !== null) dataDialog.value = { kind: 'convert', dataset: set.name, clips: names };
    } catch (error) {
      failed('The listed clips could not be read', error);
    }
  };
  if (job !== undefined) {
    return (
      <Button
        busy
        onClick={() => {
          // The button shows that the conversion runs; a busy button cannot be clicked.
        }}
      >
        Converting
      </Button>
    );
  }
  const missing = filtered ? listed : set.missing;
  if (missing === null || missing === 0) return null;
  const retry = filters.value.failed === true;
  const tooMany = filtered && missing > SELECT_MOST;
  return (
    <Button
      kind="primary"
      disabled={tooMany}
      {...(tooMany
        ? { title: `At most ${whole(SELECT_MOST)} listed clips are converted at once: narrow the search` }
        : {})}
      onClick={() => {
        if (filtered) void convertListed();
        else dataDialog.value = { kind: 'convert', dataset: set.name, clips: null };
      }}
    >
      {retry ? 'Retry' : 'Convert'} {whole(missing)}
      {filtered && !retry && <span class="roomy"> listed</span>}
    </Button>
  );
}

/** Returns how many of the listed clips are not converted; null if unknown. @param filtered false: does not ask the
 *  service */
function useListedMissing(filtered: boolean): number | null {
  const [missing, setMissing] = useState<number | null>(null);
  const { key } = listing.value;
  const version = rowsVersion.value;
  useEffect(() => {
    if (!filtered) return setMissing(null);
    let gone = false;
    countListedMissing().then(
      (n) => gone || setMissing(n),
      () => gone || setMissing(null), // The table itself shows that the clips cannot be listed.
    );
    return () => {
      gone = true;
    };
  }, [filtered, key, version]);
  return missing;
}

/** Returns the number of issues of all listed clips; null until every page is loaded. */
function issuesListed(): number | null {
  const total = listing.value.total ?? 0;
  void rowsVersion.value;
  let issues = 0;
  let known = false;
  for (let row = 0; row < total; row++) {
    const clip = clipAt(row);
    if (clip === null) return null;
    known ||= clip.qa !== null;
    issues += clip.qa?.issues ?? 0;
  }
  return known ? issues : null;
}

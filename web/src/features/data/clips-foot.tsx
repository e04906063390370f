import type { DatasetCounts } from '../../../../src/protocol/schemas/data.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { dataDialog } from '../../ui/dialogs.ts';
import { count, whole } from '../../ui/format.ts';
import { liveJobs } from '../jobs/jobs-store.ts';
import { GRID_MOST } from './clip-preview.ts';
import { openMarks } from './curation.ts';
import { clipAt, filters, listing, rowsVersion, search, ticked, untickAll } from './data-store.ts';
import { loadGrid, loadingGrid } from './preview-store.ts';
import { clipsOf } from './shared/counts.ts';

/** Foot of the clip table. Shows counts and the suggested next step, or, if clips are ticked, actions on these clips. */
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
      <IconButton icon="close" label="Untick all" onClick={untickAll} />
      <span class="num ellipsis grow" role="status" aria-label="Ticked clips">
        {whole(names.length)} ticked
      </span>
      <IconButton
        icon="grid"
        label={tooMany ? `A grid shows at most ${GRID_MOST} clips` : 'Show as a grid'}
        disabled={tooMany || loadingGrid.value}
        onClick={() => void loadGrid(set.name, { names })}
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
  const { sort: _sort, order: _order, status = 'all', ...only } = filters.value;
  const narrowed = Object.keys(only).length > 0;
  const filtered = search.value.trim() !== '' || status !== 'all' || narrowed;
  const issues = issuesListed();
  const facts = [
    total === null
      ? 'Looking for clips'
      : filtered
        ? `${whole(total)} of ${count(Math.max(clips, total), 'clip')}`
        : count(total, 'clip'),
    ...(set.missing > 0 && !filtered ? [`${whole(set.missing)} missing`] : []),
    ...(set.failed > 0 && !filtered ? [`${whole(set.failed)} failed`] : []),
    ...(issues !== null && issues > 0 ? [count(issues, 'issue')] : []),
  ];
  const job = liveJobs.value.find((one) => one.kind === 'convert' && one.dataset === set.name);
  return (
    <>
      <span class="dim num ellipsis grow" role="status" aria-label="Clips found">
        {facts.join(' · ')}
      </span>
      {filtered && !narrowed && total !== null && total > 0 && (
        <Button
          icon="grid"
          kind="outline"
          disabled={loadingGrid.value}
          title={`Show the ${total > GRID_MOST ? `first ${GRID_MOST}` : 'listed'} clips side by side`}
          onClick={() => void loadGrid(set.name, { q: search.peek().trim(), count: Math.min(GRID_MOST, total) })}
        >
          Grid
        </Button>
      )}
      {job !== undefined ? (
        <Button busy onClick={() => {}}>
          Converting
        </Button>
      ) : (
        set.missing > 0 && (
          <Button
            kind="primary"
            onClick={() => (dataDialog.value = { kind: 'convert', dataset: set.name, clips: null })}
          >
            Convert {whole(set.missing)}
            <span class="roomy"> missing</span>
          </Button>
        )
      )}
    </>
  );
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

import './run-browser.css';
import { useState } from 'preact/hooks';
import { UNDO_NOTE } from '../../net/undo.ts';
import { Button, IconButton, Segmented } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Confirm } from '../../ui/dialogs/confirm.tsx';
import { count, whole } from '../../ui/format.ts';
import { inspectorOpen, layout, showInspector, showPanel } from '../../ui/layout.ts';
import { Empty } from '../../ui/states.tsx';
import { MOST_ENTRIES, openCompare } from '../play/compare-store.ts';
import { allRuns } from '../runs/runs-store.ts';
import { CurvesView } from '../train/shared/curves-view.tsx';
import {
  chosenRun,
  deleteRuns,
  hiddenTicked,
  MOST_COMPARED,
  nameOf,
  type RunView,
  tickedRuns,
  view,
} from './run-browser-store.ts';
import { RunTable } from './run-table.tsx';
import { SettingsDiff } from './settings-diff.tsx';

/** Maximum number of runs named in a dialog; the others are counted. */
const NAMED = 5;

/** Runs that are about to be deleted. */
interface Asked {
  readonly paths: readonly string[];
  /** number of them that the filter hides */
  readonly hidden: number;
}

/** Shows the table of runs, or the curves or the settings of the checked runs. */
export function RunsMain() {
  const now = view.value;
  const ticked = tickedRuns.value;
  const shown = (ticked.length > 0 ? ticked : chosenRun.value ? [chosenRun.value.path] : []).slice(0, MOST_COMPARED);
  return (
    <section class="runs-main" aria-label="Views of the runs">
      <Tools ticked={ticked} />
      {now === 'table' && <RunTable />}
      {now === 'curves' && shown.length > 0 && (
        <div class="runs-body">
          <CurvesView
            sources={shown.map((path) => ({ key: path, label: nameOf(path), job: null, run: path }))}
            until={0}
            empty="These runs have no curves in this group"
          />
        </div>
      )}
      {now === 'settings' && shown.length > 0 && <SettingsDiff paths={shown} />}
      {now !== 'table' && shown.length === 0 && (
        <Empty icon="train" title="No run is selected">
          <p class="dim">Tick two to {MOST_COMPARED} runs in the table to compare them.</p>
        </Empty>
      )}
    </section>
  );
}

function Tools({ ticked }: { readonly ticked: readonly string[] }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const hidden = hiddenTicked.value;
  const close = () => setAsked(null);
  const size = layout.value;
  const playable = ticked.filter(
    (path) => allRuns.state.value.value?.find((run) => run.path === path)?.unplayable === null,
  );
  const canCompare = playable.length >= 2 && playable.length <= MOST_ENTRIES;
  return (
    <div class="runs-tools">
      <Segmented
        label="View of the runs"
        value={view.value}
        options={[
          ['table', 'Table'],
          ['curves', 'Curves'],
          ['settings', 'Settings'],
        ]}
        onChange={(next: RunView) => {
          view.value = next;
        }}
      />
      <span class="dim num" role="status">
        {ticked.length > 0 && `${ticked.length} selected`}
        {hidden > 0 && `, ${hidden} hidden by the filter`}
      </span>
      <span class="grow" />
      <Button
        small
        icon="compare"
        disabled={!canCompare}
        title={canCompare ? 'Plays the policies side by side' : `Select 2 to ${MOST_ENTRIES} runs that can be played`}
        onClick={() => openCompare(playable.map((run) => ({ run })))}
      >
        Compare in Play
      </Button>
      <Button small icon="trash" disabled={ticked.length === 0} onClick={() => setAsked({ paths: ticked, hidden })}>
        Delete
      </Button>
      {size === 'narrow' && <IconButton icon="list" label="Filter runs" onClick={() => showPanel(true)} />}
      {size !== 'phone' && !(size === 'wide' && inspectorOpen.value) && (
        <IconButton icon="panel" label="Show the run" onClick={() => showInspector(true)} />
      )}
      <Dialog open={asked !== null} label="Delete runs" onClose={close}>
        {asked !== null && (
          <Confirm
            title={`Delete ${count(asked.paths.length, 'run')}?`}
            word="Delete"
            onClose={close}
            run={() => deleteRuns(asked.paths)}
          >
            <span class="mono named">{namesOf(asked.paths)}</span>.{' '}
            {asked.hidden > 0 && `${asked.hidden} of them ${asked.hidden === 1 ? 'is' : 'are'} hidden by the filter. `}
            Their checkpoints, curves and settings are deleted. {UNDO_NOTE}
          </Confirm>
        )}
      </Dialog>
    </div>
  );
}

function namesOf(paths: readonly string[]): string {
  const more = paths.length - NAMED;
  return paths.slice(0, NAMED).map(nameOf).join(', ') + (more > 0 ? ` and ${whole(more)} more` : '');
}

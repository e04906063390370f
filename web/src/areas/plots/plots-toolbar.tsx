import type { Layout } from '../../logic/plots/channels.ts';
import type { PlotData } from '../../logic/plots/plot-data.ts';
import { clockLabel } from '../../logic/plots/time-window.ts';
import { KIND_NAME } from '../../logic/qa.ts';
import { IconButton } from '../../parts/controls.tsx';
import { Icon, StateShape } from '../../parts/icon.tsx';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import {
  charts,
  dismissIssue,
  fitAll,
  issueShown,
  layout,
  linked,
  panTime,
  referenceShown,
  setLayout,
  setLinked,
  setReference,
  tableShown,
  timeWindow,
  zoomTime,
} from '../../service/plots.ts';
import { openPlotsWindow, togglePlots } from '../../state/plots.ts';
import { saveCsv, savePng } from './export-plots.ts';
import type { PlotsMode } from './plots-view.tsx';

const LAYOUTS: readonly (readonly [Layout, string])[] = [
  ['pairs', 'Left and right together'],
  ['single', 'One channel a chart'],
  ['group', 'One group a chart'],
];

export interface PlotsToolbarProps {
  readonly mode: PlotsMode;
  readonly data: PlotData | null;
  readonly loading: boolean;
  /** whether the tree is open where it needs a button; null where it is always there */
  readonly tree: boolean | null;
  readonly onTree: () => void;
}

/** Title, window, and what can be done with the charts. */
export function PlotsToolbar({ mode, data, loading, tree, onTree }: PlotsToolbarProps) {
  const off = data === null;
  const { from, to } = timeWindow.value;
  const decimals = to - from < 2 ? 2 : 1;
  const input = () => ({
    data: data!,
    charts: charts.peek(),
    reference: referenceShown.peek(),
    window: timeWindow.peek(),
  });
  return (
    <header class="plots-bar">
      {tree !== null && <IconButton icon="list" label="Channels" pressed={tree} disabled={off} onClick={onTree} />}
      <h3 class="ellipsis">{data?.title ?? 'Plots'}</h3>
      {data !== null && (
        <span class="dim num plots-span">
          {clockLabel(from, decimals)} – {clockLabel(to, decimals)}
        </span>
      )}
      {loading && <span class="spinner" role="status" aria-label="Loading the plots" />}
      <IssueChip />
      <span class="grow" />
      {data?.refLabel != null && (
        <label class="ref-switch">
          <i class="dash dash-ref" aria-hidden="true" />
          <span class="ellipsis">{data.refLabel}</span>
          <input
            type="checkbox"
            role="switch"
            class="switch"
            aria-checked={referenceShown.value}
            checked={referenceShown.value}
            onChange={(event) => setReference(event.currentTarget.checked)}
          />
        </label>
      )}
      <button
        type="button"
        class={`btn btn-quiet link-btn${linked.value ? ' on' : ''}`}
        aria-pressed={linked.value}
        title="The window turns the page when the playhead leaves it"
        disabled={off}
        onClick={() => setLinked(!linked.peek())}
      >
        <Icon name="lock" />
        <span class="wide-only">Link to playhead</span>
        <span class="visually-hidden narrow-only">Link to playhead</span>
      </button>
      <Menu label="View" button={<Icon name="zoomIn" />} buttonClass="icon-btn">
        <MenuItem disabled={off} onSelect={() => zoomTime(0.5)}>
          <Icon name="zoomIn" /> Zoom in
        </MenuItem>
        <MenuItem disabled={off} onSelect={() => zoomTime(2)}>
          <Icon name="zoomOut" /> Zoom out
        </MenuItem>
        <MenuItem disabled={off} onSelect={fitAll}>
          <Icon name="frame" /> Whole clip
        </MenuItem>
        <MenuItem disabled={off} onSelect={() => panTime(-0.5)}>
          <Icon name="stepBack" /> Earlier
        </MenuItem>
        <MenuItem disabled={off} onSelect={() => panTime(0.5)}>
          <Icon name="stepForward" /> Later
        </MenuItem>
        {LAYOUTS.map(([value, text]) => (
          <MenuItem key={value} checked={layout.value === value} onSelect={() => setLayout(value)}>
            <span class="menu-check">{layout.value === value && <Icon name="check" />}</span>
            {text}
          </MenuItem>
        ))}
      </Menu>
      <IconButton
        icon="table"
        label="Values as a table"
        pressed={tableShown.value}
        disabled={off}
        onClick={() => (tableShown.value = !tableShown.peek())}
      />
      <Menu label="Export" button={<Icon name="download" />} buttonClass="icon-btn">
        <MenuItem disabled={off || charts.value.length === 0} onSelect={() => saveCsv(input(), false)}>
          CSV of this window
        </MenuItem>
        <MenuItem disabled={off || charts.value.length === 0} onSelect={() => saveCsv(input(), true)}>
          CSV of the whole clip
        </MenuItem>
        <MenuItem disabled={off || charts.value.length === 0 || tableShown.value} onSelect={() => savePng(input())}>
          PNG of the charts
        </MenuItem>
      </Menu>
      {mode === 'dock' && (
        <>
          <IconButton icon="window" label="Open in its own window" onClick={openPlotsWindow} />
          <IconButton icon="close" label="Close plots" hint="`" onClick={togglePlots} />
        </>
      )}
    </header>
  );
}

/** Says that an issue's channels are shown in place of the chosen ones; its button brings those back. */
function IssueChip() {
  const issue = issueShown.value;
  if (issue === null) return null;
  return (
    <span class={`badge badge-${issue.severity} issue-chip`} title={issue.text}>
      <StateShape kind={issue.severity} />
      <span class="ellipsis">{KIND_NAME[issue.kind]}</span>
      <button type="button" aria-label="Back to the chosen channels" onClick={dismissIssue}>
        <Icon name="close" small />
      </button>
    </span>
  );
}

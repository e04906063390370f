import { CHECK_KINDS } from '../../../../src/protocol/check-kinds.ts';
import { IconButton, Segmented } from '../../ui/controls.tsx';
import { Icon, StateShape } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { openPlotsWindow, plotsOf, showPlotsOf, togglePlots } from '../../ui/plots-shown.ts';
import { failed } from '../../ui/toasts.ts';
import { preview } from '../data/preview-store.ts';
import { session } from '../play/session-store.ts';
import { saveRecord } from '../play/shared/save-record.ts';
import type { Chart, Layout } from './channels.ts';
import { drawings } from './chart-row.tsx';
import type { ExportInput } from './export-plots.ts';
import type { PlotData } from './plot-data.ts';
import {
  charts,
  dismissIssue,
  fitAll,
  issueShown,
  layout,
  linked,
  one,
  panTime,
  referenceShown,
  setLayout,
  setLinked,
  setReference,
  setValueRange,
  tableShown,
  timeWindow,
  zoomTime,
} from './plots-store.ts';
import { instantLabel } from './time-window.ts';
import { zoomRange } from './value-range.ts';

const LAYOUTS: readonly (readonly [Layout, string])[] = [
  ['pairs', 'Left and right together'],
  ['single', 'One channel per chart'],
  ['group', 'One group per chart'],
];

/** Saves the plots to a file. The code for this is loaded on first use. */
function save(what: 'csv-window' | 'csv-all' | 'png', input: ExportInput): void {
  import('./export-plots.ts').then(
    ({ saveCsv, savePng }) => (what === 'png' ? savePng(input) : saveCsv(input, what === 'csv-all')),
    (error: unknown) => failed('The export could not be loaded', error),
  );
}

export type PlotsMode = 'dock' | 'window' | 'phone';

export interface PlotsToolbarProps {
  readonly mode: PlotsMode;
  readonly data: PlotData | null;
  readonly loading: boolean;
  readonly shown: readonly Chart[];
  /** whether the channel tree is open as an overlay; null if the tree is always visible */
  readonly tree: boolean | null;
  readonly onTree: () => void;
}

/** Title, window and actions of the charts. */
export function PlotsToolbar({ mode, data, loading, shown, tree, onTree }: PlotsToolbarProps) {
  const off = data === null;
  const ofPlay = plotsOf.value === 'play';
  const title = (ofPlay ? null : preview.value?.clip) ?? data?.title ?? 'Plots';
  const { from, to } = timeWindow.value;
  const decimals = to - from < 2 ? 2 : 1;
  const phone = mode === 'phone';
  const input = () => ({
    name: title,
    data: data!,
    charts: shown,
    reference: referenceShown.peek(),
    window: timeWindow.peek(),
  });
  return (
    <header class="plots-bar">
      {tree !== null && <IconButton icon="list" label="Channels" pressed={tree} disabled={off} onClick={onTree} />}
      {mode === 'window' && (
        <Segmented
          label="Plots of"
          value={plotsOf.value}
          options={[
            ['clip', 'Clip'],
            ['play', 'Play'],
          ]}
          onChange={showPlotsOf}
        />
      )}
      {phone ? (
        <ChartChoice shown={shown} />
      ) : (
        <>
          <h3 class="ellipsis">{title}</h3>
          {data !== null && (
            <span class="dim num plots-span">
              {instantLabel(from, decimals, data)} – {instantLabel(to, decimals, data)}
            </span>
          )}
        </>
      )}
      {loading && <span class="spinner" role="status" aria-label="Loading the plots" />}
      {!phone && <IssueChip />}
      <span class="grow" />
      {!phone && data?.refLabel != null && (
        <label class="ref-switch" title={data.refLabel}>
          <i class="dash dash-ref" aria-hidden="true" />
          <span class="ellipsis">{data.refName}</span>
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
      {!phone && !ofPlay && (
        <button
          type="button"
          class={`btn btn-quiet link-btn${linked.value ? ' on' : ''}`}
          aria-pressed={linked.value}
          aria-label="Follow playback"
          title="Scrolls the charts when playback leaves the visible window"
          disabled={off}
          onClick={() => setLinked(!linked.peek())}
        >
          <Icon name="lock" />
          <span class="wide-only">Follow playback</span>
        </button>
      )}
      <ViewMenu phone={phone} data={data} ofPlay={ofPlay} />
      <IconButton
        icon="table"
        label="Values as a table"
        pressed={tableShown.value}
        disabled={off}
        onClick={() => (tableShown.value = !tableShown.peek())}
      />
      <ExportMenu disabled={off || shown.length === 0} ofPlay={ofPlay} input={input} />
      {mode === 'dock' && (
        <>
          <IconButton icon="window" label="Open in its own window" onClick={openPlotsWindow} />
          <IconButton icon="close" label="Close plots" hint="`" onClick={togglePlots} />
        </>
      )}
    </header>
  );
}

interface ViewMenuProps {
  readonly phone: boolean;
  readonly data: PlotData | null;
  readonly ofPlay: boolean;
}

/** Menu for zoom, time and layout of the charts. */
function ViewMenu({ phone, data, ofPlay }: ViewMenuProps) {
  return (
    <Menu label="View" button={<Icon name="zoomIn" />} buttonClass="icon-btn">
      <MenuItem disabled={data === null} onSelect={() => zoomTime(0.5)}>
        <Icon name="zoomIn" /> Zoom in
      </MenuItem>
      <MenuItem disabled={data === null} onSelect={() => zoomTime(2)}>
        <Icon name="zoomOut" /> Zoom out
      </MenuItem>
      <MenuItem disabled={data === null} onSelect={() => zoomAllValues(0.5)}>
        <Icon name="zoomIn" /> Zoom in vertically
      </MenuItem>
      <MenuItem disabled={data === null} onSelect={() => zoomAllValues(2)}>
        <Icon name="zoomOut" /> Zoom out vertically
      </MenuItem>
      <MenuItem disabled={data === null} onSelect={fitAll}>
        <Icon name="frame" /> {ofPlay ? 'Whole minute' : 'Whole clip'}
      </MenuItem>
      <MenuItem disabled={data === null} onSelect={() => panTime(-0.5)}>
        <Icon name="stepBack" /> Earlier
      </MenuItem>
      <MenuItem disabled={data === null} onSelect={() => panTime(0.5)}>
        <Icon name="stepForward" /> Later
      </MenuItem>
      {phone && data?.refLabel != null && (
        <MenuItem checked={referenceShown.value} onSelect={() => setReference(!referenceShown.peek())}>
          <span class="menu-check">{referenceShown.value && <Icon name="check" />}</span>
          {data.refName}
        </MenuItem>
      )}
      {phone && !ofPlay && (
        <MenuItem checked={linked.value} onSelect={() => setLinked(!linked.peek())}>
          <span class="menu-check">{linked.value && <Icon name="check" />}</span>
          Follow playback
        </MenuItem>
      )}
      {LAYOUTS.map(([value, text]) => (
        <MenuItem key={value} checked={layout.value === value} onSelect={() => setLayout(value)}>
          <span class="menu-check">{layout.value === value && <Icon name="check" />}</span>
          {text}
        </MenuItem>
      ))}
    </Menu>
  );
}

interface ExportMenuProps {
  readonly disabled: boolean;
  readonly ofPlay: boolean;
  readonly input: () => ExportInput;
}

function ExportMenu({ disabled, ofPlay, input }: ExportMenuProps) {
  return (
    <Menu label="Export" button={<Icon name="download" />} buttonClass="icon-btn">
      <MenuItem disabled={disabled} onSelect={() => save('csv-window', input())}>
        CSV of the shown time range
      </MenuItem>
      <MenuItem disabled={disabled} onSelect={() => save('csv-all', input())}>
        {ofPlay ? 'CSV of the last minute' : 'CSV of the whole clip'}
      </MenuItem>
      <MenuItem disabled={disabled || tableShown.value} onSelect={() => save('png', input())}>
        PNG of the charts
      </MenuItem>
      {ofPlay && <RecordItems />}
    </Menu>
  );
}

/** Menu items that save all channels of the focused environment, as the service recorded them. */
function RecordItems() {
  const env = session.value?.focus;
  if (env === undefined) return null;
  return (
    <>
      {(['npz', 'csv'] as const).map((format) => (
        <MenuItem key={format} onSelect={() => saveRecord(env, format)}>
          {format.toUpperCase()} of all channels
        </MenuItem>
      ))}
    </>
  );
}

/** Zooms the value axes of all charts around their centres. */
function zoomAllValues(factor: number): void {
  for (const [chart, { range }] of drawings) {
    const { low, high } = range();
    setValueRange(chart, zoomRange({ low, high }, (low + high) / 2, factor));
  }
}

/** Drop-down list that chooses the chart shown on a phone. */
function ChartChoice({ shown }: { readonly shown: readonly Chart[] }) {
  return (
    <label class="select chart-choice">
      <span class="visually-hidden">Chart</span>
      <select
        aria-label="Chart"
        value={shown[0]?.key}
        disabled={shown.length === 0}
        onChange={(event) => (one.value = event.currentTarget.value)}
      >
        {charts.value.map(({ key, title, lines }) => (
          <option key={key} value={key}>
            {layout.value === 'pairs' ? title : `${title} ${lines.map(({ label }) => label).join(', ')}`}
          </option>
        ))}
      </select>
      <Icon name="down" small />
    </label>
  );
}

/** Shows that an issue's channels replace the chosen channels. Its button restores the chosen channels. */
function IssueChip() {
  const issue = issueShown.value;
  if (issue === null) return null;
  return (
    <span class={`badge badge-${issue.severity} issue-chip`} title={issue.text}>
      <StateShape kind={issue.severity} />
      <span class="ellipsis">{CHECK_KINDS[issue.kind]}</span>
      <button type="button" aria-label="Back to the chosen channels" onClick={dismissIssue}>
        <Icon name="close" small />
      </button>
    </span>
  );
}

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CHECK_KINDS } from '../../../../src/protocol/check-kinds.ts';
import { StateShape } from '../../ui/icon.tsx';
import { showIssue } from '../data/preview-store.ts';
import type { QaIssue } from '../data/shared/clip-issues.ts';
import type { Chart } from './channels.ts';
import { GUTTER, RIGHT, shareIn } from './chart-drawing.ts';
import { ChartHover } from './chart-hover.tsx';
import { ChartRow, drawings } from './chart-row.tsx';
import { cursorFrame, seekCursor, watchCursor } from './cursor.ts';
import { concerns, type IssueBadge, layBadges } from './issues.ts';
import type { PlotData } from './plot-data.ts';
import {
  fitAll,
  issueShown,
  issues,
  panTime,
  recallIssue,
  referenceShown,
  setValueRange,
  timeWindow,
  valueRanges,
  zoomTime,
} from './plots-store.ts';
import { frameAt, shareOf, windowTicks } from './time-window.ts';
import { zoomRange } from './value-range.ts';

const AXIS_PX = 22;
const VALUES_PX = 176;
const NOTES_PX = 48;
const LEAST_PX = 92;

/** Returns the height of a chart's list of values, px: beside the chart, or in two columns below it. */
function valuesHeight(chart: Chart, data: PlotData, reference: boolean, beside: boolean): number {
  const refs = reference ? chart.lines.filter(({ channel }) => data.hasRef(channel)).length : 0;
  const lines = chart.lines.length + refs;
  return beside ? 62 + 18 * lines : 6 + 18 * Math.ceil(lines / 2);
}

interface ChartStackProps {
  readonly data: PlotData;
  readonly shown: readonly Chart[];
  /** show the values beside the plots, else below them */
  readonly beside: boolean;
}

/** Returns the size of the plots, px; `width` excludes the column of values. */
function useSize(box: Box, rows: Box, beside: boolean) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    const column = rows.current;
    if (element === null || column === null) return;
    const watch = new ResizeObserver(() => {
      const values = beside ? VALUES_PX : 0;
      setSize({ width: column.clientWidth - values, height: element.clientHeight });
    });
    watch.observe(element);
    watch.observe(column);
    return () => watch.disconnect();
  }, [beside]);
  return size;
}

/** Returns the row of the chart that shows an issue; the first row if none does. */
function rowOf(issue: QaIssue, shown: readonly Chart[], data: PlotData): number {
  return Math.max(
    0,
    shown.findIndex((chart) => concerns(issue, chart, data)),
  );
}

function issueButton({ issue, left, more }: IssueBadge) {
  return (
    <button
      type="button"
      key={`${issue.kind}${issue.frames.join()}`}
      class={`badge badge-${issue.severity} issue-badge`}
      style={{ left: `${GUTTER + left}px` }}
      title={issue.text}
      onClick={() => {
        recallIssue(issue);
        void showIssue(issue);
      }}
    >
      <StateShape kind={issue.severity} />
      <span class="ellipsis">{CHECK_KINDS[issue.kind]}</span>
      {more > 0 && <span class="num">+{more}</span>}
    </button>
  );
}

/** All charts with a common time axis. The playhead is a line over them that moves without redrawing the canvases. */
export function ChartStack({ data, shown, beside }: ChartStackProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(box, rows, beside);
  const reference = referenceShown.value;
  const window = timeWindow.value;
  const plotWidth = Math.max(1, width - GUTTER - RIGHT);
  const ticks = windowTicks(window, plotWidth, 56, nowOf(data));
  const share = Math.floor((height - AXIS_PX) / Math.max(1, shown.length));
  const heightOf = (chart: Chart) => {
    const figures = valuesHeight(chart, data, reference, beside);
    if (beside) return Math.max(LEAST_PX, share, figures);
    // the notes do not fit into a phone's half-height sheet
    return Math.max(LEAST_PX / 2, share - figures - (height > 240 ? NOTES_PX : 0));
  };
  const times = ticks.map(({ time }) => time);
  const found = issues.value;
  const badges = width > 0 ? layBadges(found, window, data.fps, plotWidth, { chosen: issueShown.value }) : [];
  useScrub(rows, data);
  useWheel(rows, data);
  useCursor(box, data);

  return (
    <div class="plots-stack" ref={box}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <section class="plots-scroll" aria-label="Charts" tabIndex={0}>
        <div class="plots-rows" ref={rows}>
          {width > 0 &&
            shown.map((chart, k) => (
              <div class="chart-box" key={chart.key}>
                <ChartRow
                  chart={chart}
                  data={data}
                  reference={reference}
                  width={width}
                  height={heightOf(chart)}
                  beside={beside}
                  ticks={times}
                  zoomed={valueRanges.value.get(chart.key)}
                  issues={found}
                />
                {badges.filter(({ issue }) => rowOf(issue, shown, data) === k).map(issueButton)}
              </div>
            ))}
        </div>
      </section>
      <div class="plots-axis" aria-hidden="true" style={{ height: `${AXIS_PX}px` }}>
        {ticks.map(({ time, label }) => (
          <span key={time} style={{ left: `${GUTTER + shareOf(window, time * data.fps, data.fps) * plotWidth}px` }}>
            {label}
          </span>
        ))}
      </div>
      <div class="plots-cursor-box" aria-hidden="true" style={{ left: `${GUTTER}px`, width: `${plotWidth}px` }}>
        <div class="plots-cursor" />
      </div>
      <ChartHover box={box} data={data} shown={shown} />
    </div>
  );
}

/** Returns the time that labels are relative to, with its name; null for labels from the start. */
function nowOf({ duration, nowLabel }: PlotData): { readonly time: number; readonly label: string } | null {
  return nowLabel === null ? null : { time: duration, label: nowLabel };
}

type Box = { readonly current: HTMLDivElement | null };

/** Returns the horizontal pointer position as a share of the plots' width; null outside a plot. */
function shareAt(event: MouseEvent): number | null {
  const plot = event.target instanceof Element ? event.target.closest('.chart-plot') : null;
  return plot === null ? null : shareIn(plot, event.clientX);
}

/** A drag moves the playhead; a double click shows the whole clip. */
function useScrub(rows: Box, data: PlotData): void {
  useEffect(() => {
    const element = rows.current;
    if (element === null) return;
    const goTo = (plot: Element, clientX: number) => {
      const frame = frameAt(timeWindow.peek(), shareIn(plot, clientX), data.fps, data.frames);
      if (frame !== cursorFrame()) seekCursor(frame);
    };
    const down = (event: PointerEvent) => {
      const plot = event.target instanceof Element ? event.target.closest<HTMLElement>('.chart-plot') : null;
      if (plot === null || event.button !== 0) return;
      event.preventDefault();
      plot.setPointerCapture(event.pointerId);
      goTo(plot, event.clientX);
      const move = (next: PointerEvent) => goTo(plot, next.clientX);
      const end = () => {
        plot.removeEventListener('pointermove', move);
        plot.removeEventListener('pointerup', end);
        plot.removeEventListener('pointercancel', end);
      };
      plot.addEventListener('pointermove', move);
      plot.addEventListener('pointerup', end);
      plot.addEventListener('pointercancel', end);
    };
    const double = (event: MouseEvent) => {
      if (shareAt(event) !== null) fitAll();
    };
    element.addEventListener('pointerdown', down);
    element.addEventListener('dblclick', double);
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('dblclick', double);
    };
  }, [data]);
}

/** Zoom exponent per px of wheel travel: one notch of 100 px is a factor of 1.2. */
const ZOOM_PER_PX = Math.log(1.2) / 100;

/** The wheel zooms the time axis around the pointer. With Shift it pans; with V held it zooms the values of a chart. */
function useWheel(rows: Box, data: PlotData): void {
  useEffect(() => {
    const element = rows.current;
    if (element === null) return;
    let valueKey = false;
    const key = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'v') valueKey = event.type === 'keydown';
    };
    const released = () => {
      valueKey = false;
    };
    const wheel = (event: WheelEvent) => {
      const at = shareAt(event);
      if (at === null) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const delta = unit * (sideways ? event.deltaX : event.deltaY);
      const plot = event.target instanceof Element ? event.target.closest<HTMLElement>('.chart-plot') : null;
      if (valueKey && plot !== null) return zoomValues(plot, event.clientY, Math.exp(delta * ZOOM_PER_PX));
      if (event.shiftKey || sideways) return panTime(delta / 1000);
      const { from, to } = timeWindow.peek();
      zoomTime(Math.exp(delta * ZOOM_PER_PX), from + at * (to - from));
    };
    document.addEventListener('keydown', key);
    document.addEventListener('keyup', key);
    window.addEventListener('blur', released);
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      document.removeEventListener('keydown', key);
      document.removeEventListener('keyup', key);
      window.removeEventListener('blur', released);
      element.removeEventListener('wheel', wheel);
    };
  }, [data]);
}

function zoomValues(plot: HTMLElement, clientY: number, factor: number): void {
  const chart = plot.dataset['chart'] ?? '';
  const range = drawings.get(chart)?.range();
  if (range === undefined) return;
  const { top, height } = plot.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (clientY - top) / height));
  const at = range.high + share * (range.low - range.high);
  setValueRange(chart, zoomRange(range, at, factor));
}

/** Keeps the playhead line at the position of its frame. */
function useCursor(box: Box, data: PlotData): void {
  const window = timeWindow.value;
  useEffect(
    () =>
      watchCursor(() => {
        const line = box.current?.querySelector<HTMLElement>('.plots-cursor');
        if (line == null) return;
        const share = shareOf(timeWindow.peek(), cursorFrame(), data.fps);
        line.style.setProperty('--at', String(share));
        line.hidden = share < -1e-9 || share > 1 + 1e-9;
      }),
    [data, window],
  );
}

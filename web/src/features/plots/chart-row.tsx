import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Dash } from '../../ui/dash.tsx';
import { fixed } from '../../ui/format.ts';
import { failed } from '../../ui/toasts.ts';
import type { QaIssue } from '../data/shared/clip-issues.ts';
import type { Chart, Line } from './channels.ts';
import { ChartDrawing, rangeOf } from './chart-drawing.ts';
import { cursorFrame, watchCursor } from './cursor.ts';
import type { PlotData } from './plot-data.ts';
import { timeWindow } from './plots-store.ts';
import { chartColours } from './shared/chart-colours.ts';
import { decimalsOf, type ValueRange } from './value-range.ts';

export interface ChartRowProps {
  readonly chart: Chart;
  readonly data: PlotData;
  readonly reference: boolean;
  /** size of the plot including its gutter, px */
  readonly width: number;
  readonly height: number;
  /** show the values beside the plot, else below it */
  readonly beside: boolean;
  /** times of the grid lines, s */
  readonly ticks: readonly number[];
  /** range of the value axis, if the user zoomed it */
  readonly zoomed: ValueRange | undefined;
  readonly issues: readonly QaIssue[];
}

/** Charts by key, for exported pictures and for the wheel. */
export const drawings = new Map<
  string,
  {
    /** draws the present state, even if the chart is off screen */
    readonly drawn: () => ChartDrawing | null;
    readonly range: () => ValueRange;
  }
>();

/** Charts within this distance from the screen are drawn, px, so that scrolling does not show empty charts. */
const NEAR_PX = 200;

/** One chart with its values at the playhead. */
export function ChartRow(props: ChartRowProps) {
  const { chart, data, reference, width, height, beside, ticks, zoomed, issues } = props;
  const host = useRef<HTMLDivElement>(null);
  const drawing = useRef<ChartDrawing | null>(null);
  const near = useRef(false);
  const fitted = rangeOf({ chart, data, reference });
  const range = zoomed ?? fitted;
  const { from, to } = timeWindow.value;
  const now = useRef({ data, view: { window: { from, to }, ticks, range, issues }, size: { width, height } });
  now.current = { data, view: { window: { from, to }, ticks, range, issues }, size: { width, height } };
  const lines = chart.lines.map((line) => `${line.channel}:${line.colour}:${data.hasRef(line.channel)}`).join();

  // a chart off screen is drawn when it comes near the screen
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const draw = () => {
      const { data: newest, view, size } = now.current;
      if (drawing.current !== null) drawing.current.show(newest, view, size);
      else drawing.current = new ChartDrawing(element, { chart, data: newest, reference }, view, size);
      return drawing.current;
    };
    const watch = new IntersectionObserver(
      (entries) => {
        near.current = entries.at(-1)?.isIntersecting === true;
        if (near.current) draw();
      },
      { root: element.closest('.plots-scroll'), rootMargin: `${NEAR_PX}px 0px` },
    );
    watch.observe(element);
    drawings.set(chart.key, { drawn: draw, range: () => now.current.view.range });
    return () => {
      watch.disconnect();
      drawings.delete(chart.key);
      drawing.current?.destroy();
      drawing.current = null;
    };
  }, [chart.key, lines, data.channels, reference]);
  useLayoutEffect(() => {
    if (near.current) drawing.current?.show(data, now.current.view, now.current.size);
  }, [data, from, to, width, height, range.low, range.high, issues]);
  useEffect(() => chartColours.subscribe(() => drawing.current?.recolour()), []);

  const decimals = decimalsOf(fitted);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a chart with its values is not part of a form
    <div class="chart" role="group" aria-label={chart.title} style={beside ? { height: `${height}px` } : undefined}>
      <div
        class="chart-plot"
        data-chart={chart.key}
        ref={host}
        role="img"
        aria-label={summaryOf(props, decimals)}
        style={beside ? undefined : { flex: 'none', height: `${height}px` }}
      />
      <div class="chart-values">
        <h3>
          <span class="ellipsis">{chart.title}</span>
          <span class="dim">{chart.unit}</span>
        </h3>
        <Values chart={chart} data={data} reference={reference} decimals={decimals} />
        <Notes chart={chart} data={data} decimals={decimals} />
      </div>
    </div>
  );
}

function summaryOf({ chart, data }: ChartRowProps, decimals: number): string {
  const parts = chart.lines.map(({ channel, label }) => {
    const extent = data.extent(channel);
    if (extent === null) return `${label}: no finite value`;
    return `${label}: ${fixed(extent.min, decimals)} to ${fixed(extent.max, decimals)} ${chart.unit}`;
  });
  return `${chart.title} over time, ${parts.join(', ')}`;
}

const NO_VALUES = new Float32Array();

interface ValuesProps {
  readonly chart: Chart;
  readonly data: PlotData;
  readonly reference: boolean;
  readonly decimals: number;
}

/** Values at the playhead, written directly to the DOM. */
function Values({ chart, data, reference, decimals }: ValuesProps) {
  const list = useRef<HTMLUListElement>(null);
  const rows: { readonly line: Line; readonly values: Float32Array; readonly ref: boolean }[] = [];
  for (const line of chart.lines) rows.push({ line, values: data.column(line.channel), ref: false });
  for (const line of reference ? chart.lines : []) {
    const values = data.refColumn(line.channel);
    if (data.hasRef(line.channel)) rows.push({ line, values: values ?? NO_VALUES, ref: true });
  }
  useEffect(() =>
    watchCursor(() => {
      const cells = list.current?.querySelectorAll('b');
      for (const [k, { values }] of rows.entries()) {
        const cell = cells?.[k];
        // the cursor may be past the rows of this render; the next render includes its row
        const text = fixed(values[Math.min(cursorFrame(), values.length - 1)] ?? Number.NaN, decimals);
        if (cell !== undefined && cell.textContent !== text) cell.textContent = text;
      }
    }),
  );
  return (
    <ul ref={list}>
      {rows.map(({ line, ref }) => (
        <li key={`${line.channel}${ref}`}>
          <Dash colour={ref ? null : line.colour} />
          {line.env === undefined || ref ? (
            <span class="ellipsis grow">
              {ref ? (line.env === undefined ? `${line.label}, ${refWord(data)}` : refWord(data)) : line.label}
            </span>
          ) : (
            <button
              type="button"
              class="ellipsis grow chart-env"
              title={`Select ${line.label}`}
              onClick={() => focusEnvironment(line.env!)}
            >
              {line.label}
            </button>
          )}
          <b class="num" />
        </li>
      ))}
    </ul>
  );
}

function focusEnvironment(env: number): void {
  import('../play/control-store.ts').then(
    (play) => play.focusEnv(env),
    (error: unknown) => failed('Play could not be loaded', error),
  );
}

/** Returns the first word of the reference's name: `raw` for `raw source`. */
function refWord(data: PlotData): string {
  return data.refName.split(/\s/)[0]!.toLowerCase();
}

interface NotesProps {
  readonly chart: Chart;
  readonly data: PlotData;
  readonly decimals: number;
}

/** Notes of a chart: limits and their source, or the extent of channels without limits; values that are not finite. */
function Notes({ chart, data, decimals }: NotesProps) {
  const notes = new Map<string, string[]>();
  const sources = new Set<string>();
  let bad = 0;
  for (const { channel, label } of chart.lines) {
    const info = data.channels[channel];
    if (info === undefined) continue;
    if (info.limit_note !== undefined) sources.add(info.limit_note);
    const limit = limitText(info.lower, info.upper);
    // A chart with a line for each robot does not list their extremes: they would not fit.
    if (limit === null && chart.lines.length > 1 && chart.lines[0]?.env !== undefined) continue;
    const text = limit ?? extentText(data, channel, decimals, chart.lines.length === 1);
    notes.set(text, [...(notes.get(text) ?? []), label]);
    for (const { first, end } of data.gaps(channel)) bad += end - first;
  }
  const shared = notes.size === 1;
  return (
    <div class="chart-notes dim">
      {[...notes].map(([text, labels]) => (
        <p key={text}>{shared ? text : `${labels.join(', ')} ${text}`}</p>
      ))}
      {[...sources].map((source) => (
        <p key={source} class="chart-source" title={source}>
          {source}
        </p>
      ))}
      {bad > 0 && <p class="err">▼ {bad === 1 ? '1 value is' : `${bad} values are`} not finite</p>}
    </div>
  );
}

function limitText(lower: number | null, upper: number | null): string | null {
  if (lower === null && upper === null) return null;
  const number = (value: number) => fixed(value, Math.abs(value) >= 10 || Number.isInteger(value) ? 0 : 3);
  if (lower !== null && upper !== null && lower === -upper) return `limit ±${number(upper)}`;
  return `limit ${lower === null ? 'none' : number(lower)} … ${upper === null ? 'none' : number(upper)}`;
}

function extentText(data: PlotData, channel: number, decimals: number, mean: boolean): string {
  const extent = data.extent(channel);
  if (extent === null) return 'no finite value';
  const places = Math.max(0, decimals - 1);
  const range = `${fixed(extent.min, places)} … ${fixed(extent.max, places)}`;
  return mean ? `mean ${fixed(extent.mean, places)}, ${range}` : range;
}

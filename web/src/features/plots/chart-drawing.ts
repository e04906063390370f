import UPlot from 'uplot';
import { fixed } from '../../ui/format.ts';
import { firstFrame, lastFrame, type QaIssue } from '../data/shared/clip-issues.ts';
import type { Chart } from './channels.ts';
import { concerns } from './issues.ts';
import type { Extent, PlotData } from './plot-data.ts';
import { reduceWindow } from './reduce.ts';
import { type ChartColours, chartColours } from './shared/chart-colours.ts';
import type { TimeWindow } from './time-window.ts';
import { fitRange, tickDecimals, type ValueRange, valueTicks } from './value-range.ts';

/** Margins of the plots, px: `GUTTER` at the left contains the value labels, `RIGHT` is at the right. */
export const GUTTER = 46;
export const RIGHT = 8;
const TOP = 6;

export interface DrawingInput {
  readonly chart: Chart;
  readonly data: PlotData;
  readonly reference: boolean;
}

/** Contents of a drawing; the colours come from the theme. */
export interface DrawingView {
  readonly window: TimeWindow;
  /** times of the vertical grid lines, s */
  readonly ticks: readonly number[];
  readonly range: ValueRange;
  readonly issues: readonly QaIssue[];
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the horizontal position of the pointer as a share of the plot's width, 0..1. */
export function shareIn(plot: Element, clientX: number): number {
  const { left, width } = plot.getBoundingClientRect();
  return Math.min(1, Math.max(0, (clientX - left - GUTTER) / (width - GUTTER - RIGHT)));
}

/** Returns the range of all of a chart's data and its reference, independent of the time window. */
export function rangeOf({ chart, data, reference }: DrawingInput): ValueRange {
  const extents: (Extent | null)[] = [];
  for (const { channel } of chart.lines) {
    extents.push(data.extent(channel));
    if (reference) extents.push(data.refExtent(channel));
  }
  return fitRange(
    extents,
    chart.lines.flatMap(({ channel }) => data.channels[channel] ?? []),
  );
}

/** One chart on its canvas. Only `show` and `recolour` redraw it; the playhead does not. */
export class ChartDrawing {
  readonly #plot: UPlot;
  #input: DrawingInput;
  #columns: readonly Float32Array[];
  /** channels with a visible reference */
  readonly #refs: readonly number[];
  #view: DrawingView;
  #size: Size;
  #colours: ChartColours = chartColours.peek();
  #pointsShown = false;
  #dense = false;

  constructor(host: HTMLElement, input: DrawingInput, view: DrawingView, size: Size) {
    this.#input = input;
    this.#view = view;
    this.#size = size;
    const { chart, data, reference } = input;
    const refs = reference ? chart.lines.filter(({ channel }) => data.hasRef(channel)) : [];
    this.#refs = refs.map(({ channel }) => channel);
    this.#columns = this.#columnsOf(data);
    const series: UPlot.Series[] = [
      {},
      ...chart.lines.map(
        ({ colour }): UPlot.Series => ({
          stroke: () => this.#colours.lines[colour] ?? this.#colours.text,
          width: 1.5,
          ...(colour > 3 ? { dash: [6, 4] } : {}),
          points: { show: () => this.#pointsShown, size: 4, width: 1 },
        }),
      ),
      // drawn above the lines, so that both are visible where they coincide
      ...refs.map(
        (): UPlot.Series => ({
          // fainter when many frames share a pixel, because the reference would cover the lines
          stroke: () => (this.#dense ? this.#colours.referenceDense : this.#colours.reference),
          width: 1,
          dash: [3, 2],
          points: { show: false },
        }),
      ),
    ];
    this.#plot = new UPlot(this.#options(series), this.#points(), host);
    this.show(data, view, size);
  }

  /** Draws new data of the same channels, with another window or range, and another size if it has changed. */
  show(data: PlotData, view: DrawingView, size: Size): void {
    if (data !== this.#input.data) {
      this.#input = { ...this.#input, data };
      this.#columns = this.#columnsOf(data);
    }
    this.#view = view;
    if (size.width !== this.#size.width || size.height !== this.#size.height) {
      this.#size = size;
      this.#plot.setSize(size);
    }
    const { window, range } = view;
    this.#plot.batch(() => {
      this.#plot.setData(this.#points(), false);
      this.#plot.setScale('x', { min: window.from, max: window.to });
      this.#plot.setScale('y', { min: range.low, max: range.high });
    });
  }

  recolour(): void {
    this.#colours = chartColours.peek();
    this.#plot.redraw(false, true);
  }

  /** The canvas, for exported pictures. */
  get canvas(): HTMLCanvasElement {
    return this.#plot.ctx.canvas;
  }

  destroy(): void {
    this.#plot.destroy();
  }

  #columnsOf(data: PlotData): readonly Float32Array[] {
    return [
      ...this.#input.chart.lines.map(({ channel }) => data.column(channel)),
      ...this.#refs.map((channel) => data.refColumn(channel) ?? new Float32Array(data.frames).fill(Number.NaN)),
    ];
  }

  get #plotWidth(): number {
    return Math.max(1, this.#size.width - GUTTER - RIGHT);
  }

  #points(): UPlot.AlignedData {
    const { window } = this.#view;
    const { fps } = this.#input.data;
    const { times, values } = reduceWindow(this.#columns, fps, window.from, window.to, this.#plotWidth);
    this.#pointsShown = times.length * 12 < this.#plotWidth;
    this.#dense = (window.to - window.from) * fps > this.#plotWidth;
    return [times as number[], ...(values as (number | null)[][])];
  }

  #options(series: UPlot.Series[]): UPlot.Options {
    const { width, height } = this.#size;
    return {
      width,
      height,
      padding: [TOP, RIGHT, TOP, 0],
      legend: { show: false },
      cursor: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      scales: { x: { time: false, auto: false }, y: { auto: false } },
      series,
      axes: [
        {
          size: 0,
          gap: 0,
          ticks: { show: false },
          border: { show: false },
          grid: { stroke: () => this.#colours.grid, width: 1 },
          splits: () => [...this.#view.ticks],
          values: (_, splits) => splits.map(() => ''),
        },
        {
          size: GUTTER,
          gap: 6,
          font: this.#colours.tickFont,
          stroke: () => this.#colours.tick,
          ticks: { show: false },
          border: { show: false },
          grid: { stroke: () => this.#colours.grid, width: 1 },
          splits: () => [...valueTicks(this.#view.range, this.#size.height)],
          values: (_, splits) => {
            const decimals = tickDecimals(splits);
            return splits.map((split) => fixed(split, decimals));
          },
        },
      ],
      hooks: {
        drawClear: [() => this.#drawBehind()],
        drawAxes: [() => this.#drawLimits()],
        draw: [() => this.#drawGaps()],
      },
    };
  }

  /** Runs `draw` clipped to the plot area of the canvas, in canvas pixels. */
  #clipped(draw: (context: CanvasRenderingContext2D, box: UPlot.BBox) => void): void {
    const { ctx, bbox } = this.#plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    draw(ctx, bbox);
    ctx.restore();
  }

  #x(time: number): number {
    return this.#plot.valToPos(time, 'x', true);
  }

  #y(value: number): number {
    return this.#plot.valToPos(value, 'y', true);
  }

  /** Returns the distinct limits of the chart's channels. */
  #limits(): { readonly lower: readonly number[]; readonly upper: readonly number[] } {
    const { chart, data } = this.#input;
    const bounds = (side: 'lower' | 'upper') => [
      ...new Set(chart.lines.flatMap(({ channel }) => data.channels[channel]?.[side] ?? [])),
    ];
    return { lower: bounds('lower'), upper: bounds('upper') };
  }

  #drawBehind(): void {
    const { lower, upper } = this.#limits();
    const { issues } = this.#view;
    const { data, chart } = this.#input;
    this.#clipped((ctx, box) => {
      ctx.fillStyle = this.#colours.limitBand;
      if (upper.length > 0) ctx.fillRect(box.left, box.top, box.width, this.#y(Math.max(...upper)) - box.top);
      if (lower.length > 0) {
        const edge = this.#y(Math.min(...lower));
        ctx.fillRect(box.left, edge, box.width, box.top + box.height - edge);
      }
      for (const issue of issues) {
        const from = this.#x((firstFrame(issue) - 0.5) / data.fps);
        const to = this.#x((lastFrame(issue) + 0.5) / data.fps);
        ctx.globalAlpha = concerns(issue, chart, data) ? 0.14 : 0.07;
        ctx.fillStyle = this.#colours.severity[issue.severity];
        ctx.fillRect(from, box.top, Math.max(2 * devicePixelRatio, to - from), box.height);
      }
    });
  }

  #drawLimits(): void {
    const { lower, upper } = this.#limits();
    this.#clipped((ctx, box) => {
      ctx.strokeStyle = this.#colours.limit;
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
      for (const bound of [...lower, ...upper]) {
        const y = Math.round(this.#y(bound)) + 0.5;
        ctx.beginPath();
        ctx.moveTo(box.left, y);
        ctx.lineTo(box.left + box.width, y);
        ctx.stroke();
      }
    });
  }

  /** Marks values that are not finite: a bar over the frames at the top edge, and a triangle that is visible even for a
   *  single frame. */
  #drawGaps(): void {
    const { chart, data } = this.#input;
    const unit = devicePixelRatio;
    this.#clipped((ctx, box) => {
      ctx.fillStyle = this.#colours.limit;
      for (const { channel } of chart.lines) {
        for (const { first, end } of data.gaps(channel)) {
          const from = this.#x(first / data.fps);
          const to = this.#x((end - 1) / data.fps);
          if (to < box.left || from > box.left + box.width) continue;
          ctx.fillRect(from, box.top, Math.max(unit, to - from), 2 * unit);
          const middle = (Math.max(from, box.left) + Math.min(to, box.left + box.width)) / 2;
          ctx.beginPath();
          ctx.moveTo(middle - 4 * unit, box.top);
          ctx.lineTo(middle + 4 * unit, box.top);
          ctx.lineTo(middle, box.top + 7 * unit);
          ctx.fill();
        }
      }
    });
  }
}

import UPlot from 'uplot';
import { type ChartColours, chartColours } from '../plots/shared/chart-colours.ts';
import { type CurveChart, type CurveLine, figure } from './curve-charts.ts';
import { smoothed } from './smoothing.ts';

export interface CurveLook {
  /** weight of the moving average, 0 to below 1; 0 means no smoothing */
  readonly weight: number;
  readonly log: boolean;
  /** iteration to which the x axis extends at least */
  readonly until: number;
}

export interface CurveSize {
  readonly width: number;
  readonly height: number;
}

/** Opacity of the raw values below the smoothed line. */
const RAW = 0.28;

/** Draws one chart of training curves on a canvas: the raw values faintly, the smoothed values on top, and a dot at the
 *  newest value. */
export class CurveDrawing {
  readonly #plot: UPlot;
  #look: CurveLook;
  #lines: readonly CurveLine[];
  #colours: ChartColours = chartColours.peek();

  /** @param told called with the iteration under the pointer and the values of all lines there; null when it leaves */
  constructor(
    host: HTMLElement,
    chart: CurveChart,
    look: CurveLook,
    size: CurveSize,
    told: (at: number | null, values: readonly (number | null)[]) => void,
  ) {
    this.#look = look;
    this.#lines = chart.lines;
    const series: UPlot.Series[] = [
      {},
      ...chart.lines.flatMap((line): UPlot.Series[] => [
        {
          stroke: () => this.#stroke(line, RAW),
          width: 1,
          show: !line.baseline,
          points: { show: false },
        },
        {
          stroke: () => this.#stroke(line, 1),
          width: 1.5,
          ...(line.baseline ? { dash: [5, 4] } : line.colour > 3 ? { dash: [6, 4] } : {}),
          points: { show: (_, __, first, last) => last - first < 1, size: 5, width: 1 },
        },
      ]),
    ];
    this.#plot = new UPlot(
      {
        ...size,
        padding: [8, 10, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 6, width: 1.5 }, sync: { key: 'curves' } },
        select: { show: false, left: 0, top: 0, width: 0, height: 0 },
        scales: {
          x: {
            time: false,
            range: (_, low, high) => [Math.min(0, low ?? 0), Math.max(this.#look.until, high ?? 1, 1)],
          },
          y: look.log ? { distr: 3 } : { range: (_, low, high) => valueRange(low, high) },
        },
        series,
        axes: [this.#axis(26, (value) => figure(value), 70), this.#axis(46, (value) => figure(value), 34)],
        hooks: {
          draw: [() => this.#drawEnds()],
          setCursor: [
            (plot) => {
              const at = plot.cursor.idx;
              const row = (k: number) => plot.data[2 * k + 2]?.[at ?? 0] ?? null;
              if (at == null) told(null, []);
              else
                told(
                  plot.data[0][at] ?? null,
                  chart.lines.map((_, k) => row(k)),
                );
            },
          ],
        },
      },
      this.#data(),
      host,
    );
  }

  /** Draws new values of lines that are already in the chart. */
  show(chart: CurveChart, look: CurveLook): void {
    this.#lines = chart.lines;
    this.#look = look;
    this.#plot.setData(this.#data());
  }

  resize(size: CurveSize): void {
    if (size.width !== this.#plot.width || size.height !== this.#plot.height) this.#plot.setSize(size);
  }

  recolour(): void {
    this.#colours = chartColours.peek();
    this.#plot.redraw(false, true);
  }

  destroy(): void {
    this.#plot.destroy();
  }

  #stroke(line: CurveLine, share: number): string {
    const colour = line.baseline ? this.#colours.text : (this.#colours.lines[line.colour] ?? this.#colours.text);
    return share === 1 ? colour : `color-mix(in srgb, ${colour} ${100 * share}%, transparent)`;
  }

  /** Returns the columns for the chart: the iterations of all runs, then raw and smoothed values of each line. Missing
   *  values are null. */
  #data(): UPlot.AlignedData {
    const { weight, log } = this.#look;
    const drawn = (y: readonly (number | null)[]) => (log ? y.map((v) => (v !== null && v > 0 ? v : null)) : [...y]);
    if (this.#lines.length === 0) return [[]];
    return UPlot.join(
      this.#lines.map(({ x, y, baseline }): UPlot.AlignedData => {
        // Do not smooth a baseline: it has few values and is constant between them.
        const line = smoothed(y, baseline ? 0 : weight);
        return [[...x], drawn(weight > 0 ? y : y.map(() => null)), drawn(line)];
      }),
    );
  }

  #axis(size: number, text: (value: number) => string, space: number): UPlot.Axis {
    return {
      size,
      space,
      gap: 6,
      font: this.#colours.tickFont,
      stroke: () => this.#colours.tick,
      ticks: { show: false },
      border: { show: false },
      grid: { stroke: () => this.#colours.grid, width: 1 },
      values: (_, splits) => splits.map((split) => (split === null ? '' : text(split))),
    };
  }

  #drawEnds(): void {
    const { ctx } = this.#plot;
    ctx.save();
    for (const [k, line] of this.#lines.entries()) {
      const column = this.#plot.data[2 * k + 2] ?? [];
      const at = column.findLastIndex((value) => typeof value === 'number');
      const value = column[at];
      const x = this.#plot.data[0][at];
      if (line.baseline || typeof value !== 'number' || x === undefined) continue;
      ctx.fillStyle = this.#stroke(line, 1);
      ctx.beginPath();
      ctx.arc(this.#plot.valToPos(x, 'x', true), this.#plot.valToPos(value, 'y', true), 3 * devicePixelRatio, 0, 7);
      ctx.fill();
    }
    ctx.restore();
  }
}

/** Returns the range of all values with a margin. The range starts at zero if the smallest value is close to zero. */
function valueRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const span = high - low || Math.abs(high) || 1;
  const bottom = low >= 0 && low < 0.7 * high ? 0 : low - 0.08 * span;
  return [bottom, high + 0.08 * span];
}

import { failed } from '../../ui/toasts.ts';
import type { Chart } from './channels.ts';
import { GUTTER, RIGHT } from './chart-drawing.ts';
import { drawings } from './chart-row.tsx';
import { csvOf, fileName } from './csv.ts';
import { cursorFrame } from './cursor.ts';
import type { PlotData } from './plot-data.ts';
import { chartColours } from './shared/chart-colours.ts';
import { instantLabel, shareOf, type TimeWindow, windowTicks } from './time-window.ts';

export interface ExportInput {
  /** name of the clip */
  readonly name: string;
  readonly data: PlotData;
  readonly charts: readonly Chart[];
  readonly reference: boolean;
  readonly window: TimeWindow;
}

/** Saves the shown channels as CSV. @param all save all frames of the clip, else those of the window */
export function saveCsv({ name, data, charts, reference, window }: ExportInput, all: boolean): void {
  const text = csvOf({
    data,
    channels: charts.flatMap(({ lines }) => lines.map(({ channel }) => channel)),
    reference,
    first: all ? 0 : Math.ceil(window.from * data.fps - 1e-6),
    end: all ? data.frames : Math.floor(window.to * data.fps + 1e-6) + 1,
  });
  save(new Blob([text], { type: 'text/csv' }), fileName(name, 'csv'));
}

/** Saves the charts as on screen, each with its title and legend above it, and the time axis below. */
export function savePng(input: ExportInput): void {
  const canvas = pictureOf(input);
  canvas.toBlob((blob) => {
    if (blob === null) failed('The picture could not be made', new Error('The browser could not encode it.'));
    else save(blob, fileName(input.name, 'png'));
  });
}

const HEAD_PX = 40;
const TITLE_PX = 24;
const AXIS_PX = 28;

/** Returns a function that writes text in a colour and font and returns where the next text begins, px. */
const writerOf =
  (ctx: CanvasRenderingContext2D) => (text: string, x: number, y: number, colour: string, font: string) => {
    ctx.fillStyle = colour;
    ctx.font = font;
    ctx.fillText(text, x, y);
    return x + ctx.measureText(text).width + 8;
  };

/** Draws title, unit and lines of a chart. @param middle px from the top  @param data null to omit the reference */
function drawLegend(ctx: CanvasRenderingContext2D, chart: Chart, middle: number, data: PlotData | null): void {
  const colours = chartColours.peek();
  const write = writerOf(ctx);
  let x = write(chart.title, GUTTER, middle, colours.text, colours.titleFont);
  x = write(chart.unit, x, middle, colours.dim, colours.labelFont) + 8;
  for (const { label, colour } of chart.lines) {
    ctx.fillStyle = colours.lines[colour] ?? colours.text;
    ctx.fillRect(x, middle - 1, 14, 2);
    x = write(label, x + 20, middle, colours.dim, colours.labelFont) + 8;
  }
  if (data === null || !chart.lines.some(({ channel }) => data.refColumn(channel) !== null)) return;
  ctx.fillStyle = colours.reference;
  for (const dash of [0, 5, 10]) ctx.fillRect(x + dash, middle - 1, 3, 2);
  write(data.refName, x + 20, middle, colours.dim, colours.labelFont);
}

function pictureOf({ name, data, charts, reference, window }: ExportInput): HTMLCanvasElement {
  const colours = chartColours.peek();
  const rows = charts.flatMap((chart) => {
    const drawing = drawings.get(chart.key)?.drawn() ?? null;
    return drawing === null ? [] : [{ chart, canvas: drawing.canvas }];
  });
  const scale = devicePixelRatio;
  const width = Math.max(320, ...rows.map(({ canvas }) => canvas.width / scale));
  const height = HEAD_PX + AXIS_PX + rows.reduce((sum, { canvas }) => sum + TITLE_PX + canvas.height / scale, 0);
  const picture = document.createElement('canvas');
  picture.width = Math.round(width * scale);
  picture.height = Math.round(height * scale);
  const ctx = picture.getContext('2d');
  if (ctx === null) return picture;
  ctx.scale(scale, scale);
  ctx.fillStyle = colours.panel;
  ctx.fillRect(0, 0, width, height);
  ctx.textBaseline = 'middle';
  const write = writerOf(ctx);
  const span = `${instantLabel(window.from, 2, data)} – ${instantLabel(window.to, 2, data)}`;
  write(
    span,
    write(name, 12, HEAD_PX / 2, colours.text, colours.titleFont),
    HEAD_PX / 2,
    colours.dim,
    colours.labelFont,
  );
  let top = HEAD_PX;
  for (const { chart, canvas } of rows) {
    drawLegend(ctx, chart, top + TITLE_PX / 2, reference ? data : null);
    top += TITLE_PX;
    ctx.drawImage(canvas, 0, top, canvas.width / scale, canvas.height / scale);
    top += canvas.height / scale;
  }
  const plotWidth = width - GUTTER - RIGHT;
  ctx.textAlign = 'center';
  for (const { time, label } of windowTicks(
    window,
    plotWidth,
    56,
    data.nowLabel === null ? null : { time: data.duration, label: data.nowLabel },
  )) {
    write(
      label,
      GUTTER + shareOf(window, time * data.fps, data.fps) * plotWidth,
      top + 12,
      colours.tick,
      colours.tickFont,
    );
  }
  const at = shareOf(window, cursorFrame(), data.fps);
  if (at >= 0 && at <= 1) {
    ctx.fillStyle = colours.cursor;
    ctx.fillRect(GUTTER + at * plotWidth, HEAD_PX, 1, top - HEAD_PX);
  }
  return picture;
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // the browser reads the URL when it starts the download, after this task
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

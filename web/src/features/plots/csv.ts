import type { PlotData } from './plot-data.ts';

export interface CsvInput {
  readonly data: PlotData;
  /** indices of the channels, one column each */
  readonly channels: readonly number[];
  /** whether to add `ref.<id>` for each channel with a reference */
  readonly reference: boolean;
  /** first frame and one past the last frame */
  readonly first: number;
  readonly end: number;
}

/** Formats the chosen channels as CSV: a header of `frame`, `time` (s) and channel ids, then a line per frame. Finite
 *  values are the shortest decimals that parse to the same float32; the others are `nan`, `inf` or `-inf`, which numpy
 *  reads. */
export function csvOf({ data, channels, reference, first, end }: CsvInput): string {
  const columns: { readonly name: string; readonly values: Float32Array }[] = [];
  for (const channel of channels) {
    const id = data.channels[channel]?.id ?? String(channel);
    columns.push({ name: id, values: data.column(channel) });
    const ref = reference ? data.refColumn(channel) : null;
    if (ref !== null) columns.push({ name: `ref.${id}`, values: ref });
  }
  const lines = [['frame', 'time', ...columns.map(({ name }) => quoted(name))].join(',')];
  for (let frame = Math.max(0, first); frame < Math.min(data.frames, end); frame++) {
    const cells = [String(frame), String(Number((frame / data.fps).toFixed(6)))];
    for (const { values } of columns) cells.push(shortest(values[frame]!));
    lines.push(cells.join(','));
  }
  return `${lines.join('\n')}\n`;
}

/** Returns the shortest decimal that rounds to the same float32. */
export function shortest(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

/** Quotes CSV special characters, because channel names come from files. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** Returns a file name that is valid on every system. */
export function fileName(title: string, ending: string): string {
  return `${title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_') || 'clip'}.${ending}`;
}

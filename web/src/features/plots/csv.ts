import type { PlotData } from './plot-data.ts';

export interface CsvInput {
  readonly data: PlotData;
  /** indices of channels, a column each */
  readonly channels: readonly number[];
  /** adds `ref.<id>` for each channel that has a reference */
  readonly reference: boolean;
  /** first frame and one past the last */
  readonly first: number;
  readonly end: number;
}

/** Text of the chosen channels: a head of `frame`, `time` (s) and channel ids, then a line for each frame. Values are the
 *  shortest decimals that give the same float32 back; what is not finite is `nan`, `inf` or `-inf`, as numpy reads it. */
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

/** The shortest decimal that rounds to the same float32. */
export function shortest(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}

/** Names of channels come from files: what has a meaning in CSV is quoted. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** Name of a file that every system takes. */
export function fileName(title: string, ending: string): string {
  return `${title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_') || 'clip'}.${ending}`;
}

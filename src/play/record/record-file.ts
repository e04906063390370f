import { writeNpz } from '../../formats/npz.ts';
import type { Channel } from '../../plots/clip-channels.ts';

/** An environment's record, ready to be written to a file. Crosses threads. */
export interface RecordFile {
  readonly channels: readonly Channel[];
  /** indices into `channels`, one a column of `ref` */
  readonly refCols: readonly number[];
  /** (rows, channels), (rows, refCols), (rows, 3) */
  readonly data: Float32Array;
  readonly ref: Float32Array;
  readonly meta: Float32Array;
}

const META_NAMES = ['clip', 'frame', 'step'];

/** The record as a file: npz with the arrays `data`, `ref`, `meta` and `channels` (their ids), or CSV with a header of
 *  channel ids, then `ref.<id>`, then `clip`, `frame`, `step`. */
export function formatRecord(record: RecordFile, format: 'npz' | 'csv'): Uint8Array {
  return format === 'npz' ? asNpz(record) : asCsv(record);
}

function asNpz({ channels, refCols, data, ref, meta }: RecordFile): Uint8Array {
  const rows = meta.length / META_NAMES.length;
  const ids = channels.map((channel) => channel.id);
  return writeNpz([
    ['data', { dtype: 'f4', data, shape: [rows, channels.length] }],
    ['ref', { dtype: 'f4', data: ref, shape: [rows, refCols.length] }],
    ['meta', { dtype: 'f4', data: meta, shape: [rows, META_NAMES.length] }],
    ['channels', { dtype: 'U', data: ids, shape: [ids.length] }],
    ['ref_cols', { dtype: 'i4', data: Int32Array.from(refCols), shape: [refCols.length] }],
  ]);
}

function asCsv({ channels, refCols, data, ref, meta }: RecordFile): Uint8Array {
  const ids = channels.map((channel) => quoted(channel.id));
  const header = [...ids, ...refCols.map((column) => quoted(`ref.${channels[column]!.id}`)), ...META_NAMES];
  const lines = [header.join(',')];
  const rows = meta.length / META_NAMES.length;
  for (let row = 0; row < rows; row += 1) {
    const texts: string[] = [];
    for (const [values, width] of [
      [data, channels.length],
      [ref, refCols.length],
      [meta, META_NAMES.length],
    ] as const)
      for (let k = row * width; k < (row + 1) * width; k += 1) texts.push(text(values[k]!));
    lines.push(texts.join(','));
  }
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

/** Nine digits: enough to tell any two float32 apart. */
function text(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(9);
}

function quoted(id: string): string {
  return /[",\n]/.test(id) ? `"${id.replaceAll('"', '""')}"` : id;
}

import { npzParts } from '../../formats/npz.ts';
import type { Channel } from '../../plots/clip-channels.ts';

/** The record of an environment, prepared for writing to a file. It can be sent to other threads; arrays in shared
 *  memory are not copied. */
export interface RecordFile {
  readonly channels: readonly Channel[];
  /** indices into `channels`, one per column of `ref` */
  readonly refCols: readonly number[];
  /** (rows, channels); `ref` (rows, refCols), `meta` (rows, 3) */
  readonly data: Float32Array;
  readonly ref: Float32Array;
  readonly meta: Float32Array;
}

const META_NAMES = ['clip', 'frame', 'step'];

/** Returns the number of rows of a record. */
export function recordRows({ meta }: RecordFile): number {
  return meta.length / META_NAMES.length;
}

/** Formats a record as an npz file with the arrays `data`, `ref`, `meta`, `channels` (channel ids) and `ref_cols`.
 *  @returns the parts of the file in order; some are views of the record's memory */
export function recordNpz(record: RecordFile): Uint8Array[] {
  const { channels, refCols, data, ref, meta } = record;
  const rows = recordRows(record);
  const ids = channels.map((channel) => channel.id);
  return npzParts([
    ['data', { dtype: 'f4', data, shape: [rows, channels.length] }],
    ['ref', { dtype: 'f4', data: ref, shape: [rows, refCols.length] }],
    ['meta', { dtype: 'f4', data: meta, shape: [rows, META_NAMES.length] }],
    ['channels', { dtype: 'U', data: ids, shape: [ids.length] }],
    ['ref_cols', { dtype: 'i4', data: Int32Array.from(refCols), shape: [refCols.length] }],
  ]);
}

/** Formats rows `from` … `to` − 1 of a record as CSV lines: channels, references, then clip, frame and step. A header
 *  precedes row 0: channel ids, `ref.<id>`, `clip`, `frame`, `step`. */
export function recordCsv({ channels, refCols, data, ref, meta }: RecordFile, from: number, to: number): Uint8Array {
  const lines: string[] = [];
  if (from === 0) {
    const ids = channels.map((channel) => quoted(channel.id));
    const refs = refCols.map((column) => quoted(`ref.${channels[column]!.id}`));
    lines.push([...ids, ...refs, ...META_NAMES].join(','));
  }
  for (let row = from; row < to; row += 1) {
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

/** Formats a value. Nine digits distinguish any two float32 values. */
function text(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(9);
}

function quoted(id: string): string {
  return /[",\n]/.test(id) ? `"${id.replaceAll('"', '""')}"` : id;
}

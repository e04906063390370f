import type { Static } from 'typebox';
import { blobOffset } from './frame.ts';
import type { Channel } from './schemas/plots.ts';

/** An event of a control step: the robot was pushed, or its episode ended. */
export interface RecordEvent {
  /** row number in the epoch; for the end of an episode, its last row */
  readonly row: number;
  readonly kind: 'push' | 'failure' | 'time_out';
  /** name of the termination that ended the episode */
  readonly cause?: string;
  /** description with value and unit: the speed of the push, or the reason why the episode ended */
  readonly text?: string;
}

/** Header of `GET /api/plots/play`. */
export interface PlayRecordHeader {
  /** number that changes with the session, with a restart and with the environment; rows of different epochs do not
   *  belong together */
  readonly epoch: number;
  readonly env: number;
  /** rows per second: one per control step */
  readonly fps: number;
  /** The reply has the rows [start, end) of the epoch. */
  readonly start: number;
  readonly end: number;
  /** whether the reply has all kept rows and the fields of {@link PlayRecordFacts} */
  readonly fresh: boolean;
  readonly cols: { readonly data: number; readonly ref: number; readonly meta: 3 };
  /** events of these rows, in order */
  readonly events?: readonly RecordEvent[];
}

/** Additional fields of a fresh reply. */
export interface PlayRecordFacts {
  readonly channels: readonly Static<typeof Channel>[];
  /** index into `channels` for each column of `ref` */
  readonly ref_cols: readonly number[];
  /** clip names by the clip index in `meta` */
  readonly clips: readonly string[];
  readonly history_s: number;
}

export type PlayRecordReplyHeader = PlayRecordHeader & Partial<PlayRecordFacts>;

/** Rows of the record of one environment, row-major, little-endian:
 *  `[u32 header length][header JSON][pad to 4][f32 data][f32 ref][f32 meta]`.
 *  A row has the state after a control step and the reference frame for that state. */
export interface PlayRecord {
  readonly header: PlayRecordReplyHeader;
  /** (rows, cols.data) in the order and units of `channels` */
  readonly data: Float32Array;
  /** (rows, number of reference columns); NaN where the channel has no reference */
  readonly ref: Float32Array;
  /** (rows, 3) index of the clip, frame in the clip, step of the episode */
  readonly meta: Float32Array;
}

/** Allocates the bytes of a reply and returns views into them. The caller writes the rows into the views, which saves a
 *  copy. @throws RangeError if `end` is before `start` */
export function openPlayRecord(header: PlayRecordReplyHeader): PlayRecord & { readonly bytes: Uint8Array } {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const start = blobOffset(json.length);
  const bytes = new Uint8Array(start + 4 * floatsOf(header));
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  return { header, bytes, ...viewsOf(bytes.buffer, start, header) };
}

/** Reads a reply. The views share memory with `bytes`. @throws RangeError if the bytes are truncated or their length
 *  differs from the header */
export function decodePlayRecord(bytes: ArrayBuffer): PlayRecord {
  if (bytes.byteLength < 4)
    throw new RangeError(`the record is truncated: ${bytes.byteLength} bytes, expected at least 4`);
  const jsonBytes = new DataView(bytes).getUint32(0, true);
  const start = blobOffset(jsonBytes);
  if (start > bytes.byteLength)
    throw new RangeError(
      `the record is truncated: a header of ${jsonBytes} bytes does not fit in ${bytes.byteLength} bytes`,
    );
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, jsonBytes))) as PlayRecordReplyHeader;
  const expected = start + 4 * floatsOf(header);
  if (bytes.byteLength !== expected) {
    throw new RangeError(`the record has ${bytes.byteLength} bytes; its header requires ${expected}`);
  }
  return { header, ...viewsOf(bytes, start, header) };
}

function floatsOf({ start, end, cols }: PlayRecordHeader): number {
  if (end < start) throw new RangeError(`invalid range of rows: the end ${end} is before the start ${start}`);
  return (end - start) * (cols.data + cols.ref + cols.meta);
}

function viewsOf(buffer: ArrayBufferLike, byteStart: number, { start, end, cols }: PlayRecordHeader) {
  const rows = end - start;
  let at = byteStart;
  const next = (columns: number) => {
    const view = new Float32Array(buffer, at, rows * columns);
    at += view.byteLength;
    return view;
  };
  return { data: next(cols.data), ref: next(cols.ref), meta: next(cols.meta) };
}

import type { Static } from 'typebox';
import { blobOffset } from './frame.ts';
import type { Channel } from './schemas/plots.ts';

/** What happened in a control step, beside its figures: the robot was pushed, or its episode ended. */
export interface RecordEvent {
  /** row of the epoch; the one in which an episode ended is its last */
  readonly row: number;
  readonly kind: 'push' | 'failure' | 'time_out';
  /** name of the termination that ended the episode */
  readonly cause?: string;
  /** a sentence with figure and unit: speed of the push, or what ended the episode */
  readonly text?: string;
}

/** Header of `GET /api/plots/play`. */
export interface PlayRecordHeader {
  /** differs for another session, restart or env */
  readonly epoch: number;
  readonly env: number;
  /** rows a second: control steps */
  readonly fps: number;
  /** rows [start, end) of the epoch follow */
  readonly start: number;
  readonly end: number;
  /** every kept row follows, and the fields of {@link PlayRecordFacts} are here */
  readonly fresh: boolean;
  readonly cols: { readonly data: number; readonly ref: number; readonly meta: 3 };
  /** of the rows that follow, in their order */
  readonly events?: readonly RecordEvent[];
}

/** What a fresh reply adds. */
export interface PlayRecordFacts {
  readonly channels: readonly Static<typeof Channel>[];
  /** indices into `channels`, one a column of `ref` */
  readonly ref_cols: readonly number[];
  /** names that the clip index of `meta` means */
  readonly clips: readonly string[];
  readonly history_s: number;
}

export type PlayRecordReplyHeader = PlayRecordHeader & Partial<PlayRecordFacts>;

/** Rows of one env's record, row-major: `[u32 header length][header JSON][pad to 4][f32 data][f32 ref][f32 meta]`,
 *  little-endian. A row holds the state after a control step and the reference frame it is compared with. */
export interface PlayRecord {
  readonly header: PlayRecordReplyHeader;
  /** (rows, cols.data) in the order and units of `channels` */
  readonly data: Float32Array;
  /** (rows, cols.ref) NaN where a channel has no reference */
  readonly ref: Float32Array;
  /** (rows, 3) index of the clip, frame in the clip, step of the episode */
  readonly meta: Float32Array;
}

/** The bytes of a reply with its rows still to be filled in through the views: a ring is copied once.
 *  @throws RangeError when `end` is before `start` */
export function openPlayRecord(header: PlayRecordReplyHeader): PlayRecord & { readonly bytes: Uint8Array } {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const start = blobOffset(json.length);
  const bytes = new Uint8Array(start + 4 * floatsOf(header));
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  return { header, bytes, ...viewsOf(bytes.buffer, start, header) };
}

/** Reads a reply; its views alias `bytes`.
 *  @throws RangeError when the bytes are no such reply: cut short, or not of the length that the header says */
export function decodePlayRecord(bytes: ArrayBuffer): PlayRecord {
  if (bytes.byteLength < 4) throw new RangeError(`a record has at least 4 bytes, got ${bytes.byteLength}`);
  const jsonBytes = new DataView(bytes).getUint32(0, true);
  const start = blobOffset(jsonBytes);
  if (start > bytes.byteLength) throw new RangeError(`header of ${jsonBytes} bytes in a record of ${bytes.byteLength}`);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, jsonBytes))) as PlayRecordReplyHeader;
  const expected = start + 4 * floatsOf(header);
  if (bytes.byteLength !== expected) {
    throw new RangeError(`a record of ${bytes.byteLength} bytes, its header says ${expected}`);
  }
  return { header, ...viewsOf(bytes, start, header) };
}

function floatsOf({ start, end, cols }: PlayRecordHeader): number {
  if (end < start) throw new RangeError(`a record's rows end at ${end}, before their start at ${start}`);
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

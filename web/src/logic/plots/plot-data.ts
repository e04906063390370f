import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { clipPlots } from '../../../../src/protocol/routes/plots.ts';

export type PlotReply = ReplyOf<typeof clipPlots>;
export type Channel = PlotReply['channels'][number];

/** Bytes of base64, as float32 little-endian: every browser runs on such machines. @throws Error where it is neither */
export function decodeFloats(text: string): Float32Array {
  const bytes = decodeBase64(text);
  if (bytes.length % 4 !== 0) throw new Error(`plot data: ${bytes.length} bytes are no float32 numbers`);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native !== undefined) return native.call(Uint8Array, text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = characters.charCodeAt(k);
  return bytes;
}

/** Stretch of frames whose values are not finite; `end` is one past the last. */
export interface Run {
  readonly first: number;
  readonly end: number;
}

export interface Extent {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** The channels of one clip over its frames. Columns, their extents and their gaps are made when first asked for. */
export class PlotData {
  readonly title: string;
  readonly fps: number;
  readonly frames: number;
  readonly channels: readonly Channel[];
  /** name of the reference; null without one */
  readonly refLabel: string | null;
  readonly #rows: Float32Array;
  readonly #refRows: Float32Array | null;
  readonly #indices: ReadonlyMap<string, number>;
  readonly #columns = new Map<number, Float32Array>();
  readonly #refColumns = new Map<number, Float32Array | null>();
  readonly #extents = new Map<number, Extent | null>();
  readonly #refExtents = new Map<number, Extent | null>();
  readonly #runs = new Map<number, readonly Run[]>();

  /** @throws Error when the data has not one value for each frame and channel */
  constructor(reply: PlotReply) {
    this.title = reply.title;
    this.fps = reply.fps;
    this.frames = reply.frames;
    this.channels = reply.channels;
    this.refLabel = reply.ref === null ? null : (reply.ref_label ?? 'reference');
    this.#rows = decodeFloats(reply.data);
    this.#refRows = reply.ref === null ? null : decodeFloats(reply.ref);
    this.#indices = new Map(reply.channels.map((channel, k) => [channel.id, k]));
    const expected = this.frames * this.channels.length;
    for (const rows of [this.#rows, this.#refRows]) {
      if (rows !== null && rows.length !== expected) {
        throw new Error(`plot data: ${rows.length} values, expected ${this.frames} × ${this.channels.length}`);
      }
    }
  }

  /** Name of the reference without that of its file. */
  get refName(): string {
    return (this.refLabel ?? '').replace(/\s*\([^()]*\)$/, '');
  }

  /** Time of the last frame, s. */
  get duration(): number {
    return this.fps > 0 ? Math.max(0, this.frames - 1) / this.fps : 0;
  }

  /** Index of a channel by its id; −1 for none. */
  indexOf(id: string): number {
    return this.#indices.get(id) ?? -1;
  }

  /** Values of a channel, one a frame. */
  column(channel: number): Float32Array {
    let column = this.#columns.get(channel);
    if (column === undefined) {
      column = this.#copy(this.#rows, channel);
      this.#columns.set(channel, column);
    }
    return column;
  }

  /** Values of a channel's reference; null where it has none, which the service tells by NaN in every frame. */
  refColumn(channel: number): Float32Array | null {
    if (this.#refRows === null) return null;
    let column = this.#refColumns.get(channel);
    if (column === undefined) {
      const copied = this.#copy(this.#refRows, channel);
      column = copied.some(Number.isFinite) ? copied : null;
      this.#refColumns.set(channel, column);
    }
    return column;
  }

  /** Of the finite values; null where none is. */
  extent(channel: number): Extent | null {
    let extent = this.#extents.get(channel);
    if (extent === undefined) {
      extent = extentOf(this.column(channel));
      this.#extents.set(channel, extent);
    }
    return extent;
  }

  /** Of the reference; null without one. */
  refExtent(channel: number): Extent | null {
    let extent = this.#refExtents.get(channel);
    if (extent === undefined) {
      const column = this.refColumn(channel);
      extent = column === null ? null : extentOf(column);
      this.#refExtents.set(channel, extent);
    }
    return extent;
  }

  /** Where a channel is not finite. */
  gaps(channel: number): readonly Run[] {
    let runs = this.#runs.get(channel);
    if (runs === undefined) {
      runs = notFinite(this.column(channel));
      this.#runs.set(channel, runs);
    }
    return runs;
  }

  #copy(rows: Float32Array, channel: number): Float32Array {
    const stride = this.channels.length;
    const column = new Float32Array(this.frames);
    for (let frame = 0, at = channel; frame < column.length; frame++, at += stride) column[frame] = rows[at]!;
    return column;
  }
}

function extentOf(column: Float32Array): Extent | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let count = 0;
  for (const value of column) {
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
    count += 1;
  }
  return count === 0 ? null : { min, max, mean: sum / count };
}

function notFinite(column: Float32Array): readonly Run[] {
  const runs: Run[] = [];
  let first = -1;
  for (let frame = 0; frame <= column.length; frame++) {
    const gap = frame < column.length && !Number.isFinite(column[frame]);
    if (gap && first < 0) first = frame;
    if (!gap && first >= 0) {
      runs.push({ first, end: frame });
      first = -1;
    }
  }
  return runs;
}

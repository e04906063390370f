import { type Channel, decodeFloats, type PlotReply } from '../data/shared/plot-reply.ts';
import type { RecordView } from '../play/record-store.ts';

/** Range of frames whose values are not finite; `end` is one past the last frame. */
export interface Run {
  readonly first: number;
  readonly end: number;
}

export interface Extent {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** Position of a channel's values in an array: the first at `at`, then one every `stride`. */
export interface Column {
  readonly values: Float32Array;
  readonly at: number;
  readonly stride: number;
}

/** Source arrays of {@link PlotData}, oldest row first. */
export interface PlotSource {
  readonly title: string;
  readonly fps: number;
  readonly frames: number;
  readonly channels: readonly Channel[];
  /** number of leading channels of the clip or the focused environment; those of other environments follow. Absent:
   *  all */
  readonly own?: number;
  /** one column per channel */
  readonly columns: readonly Column[];
  /** name of the reference; null without one */
  readonly refLabel: string | null;
  /** reference of each channel, null if it has none */
  readonly refs: readonly (Column | null)[];
  /** name of the last row if times are relative to it, as in a record; null if times are relative to the first row */
  readonly nowLabel: string | null;
}

/** Merges replies for one clip, such as those of several groups, with channels in the order of the replies.
 *  @throws Error unless their data is whole float32 numbers, one for each frame and channel */
export function clipSource(replies: readonly [PlotReply, ...PlotReply[]]): PlotSource {
  const [{ title, fps, frames }] = replies;
  const label = replies.find(({ ref }) => ref !== null)?.ref_label;
  const columns: Column[] = [];
  const refs: (Column | null)[] = [];
  for (const { channels, data, ref } of replies) {
    const stride = channels.length;
    const decode = (text: string) => {
      const values = decodeFloats(text);
      if (values.length === frames * stride) return values;
      throw new Error(`plot data: ${values.length} values, expected ${frames} × ${stride}`);
    };
    const values = decode(data);
    const refValues = ref === null ? null : decode(ref);
    for (let at = 0; at < stride; at++) {
      columns.push({ values, at, stride });
      refs.push(refValues && { values: refValues, at, stride });
    }
  }
  const channels = replies.flatMap((reply) => reply.channels);
  return {
    title,
    fps,
    frames,
    channels,
    columns,
    refLabel: label === undefined ? null : (label ?? 'reference'),
    refs,
    nowLabel: null,
  };
}

/** Returns the source of the focused environment's record. */
export function recordSource(view: RecordView, still: boolean): PlotSource {
  return {
    title: `Env ${view.env}`,
    fps: view.fps,
    frames: view.rows,
    channels: view.channels,
    columns: view.channels.map((_, at) => ({ values: view.data, at, stride: view.channels.length })),
    refLabel: view.refStride > 0 ? 'reference' : null,
    refs: view.refColumn.map((at) => (at < 0 ? null : { values: view.ref, at, stride: view.refStride })),
    nowLabel: still ? '0 s' : 'live',
  };
}

/** Channels over time: of a clip, or of an environment's last minute. Columns, extents and gaps are computed on first
 *  use. */
export class PlotData {
  readonly title: string;
  readonly fps: number;
  readonly frames: number;
  readonly channels: readonly Channel[];
  /** the channels of the clip or of the focused environment, without those of other environments */
  readonly ownChannels: readonly Channel[];
  /** name of the reference; null without one */
  readonly refLabel: string | null;
  readonly nowLabel: string | null;
  readonly #source: PlotSource;
  readonly #indices: ReadonlyMap<string, number>;
  readonly #columns = new Map<number, Float32Array>();
  readonly #refColumns = new Map<number, Float32Array | null>();
  readonly #extents = new Map<number, Extent | null>();
  readonly #refExtents = new Map<number, Extent | null>();
  readonly #runs = new Map<number, readonly Run[]>();

  constructor(source: PlotSource) {
    this.title = source.title;
    this.fps = source.fps;
    this.frames = source.frames;
    this.channels = source.channels;
    this.ownChannels = source.own === undefined ? source.channels : source.channels.slice(0, source.own);
    this.refLabel = source.refLabel;
    this.nowLabel = source.nowLabel;
    this.#source = source;
    this.#indices = new Map(source.channels.map((channel, k) => [channel.id, k]));
  }

  /** Name of the reference without its file name. */
  get refName(): string {
    return (this.refLabel ?? '').replace(/\s*\([^()]*\)$/, '');
  }

  /** Time of the last row, s. */
  get duration(): number {
    return this.fps > 0 ? Math.max(0, this.frames - 1) / this.fps : 0;
  }

  /** Returns the index of a channel by its id; −1 if it does not exist. */
  indexOf(id: string): number {
    return this.#indices.get(id) ?? -1;
  }

  /** Returns the values of a channel, one per frame. */
  column(channel: number): Float32Array {
    let column = this.#columns.get(channel);
    if (column === undefined) {
      column = this.#copy(this.#source.columns[channel]!);
      this.#columns.set(channel, column);
    }
    return column;
  }

  /** Whether a channel may have a reference. For a record this holds even before a reference value has arrived. */
  hasRef(channel: number): boolean {
    return this.nowLabel === null ? this.refColumn(channel) !== null : this.#source.refs[channel] != null;
  }

  /** Returns the values of a channel's reference; null without a reference or without any finite value. */
  refColumn(channel: number): Float32Array | null {
    let column = this.#refColumns.get(channel);
    if (column === undefined) {
      const from = this.#source.refs[channel];
      const copied = from == null ? null : this.#copy(from);
      column = copied?.some(Number.isFinite) === true ? copied : null;
      this.#refColumns.set(channel, column);
    }
    return column;
  }

  /** Returns the extent of a channel's finite values; null without finite values. */
  extent(channel: number): Extent | null {
    let extent = this.#extents.get(channel);
    if (extent === undefined) {
      extent = extentOf(this.column(channel));
      this.#extents.set(channel, extent);
    }
    return extent;
  }

  /** Returns the extent of a channel's reference; null without a reference. */
  refExtent(channel: number): Extent | null {
    let extent = this.#refExtents.get(channel);
    if (extent === undefined) {
      const column = this.refColumn(channel);
      extent = column === null ? null : extentOf(column);
      this.#refExtents.set(channel, extent);
    }
    return extent;
  }

  /** Returns the ranges of frames where a channel is not finite. */
  gaps(channel: number): readonly Run[] {
    let runs = this.#runs.get(channel);
    if (runs === undefined) {
      runs = notFinite(this.column(channel));
      this.#runs.set(channel, runs);
    }
    return runs;
  }

  #copy({ values, at: first, stride }: Column): Float32Array {
    const column = new Float32Array(this.frames);
    for (let frame = 0, at = first; frame < column.length; frame++, at += stride) column[frame] = values[at]!;
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

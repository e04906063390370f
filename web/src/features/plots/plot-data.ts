import { type Channel, decodeFloats, type PlotReply } from '../data/shared/plot-reply.ts';

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

/** Where the values of a channel are: the first at `at`, then one every `stride`. */
export interface Column {
  readonly values: Float32Array;
  readonly at: number;
  readonly stride: number;
}

/** Where the figures of {@link PlotData} come from, oldest first. */
export interface PlotSource {
  readonly title: string;
  readonly fps: number;
  readonly frames: number;
  readonly channels: readonly Channel[];
  /** one a channel */
  readonly columns: readonly Column[];
  /** name of the reference; null without one */
  readonly refLabel: string | null;
  /** of each channel its reference, null for none */
  readonly refs: readonly (Column | null)[];
  /** what the last row is called where time is told back from it; null tells time from the first row */
  readonly nowLabel: string | null;
}

/** Merges replies of one clip, such as those of several groups, with channels in the order of the replies.
 *  @throws Error when their data is not whole float32 numbers, one for each frame and channel */
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

/** Channels over time: of a clip, or of an environment's last minute. Columns, their extents and their gaps are made when
 *  first asked for. */
export class PlotData {
  readonly title: string;
  readonly fps: number;
  readonly frames: number;
  readonly channels: readonly Channel[];
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
    this.refLabel = source.refLabel;
    this.nowLabel = source.nowLabel;
    this.#source = source;
    this.#indices = new Map(source.channels.map((channel, k) => [channel.id, k]));
  }

  /** Name of the reference without that of its file. */
  get refName(): string {
    return (this.refLabel ?? '').replace(/\s*\([^()]*\)$/, '');
  }

  /** Time of the last row, s. */
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
      column = this.#copy(this.#source.columns[channel]!);
      this.#columns.set(channel, column);
    }
    return column;
  }

  /** Whether a channel may have a reference; the same for all rows of a record, also where none has come yet. */
  hasRef(channel: number): boolean {
    return this.nowLabel === null ? this.refColumn(channel) !== null : this.#source.refs[channel] != null;
  }

  /** Values of a channel's reference; null where it has none, or where no frame has a finite one. */
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

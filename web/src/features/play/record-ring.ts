import type { PlayRecord, RecordEvent } from '../../../../src/protocol/play-record.ts';

type Channel = NonNullable<PlayRecord['header']['channels']>[number];

/** The kept rows of one environment, oldest first. The arrays of a view are parts of the ring's buffers, so they are
 *  valid only until the next `take`. */
export interface RecordView {
  readonly epoch: number;
  readonly env: number;
  /** rows per second */
  readonly fps: number;
  /** number of the first row of this view, counted from the beginning of the epoch */
  readonly first: number;
  readonly rows: number;
  readonly historyS: number;
  readonly channels: readonly Channel[];
  /** column in `ref` of each channel, −1 for a channel without reference */
  readonly refColumn: readonly number[];
  readonly clips: readonly string[];
  /** (rows, channels) */
  readonly data: Float32Array;
  /** (rows, references); `refStride` values per row */
  readonly ref: Float32Array;
  readonly refStride: number;
  /** (rows, 3): clip index, frame of the clip, step of the episode */
  readonly meta: Float32Array;
  readonly events: readonly RecordEvent[];
}

/** Number of rows that are requested again, because events in them may become known only after the rows were sent. */
const OVERLAP = 15;

type Blocks = [data: Float32Array, ref: Float32Array, meta: Float32Array];

interface Kept {
  readonly epoch: number;
  readonly env: number;
  readonly fps: number;
  readonly history: number;
  readonly channels: readonly Channel[];
  readonly refColumn: readonly number[];
  readonly clips: readonly string[];
  readonly cols: readonly [data: number, ref: number, meta: number];
}

/** The last minute of an environment, assembled from the replies of the service. Known rows are not copied for each
 *  reply: the buffers hold twice the history, and when they are full, the newer half is moved to the front. */
export class RecordRing {
  readonly #share: number;
  #kept: Kept | null = null;
  #blocks: Blocks = [new Float32Array(), new Float32Array(), new Float32Array()];
  #events: RecordEvent[] = [];
  /** number of the first row in the buffers, counted from the beginning of the epoch */
  #base = 0;
  #end = 0;
  #oldest = 0;

  /** @param share length of the kept record, as a multiple of the service's */
  constructor(share = 1) {
    this.#share = share;
  }

  /** Query of the next request; null requests the whole record. */
  get next(): { readonly epoch: number; readonly since: number } | null {
    if (this.#kept === null) return null;
    return { epoch: this.#kept.epoch, since: Math.max(this.#oldest, this.#end - OVERLAP) };
  }

  clear(): void {
    this.#kept = null;
    this.#events = [];
    this.#base = this.#end = this.#oldest = 0;
  }

  /** Appends the rows of a reply. @returns whether the reply brought rows, events or another epoch
   *  @throws Error when a reply that is not fresh arrives at an empty ring or belongs to another epoch */
  take({ header, data, ref, meta }: PlayRecord): boolean {
    const { start, end, fresh, epoch } = header;
    if (fresh) this.#open(header);
    const kept = this.#kept;
    if (kept === null || kept.epoch !== epoch) throw new Error('rows of a record whose channels are not known');
    if (start > this.#end || fresh) {
      // The rows between the known and the received ones are missing, so start again.
      this.#base = this.#end = this.#oldest = start;
      this.#events = [];
    }
    if (end - kept.history > this.#end) this.#base = this.#end = this.#oldest = end - kept.history;
    const skip = this.#end - start;
    const rows = end - this.#end;
    const news = this.#keepEvents(header.events ?? []);
    if (rows <= 0) return fresh || news;
    this.#room(rows);
    const at = this.#end - this.#base;
    for (const [k, block] of [data, ref, meta].entries()) {
      const width = kept.cols[k]!;
      this.#blocks[k]!.set(block.subarray(skip * width), at * width);
    }
    this.#end = end;
    this.#oldest = Math.max(this.#oldest, end - kept.history);
    this.#events = this.#events.filter(({ row }) => row >= this.#oldest);
    return true;
  }

  /** Adds events that are not yet known. @returns true if there was a new event */
  #keepEvents(events: readonly RecordEvent[]): boolean {
    const known = this.#events;
    const added = events.filter(({ row, kind }) => !known.some((one) => one.row === row && one.kind === kind));
    if (added.length > 0) this.#events = [...known, ...added];
    return added.length > 0;
  }

  /** Returns the kept rows; null before the first reply. */
  view(): RecordView | null {
    const kept = this.#kept;
    if (kept === null) return null;
    const from = this.#oldest - this.#base;
    const to = this.#end - this.#base;
    const cut = (k: number) => this.#blocks[k]!.subarray(from * kept.cols[k]!, to * kept.cols[k]!);
    return {
      epoch: kept.epoch,
      env: kept.env,
      fps: kept.fps,
      first: this.#oldest,
      rows: to - from,
      historyS: kept.history / kept.fps,
      channels: kept.channels,
      refColumn: kept.refColumn,
      clips: kept.clips,
      data: cut(0),
      ref: cut(1),
      refStride: kept.cols[1],
      meta: cut(2),
      events: this.#events,
    };
  }

  #open({
    epoch,
    env,
    fps,
    cols,
    channels = [],
    ref_cols = [],
    clips = [],
    history_s = 60,
  }: PlayRecord['header']): void {
    const former = this.#kept;
    const refColumn = channels.map((_, channel) => ref_cols.indexOf(channel));
    // Keep the same array, and therefore the charts, if a restarted session has the same channels.
    const same = former !== null && JSON.stringify(former.channels) === JSON.stringify(channels);
    const sizes = [cols.data, cols.ref, cols.meta] as const;
    const history = Math.max(1, Math.round(this.#share * history_s * fps));
    this.#kept = {
      epoch,
      env,
      fps,
      history,
      channels: same ? former.channels : channels,
      refColumn,
      clips,
      cols: sizes,
    };
    const fits = this.#blocks.every((block, k) => block.length === 2 * history * sizes[k]!);
    if (!fits) this.#blocks = sizes.map((width) => new Float32Array(2 * history * width)) as Blocks;
  }

  #room(rows: number): void {
    const kept = this.#kept!;
    const capacity = 2 * kept.history;
    if (this.#end - this.#base + rows <= capacity) return;
    const keepFrom = Math.max(this.#oldest, this.#end + rows - kept.history);
    for (const [k, block] of this.#blocks.entries()) {
      const width = kept.cols[k]!;
      block.copyWithin(0, (keepFrom - this.#base) * width, (this.#end - this.#base) * width);
    }
    this.#base = keepFrom;
    this.#oldest = keepFrom;
  }
}

/** Copies a view, so that the copy stays valid when the ring receives more rows. */
export function snapshot(view: RecordView): RecordView {
  return {
    ...view,
    data: view.data.slice(),
    ref: view.ref.slice(),
    meta: view.meta.slice(),
    events: [...view.events],
  };
}

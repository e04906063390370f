/** An environment's last minute in shared memory: one thread writes rows, others copy them out, nobody waits.
 *
 *  `[i32 generation, rows written in it][row 0]…[row capacity − 1]`, row r of a generation at r mod capacity. A reader
 *  looks at both words before and after it has copied: what was overwritten meanwhile is taken again. */
const HEAD_BYTES = 64;
const GENERATION = 0;
const END = 1;
/** Rows beyond those that are promised, so that a reader is not overtaken while it copies. */
const SLACK = 64;

export interface RecordRing {
  readonly buffer: SharedArrayBuffer;
  readonly head: Int32Array;
  readonly rows: Float32Array;
  /** values a row */
  readonly width: number;
  /** rows that a reader finds */
  readonly kept: number;
}

export function createRecordRing(width: number, kept: number, generation: number): RecordRing {
  const buffer = new SharedArrayBuffer(HEAD_BYTES + 4 * width * (kept + SLACK));
  const ring = openRecordRing(buffer, width, kept);
  ring.head[GENERATION] = generation;
  return ring;
}

/** The same ring seen from another thread. */
export function openRecordRing(buffer: SharedArrayBuffer, width: number, kept: number): RecordRing {
  return {
    buffer,
    head: new Int32Array(buffer, 0, HEAD_BYTES / 4),
    rows: new Float32Array(buffer, HEAD_BYTES),
    width,
    kept,
  };
}

/** Writer: where the next row's values go in `rows`. */
export function rowStart({ head, width, kept }: RecordRing): number {
  return (head[END]! % (kept + SLACK)) * width;
}

/** Writer: the row at `rowStart` is complete. */
export function endRow({ head }: RecordRing): void {
  Atomics.store(head, END, head[END]! + 1);
}

/** Writer: throws all rows away; those that follow are of another generation. */
export function beginGeneration({ head }: RecordRing, generation: number): void {
  Atomics.store(head, END, 0);
  Atomics.store(head, GENERATION, generation);
}

/** Rows written in the present generation. */
export function rowsWritten({ head }: RecordRing): number {
  return Atomics.load(head, END);
}

/** Bytes that a ring takes once it is full beyond what it takes now: memory is taken as it is written. */
export function bytesToCome({ head, buffer, width, kept }: RecordRing): number {
  return buffer.byteLength - 4 * width * Math.min(kept + SLACK, Atomics.load(head, END));
}

/** A run of rows [start, end) of a generation. */
export interface RowRange {
  readonly generation: number;
  readonly start: number;
  readonly end: number;
}

/** Reader: which rows there are from `since` on, at most those that are kept. @param since null: all that are kept */
export function keptRows({ head, kept }: RecordRing, since: number | null): RowRange {
  for (;;) {
    const generation = Atomics.load(head, GENERATION);
    const end = Atomics.load(head, END);
    if (Atomics.load(head, GENERATION) !== generation) continue;
    const first = Math.max(0, end - kept);
    return { generation, start: since === null ? first : Math.min(end, Math.max(since, first)), end };
  }
}

/** Reader: copies a column range of the rows. @returns false where rows were overwritten meanwhile: ask again */
export function copyRows(ring: RecordRing, range: RowRange, column: number, columns: number, out: Float32Array) {
  const { head, rows, width, kept } = ring;
  const places = kept + SLACK;
  for (let row = range.start; row < range.end; row += 1) {
    const at = (row % places) * width + column;
    out.set(rows.subarray(at, at + columns), (row - range.start) * columns);
  }
  // The place of row r is written again while row r + places is being made, before the count says so.
  const stillThere = Atomics.load(head, END) - range.start < places;
  return stillThere && Atomics.load(head, GENERATION) === range.generation;
}

/** A ring buffer in shared memory with the last minute of one environment. One thread writes rows; other threads copy
 *  them without locks.
 *
 *  Layout: `[i32 generation, rows written in this generation][row 0]…[row capacity − 1]`. Row r of a generation is
 *  stored at r mod capacity. A reader compares both words before and after a copy, and repeats the copy if rows were
 *  overwritten in between. */
const HEAD_BYTES = 64;
const GENERATION = 0;
const END = 1;
/** Number of additional rows in the buffer, so that the writer does not overwrite rows that a reader is copying. */
const SLACK = 64;

export interface RecordRing {
  readonly buffer: SharedArrayBuffer;
  readonly head: Int32Array;
  readonly rows: Float32Array;
  /** number of values in a row */
  readonly width: number;
  /** number of rows available to readers */
  readonly kept: number;
}

export function createRecordRing(width: number, kept: number, generation: number): RecordRing {
  const buffer = new SharedArrayBuffer(HEAD_BYTES + 4 * width * (kept + SLACK));
  const ring = openRecordRing(buffer, width, kept);
  ring.head[GENERATION] = generation;
  return ring;
}

/** Opens a ring in another thread. */
export function openRecordRing(buffer: SharedArrayBuffer, width: number, kept: number): RecordRing {
  return {
    buffer,
    head: new Int32Array(buffer, 0, HEAD_BYTES / 4),
    rows: new Float32Array(buffer, HEAD_BYTES),
    width,
    kept,
  };
}

/** For the writer: returns the index in `rows` of the first value of the next row. */
export function rowStart({ head, width, kept }: RecordRing): number {
  return (head[END]! % (kept + SLACK)) * width;
}

/** For the writer: completes the row at `rowStart`. */
export function endRow({ head }: RecordRing): void {
  Atomics.store(head, END, head[END]! + 1);
}

/** For the writer: discards all rows and starts another generation. */
export function beginGeneration({ head }: RecordRing, generation: number): void {
  Atomics.store(head, END, 0);
  Atomics.store(head, GENERATION, generation);
}

/** Returns the number of rows written in the current generation. */
export function rowsWritten({ head }: RecordRing): number {
  return Atomics.load(head, END);
}

/** Returns the number of bytes by which the memory use of a ring will still grow. The system allocates memory when it
 *  is first written. */
export function bytesToCome({ head, buffer, width, kept }: RecordRing): number {
  return buffer.byteLength - 4 * width * Math.min(kept + SLACK, Atomics.load(head, END));
}

/** A range of rows [start, end) of one generation. */
export interface RowRange {
  readonly generation: number;
  readonly start: number;
  readonly end: number;
}

/** For readers: returns the available rows from `since` on. @param since null: all available rows */
export function keptRows({ head, kept }: RecordRing, since: number | null): RowRange {
  for (;;) {
    const generation = Atomics.load(head, GENERATION);
    const end = Atomics.load(head, END);
    if (Atomics.load(head, GENERATION) !== generation) continue;
    const first = Math.max(0, end - kept);
    return { generation, start: since === null ? first : Math.min(end, Math.max(since, first)), end };
  }
}

/** For readers: copies a range of columns. @returns false if rows were overwritten during the copy; then copy again */
export function copyRows(ring: RecordRing, range: RowRange, column: number, columns: number, out: Float32Array) {
  const { head, rows, width, kept } = ring;
  const places = kept + SLACK;
  for (let row = range.start; row < range.end; row += 1) {
    const at = (row % places) * width + column;
    out.set(rows.subarray(at, at + columns), (row - range.start) * columns);
  }
  // The slot of row r is overwritten while row r + places is being written, which happens before the count of rows
  // includes that row.
  const stillThere = Atomics.load(head, END) - range.start < places;
  return stillThere && Atomics.load(head, GENERATION) === range.generation;
}

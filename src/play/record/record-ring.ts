/** The last minute of an environment in shared memory. One thread writes rows, other threads copy them, without locks.
 *
 *  Layout: `[i32 generation, rows written in it][row 0]…[row capacity − 1]`, row r of a generation at r mod capacity. A
 *  reader compares both words before and after the copy, and copies again if rows were overwritten meanwhile. */
const HEAD_BYTES = 64;
const GENERATION = 0;
const END = 1;
/** Additional rows, so that the writer does not overtake a reader during a copy. */
const SLACK = 64;

export interface RecordRing {
  readonly buffer: SharedArrayBuffer;
  readonly head: Int32Array;
  readonly rows: Float32Array;
  /** values of a row */
  readonly width: number;
  /** rows available to readers */
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

/** Writer: index in `rows` of the first value of the next row. */
export function rowStart({ head, width, kept }: RecordRing): number {
  return (head[END]! % (kept + SLACK)) * width;
}

/** Writer: completes the row at `rowStart`. */
export function endRow({ head }: RecordRing): void {
  Atomics.store(head, END, head[END]! + 1);
}

/** Writer: discards all rows and starts another generation. */
export function beginGeneration({ head }: RecordRing, generation: number): void {
  Atomics.store(head, END, 0);
  Atomics.store(head, GENERATION, generation);
}

/** Number of rows written in the current generation. */
export function rowsWritten({ head }: RecordRing): number {
  return Atomics.load(head, END);
}

/** Bytes by which the memory use of a ring will still grow: the system allocates memory when it is first written. */
export function bytesToCome({ head, buffer, width, kept }: RecordRing): number {
  return buffer.byteLength - 4 * width * Math.min(kept + SLACK, Atomics.load(head, END));
}

/** Rows [start, end) of a generation. */
export interface RowRange {
  readonly generation: number;
  readonly start: number;
  readonly end: number;
}

/** Reader: the available rows from `since` on. @param since null: all available rows */
export function keptRows({ head, kept }: RecordRing, since: number | null): RowRange {
  for (;;) {
    const generation = Atomics.load(head, GENERATION);
    const end = Atomics.load(head, END);
    if (Atomics.load(head, GENERATION) !== generation) continue;
    const first = Math.max(0, end - kept);
    return { generation, start: since === null ? first : Math.min(end, Math.max(since, first)), end };
  }
}

/** Reader: copies a range of columns. @returns false if rows were overwritten during the copy: copy again */
export function copyRows(ring: RecordRing, range: RowRange, column: number, columns: number, out: Float32Array) {
  const { head, rows, width, kept } = ring;
  const places = kept + SLACK;
  for (let row = range.start; row < range.end; row += 1) {
    const at = (row % places) * width + column;
    out.set(rows.subarray(at, at + columns), (row - range.start) * columns);
  }
  // The place of row r is overwritten while row r + places is written, before the count includes that row.
  const stillThere = Atomics.load(head, END) - range.start < places;
  return stillThere && Atomics.load(head, GENERATION) === range.generation;
}

import type { PlayColumns } from '../../plots/play-channels.ts';
import { copyRows, keptRows, type RecordRing, type RowRange } from './record-ring.ts';
import { META_COLUMNS } from './row-writer.ts';

/** The arrays that rows are copied to. */
export interface RecordTarget {
  /** (rows, columns.count); `ref` (rows, columns.ref), `meta` (rows, 3) */
  readonly data: Float32Array;
  readonly ref: Float32Array;
  readonly meta: Float32Array;
}

/** Number of attempts before giving up. The writer may interrupt each attempt. */
const TRIES = 8;

/** Copies rows of an environment out of its ring.
 *  @param since first row to copy and its generation; null or another generation copies all rows in the ring buffer
 *  @param open allocates the memory for a range of rows
 *  @returns the copied rows, all of one generation and not overwritten during the copy
 *  @throws Error after 8 interrupted attempts */
export function copyRecord<T extends RecordTarget>(
  ring: RecordRing,
  columns: PlayColumns,
  since: { readonly generation: number; readonly row: number } | null,
  open: (range: RowRange, fresh: boolean) => T,
): T {
  let target: T | null = null;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    let range = keptRows(ring, since?.row ?? null);
    const fresh = since?.generation !== range.generation;
    if (fresh) range = keptRows(ring, null);
    target = open(range, fresh);
    const isWhole =
      copyRows(ring, range, 0, columns.count, target.data) &&
      copyRows(ring, range, columns.count, columns.ref, target.ref) &&
      copyRows(ring, range, columns.count + columns.ref, META_COLUMNS, target.meta);
    if (isWhole) return target;
  }
  // Happens only if the session restarts repeatedly, each time within the millisecond that copying takes.
  throw new Error(`the record changed during each of ${TRIES} attempts to read it`);
}

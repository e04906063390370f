import type { PlayColumns } from '../../plots/play-channels.ts';
import { copyRows, keptRows, type RecordRing, type RowRange } from './record-ring.ts';
import { META_COLUMNS } from './row-writer.ts';

/** Where rows are to be copied to. */
export interface RecordTarget {
  /** (rows, columns.count), (rows, columns.ref), (rows, 3) */
  readonly data: Float32Array;
  readonly ref: Float32Array;
  readonly meta: Float32Array;
}

/** How often a writer may get in between. */
const TRIES = 8;

/** Copies an environment's rows out of its ring.
 *  @param since of which generation and row on; null, or of another generation: all that are kept
 *  @param open gives the memory for a range of rows
 *  @returns what was copied, in one piece and of one generation */
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
  // Restarts in a row, each within the millisecond that copying takes.
  throw new Error('a record changed while it was read');
}

import { StudioError } from '../../core/errors.ts';
import type { QuaternionOrder } from '../../protocol/schemas/reading.ts';
import { parseClipCsv } from '../csv.ts';

/** Number of bytes at the start of a file that are used for the decision, about 45 rows of 36 columns. Parsing them is
 *  fast enough for listings. */
const JUDGED_BYTES = 16 * 1024;
const NEWLINE = 10;
/** Minimum number of rows from which the order of a quaternion is decided. */
const LEAST_ROWS = 8;
/** A file is considered w x y z if two conditions hold. First: read as w x y z, the root's z axis points up (the cosine
 *  of its angle to the vertical is above `cosine`) in at least `share` of the rows. */
const UPRIGHT = { cosine: 0.8, share: 0.98 } as const;
/** Second: read as x y z w, the z axis points down (cosine below `cosine`) in at least `share` of the rows. */
const DOWN = { cosine: -0.5, share: 0.25 } as const;
const UNIT = 0.02;

/** Decides the order of the quaternion in columns 4 to 7 from the first rows of a file without a header.
 *  @param head first bytes of the file
 *  @returns `wxyz` only if this is certain: the robot stands upright in this order, and is upside down if read as x
 *  y z w */
export function quaternionOrder(head: Uint8Array): QuaternionOrder {
  const end = head.subarray(0, JUDGED_BYTES).lastIndexOf(NEWLINE) + 1;
  if (end === 0) return 'xyzw';
  try {
    const { rows, frames, columns } = parseClipCsv(head.subarray(0, end));
    return frames >= LEAST_ROWS && isScalarFirst(rows, frames, columns) ? 'wxyz' : 'xyzw';
  } catch (error) {
    if (error instanceof StudioError) return 'xyzw'; // Reading the whole file will report the problem.
    throw error;
  }
}

function isScalarFirst(rows: Float64Array, frames: number, columns: number): boolean {
  let upright = 0;
  let down = 0;
  for (let at = 3; at < rows.length; at += columns) {
    const [a, b, c, d] = [rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!];
    if (!(Math.abs(Math.hypot(a, b, c, d) - 1) < UNIT)) return false;
    // Vertical component of the root's z axis: 1 − 2 (x² + y²).
    if (1 - 2 * (b * b + c * c) > UPRIGHT.cosine) upright += 1;
    if (1 - 2 * (a * a + b * b) < DOWN.cosine) down += 1;
  }
  return upright >= UPRIGHT.share * frames && down >= DOWN.share * frames;
}

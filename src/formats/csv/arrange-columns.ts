import { LENGTH_UNITS } from '../../protocol/schemas/reading.ts';
import { ROOT_COLUMNS } from '../raw-clip.ts';
import type { CsvLayout } from './csv-header.ts';

const RADIANS = Math.PI / 180;

/** Rearranges the columns of a file to the layout of a clip: x y z m, quaternion xyzw, joints rad.
 *  @param rows (frames, columns) as in the file; overwritten if the result fits into the same memory
 *  @returns (frames, 7 + joints) */
export function arrangeColumns(rows: Float64Array, frames: number, columns: number, layout: CsvLayout): Float64Array {
  const { position, rotationAt, jointsAt, degrees } = layout;
  const width = ROOT_COLUMNS + jointsAt.length;
  const out = width <= columns ? rows : new Float64Array(frames * width);
  const row = new Float64Array(width);
  const metres = LENGTH_UNITS[layout.units];
  const joints = Int32Array.from(jointsAt);
  const angle = degrees ? RADIANS : 1;
  const isEuler = layout.rotation === 'euler_xyz';
  for (let frame = 0; frame < frames; frame += 1) {
    const at = frame * columns;
    for (let k = 0; k < 3; k += 1) row[k] = rows[at + position[k]!]! * metres;
    if (isEuler) {
      setQuaternion(row, rows[at + rotationAt[0]!]!, rows[at + rotationAt[1]!]!, rows[at + rotationAt[2]!]!);
    } else for (let k = 0; k < 4; k += 1) row[3 + k] = rows[at + rotationAt[k]!]!;
    for (let j = 0; j < joints.length; j += 1) row[ROOT_COLUMNS + j] = rows[at + joints[j]!]! * angle;
    out.set(row, frame * width);
  }
  return out.subarray(0, frames * width);
}

/** Writes the quaternion (xyzw) of a rotation to columns 3 to 6. The rotation is by `a`, `b` and `c` degrees about
 *  the fixed axes x, y and z, in this order (scipy's `xyz`). */
function setQuaternion(row: Float64Array, a: number, b: number, c: number): void {
  const [ca, sa] = [Math.cos((a * RADIANS) / 2), Math.sin((a * RADIANS) / 2)];
  const [cb, sb] = [Math.cos((b * RADIANS) / 2), Math.sin((b * RADIANS) / 2)];
  const [cc, sc] = [Math.cos((c * RADIANS) / 2), Math.sin((c * RADIANS) / 2)];
  row[3] = cc * cb * sa - sc * sb * ca;
  row[4] = cc * sb * ca + sc * cb * sa;
  row[5] = sc * cb * ca - cc * sb * sa;
  row[6] = cc * cb * ca + sc * sb * sa;
}

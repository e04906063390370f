import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { clipFileType } from '../../formats/clip-registry.ts';
import { type RawClip, ROOT_COLUMNS } from '../../formats/raw-clip.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import { bundleProblem } from './clip-facts.ts';
import { columnOrder } from './joint-order.ts';

/** Quaternions are normalised if their length deviates from 1 by more than this. In files with six decimals the
 *  deviation is 1e-6. */
const UNIT_TOLERANCE = 1e-3;
/** Length below which a quaternion does not define an orientation. */
const LEAST_NORM = 1e-6;
const ROOT_NAMES = ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'] as const;

/** The robot for which a clip is loaded. */
export interface ClipTarget {
  /** 7 + number of joints of the robot */
  readonly columns: number;
  /** joints of the robot in column order */
  readonly jointNames: readonly string[];
  /** frames per second of a file that does not state its rate */
  readonly fps: number;
  /** options that override what the file or its format states */
  readonly read?: ReadOptions;
}

/** A clip in which all numbers are finite and all quaternions have unit length within 1e-3. The rows are in shared
 *  memory, so that threads do not copy them. */
export interface SharedClipRows extends ClipRows {
  readonly rows: Float64Array<SharedArrayBuffer>;
}

/** Reads a clip's file for a robot. Has no side effects, so it can run on any thread.
 *  @param format id of a clip format
 *  @throws bad_input naming the file, and for an invalid number its row (from 1) and column */
export async function loadClip(file: string, format: string, target: ClipTarget): Promise<SharedClipRows> {
  if (format === 'npz') {
    const { segments = 0 } = await clipFileType(format).facts(file);
    if (segments > 0) throw badInput(bundleProblem(path.basename(file), segments));
  }
  return clipRows(await clipFileType(format).read(file, target.read), target, path.basename(file));
}

/** Returns a clip's numbers in the column order of the robot. @param name name of the file in messages
 *  @throws bad_input */
export function clipRows(clip: RawClip, target: ClipTarget, name: string): SharedClipRows {
  const order = columnOrder(clip, target, name);
  return { fps: clip.fps ?? target.fps, frames: clip.frames, rows: toRows(clip, order, name) };
}

/** Like {@link clipRows}, but overwrites the numbers of the clip if they are in the column order of the robot. Use it
 *  if neither the clip nor shared memory is needed afterwards. Conversions save a twentieth of their time. */
export function ownClipRows(clip: RawClip, target: ClipTarget, name: string): ClipRows {
  const order = columnOrder(clip, target, name);
  const out = order ? Float64Array.from(clip.rows) : clip.rows;
  arrange(clip, order, name, out);
  return { fps: clip.fps ?? target.fps, frames: clip.frames, rows: out };
}

/** Copies the clip's numbers into shared memory, in the column order of the robot. */
function toRows(clip: RawClip, order: readonly number[] | null, name: string): Float64Array<SharedArrayBuffer> {
  const out = new Float64Array(new SharedArrayBuffer(clip.rows.byteLength));
  out.set(clip.rows);
  arrange(clip, order, name, out);
  return out;
}

/** Reorders quaternions to w x y z and joints to the order of the robot, and normalises quaternions.
 *  @param order permutation: for each joint of the robot its joint column in the file; null if the orders agree
 *  @param out receives the numbers: a copy in the wanted order; without `order`, the clip's own array */
function arrange(clip: RawClip, order: readonly number[] | null, name: string, out: Float64Array): void {
  const { rows: from, columns } = clip;
  refuseNotFinite(clip, name);
  const columnOf = order && Int32Array.from(order, (column) => ROOT_COLUMNS + column);
  for (let row = 0; row < from.length; row += columns) {
    const scale = unitScale(from, row + 3);
    if (scale === null)
      throw badInput(
        `${name}: row ${row / columns + 1}, column 4: the quaternion qx qy qz qw has length zero. Repair or remove that frame.`,
      );
    const w = scale * from[row + 6]!;
    for (let k = 3; k > 0; k -= 1) out[row + 3 + k] = scale * from[row + 2 + k]!;
    out[row + 3] = w;
    if (columnOf) for (let j = 0; j < columnOf.length; j += 1) out[row + ROOT_COLUMNS + j] = from[row + columnOf[j]!]!;
  }
}

/** @throws bad_input naming the first number that is not finite */
function refuseNotFinite(clip: RawClip, name: string): void {
  const { rows, columns } = clip;
  // A finite number times 0 is 0; any other number times 0 is NaN. The sum therefore detects values that are not
  // finite, without a branch per number.
  let sum = 0;
  for (let k = 0; k < rows.length; k += 1) sum += rows[k]! * 0;
  if (sum === 0) return;
  const at = rows.findIndex((value) => !Number.isFinite(value));
  throw notFinite(clip, Math.floor(at / columns), at % columns, name);
}

/** Returns the factor that normalises the quaternion at index `at`: 1 if its length is nearly 1, null if it is too
 *  short to define an orientation. */
function unitScale(values: Float64Array, at: number): number | null {
  const [a, b, c, d] = [values[at]!, values[at + 1]!, values[at + 2]!, values[at + 3]!];
  const norm = Math.sqrt(a * a + b * b + c * c + d * d);
  if (!(norm > LEAST_NORM && Number.isFinite(norm))) return null;
  return Math.abs(norm - 1) <= UNIT_TOLERANCE ? 1 : 1 / norm;
}

function notFinite(clip: RawClip, frame: number, column: number, name: string): Error {
  const joint = clip.jointNames?.[column - ROOT_COLUMNS];
  const what = ROOT_NAMES[column] ?? joint ?? `joint ${column - ROOT_COLUMNS + 1}`;
  return badInput(
    `${name}: row ${frame + 1}, column ${column + 1} (${what}) is ${clip.rows[frame * clip.columns + column]}, not a finite number. Repair or remove that frame.`,
  );
}

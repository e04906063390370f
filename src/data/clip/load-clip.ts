import path from 'node:path';
import { badInput } from '../../core/errors.ts';
import { clipFileType } from '../../formats/clip-registry.ts';
import { type RawClip, ROOT_COLUMNS } from '../../formats/raw-clip.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import { bundleProblem } from './clip-facts.ts';
import { columnOrder } from './joint-order.ts';

/** Quaternions in files with six decimals deviate from unit length by 1e-6. Larger deviations than this are
 *  normalised. */
const UNIT_TOLERANCE = 1e-3;
/** A shorter quaternion has no usable direction. */
const LEAST_NORM = 1e-6;
const ROOT_NAMES = ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'] as const;

/** The robot that a clip is loaded for. */
export interface ClipTarget {
  /** 7 + joints of the robot */
  readonly columns: number;
  /** joints of the robot in column order */
  readonly jointNames: readonly string[];
  /** frames per second for a file without a rate */
  readonly fps: number;
  /** overrides what the file or its format states */
  readonly read?: ReadOptions;
}

/** A clip with finite numbers only and quaternions of unit length within 1e-3. It lies in shared memory, so that
 *  threads do not copy it. */
export interface SharedClipRows extends ClipRows {
  readonly rows: Float64Array<SharedArrayBuffer>;
}

/** Reads a clip's file for a robot. Pure, so that it can run on any thread.
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

/** @param order for each joint of the robot its joint column in the file; null if the orders agree */
function toRows(clip: RawClip, order: readonly number[] | null, name: string): Float64Array<SharedArrayBuffer> {
  const { rows: from, columns } = clip;
  refuseNotFinite(clip, name);
  const out = new Float64Array(new SharedArrayBuffer(from.byteLength));
  // Copied at once: most numbers stay where they are.
  out.set(from);
  const columnOf = order && Int32Array.from(order, (column) => ROOT_COLUMNS + column);
  for (let row = 0; row < from.length; row += columns) {
    const scale = unitScale(from, row + 3);
    if (scale === null)
      throw badInput(
        `${name}: row ${row / columns + 1}, column 4: the quaternion qx qy qz qw has length zero; repair or remove that frame`,
      );
    out[row + 3] = scale * from[row + 6]!;
    for (let k = 0; k < 3; k += 1) out[row + 4 + k] = scale * from[row + 3 + k]!;
    if (columnOf) for (let j = 0; j < columnOf.length; j += 1) out[row + ROOT_COLUMNS + j] = from[row + columnOf[j]!]!;
  }
  return out;
}

/** @throws bad_input naming the first number that is not finite */
function refuseNotFinite(clip: RawClip, name: string): void {
  const { rows, columns } = clip;
  // A number times 0 is 0 unless it is not finite. This needs no branch per number.
  let sum = 0;
  for (let k = 0; k < rows.length; k += 1) sum += rows[k]! * 0;
  if (sum === 0) return;
  const at = rows.findIndex((value) => !Number.isFinite(value));
  throw notFinite(clip, Math.floor(at / columns), at % columns, name);
}

/** Returns the factor that normalises the quaternion at `at`: 1 if it is nearly of unit length, null if it has no
 *  direction. */
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
    `${name}: row ${frame + 1}, column ${column + 1} (${what}) is ${clip.rows[frame * clip.columns + column]}, not a finite number; repair or remove that frame`,
  );
}

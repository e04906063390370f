import { badInput } from '../../core/errors.ts';
import { quaternionOrder } from '../../formats/csv/quaternion-order.ts';
import { formatRateLine } from '../../formats/csv/rate-line.ts';
import { formatClipCsv } from '../../formats/csv.ts';
import { ROOT_COLUMNS } from '../../formats/raw-clip.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { DEFAULT_INPUT_FPS } from '../../motion/conversion-options.ts';
import { LENGTH_UNITS, type ReadOptions } from '../../protocol/schemas/reading.ts';
import { jointOrder } from '../clip/joint-order.ts';

/** Number of rows formatted as one string. The text of a whole long clip would exceed the maximum string length. */
const ROWS_AT_ONCE = 4096;

/** The settings of the new clip's dataset that decide how the file is read. */
export interface CsvTarget {
  /** options of the dataset's `dataset.yaml`, which override what every raw file states */
  readonly read: ReadOptions;
  /** joints of the robot, in the robot's order */
  readonly joints: readonly string[];
}

/** Formats a clip as a raw CSV file. Reading the file gives the same clip again. Each row has
 *  `x,y,z,qx,qy,qz,qw,joint…` in m and rad, or in the units and orders that the dataset's read options set. A rate
 *  other than the default of CSV clips is written as a comment above the rows. So is the default rate if the robot is
 *  upside down: the comment shows that this service wrote the file, so that the order of the quaternion is not guessed.
 *  @throws bad_input if the dataset's read options set a different frame rate, or joints of another robot */
export function clipCsv({ fps, frames, rows }: ClipRows, { read, joints }: CsvTarget): Uint8Array[] {
  if (read.fps !== undefined && read.fps !== fps)
    throw badInput(
      `into: dataset.yaml sets ${read.fps} frames per second for all clips of the dataset, but this clip has ${fps}. Choose another dataset.`,
    );
  const width = rows.length / frames;
  const scale = 1 / LENGTH_UNITS[read.units ?? 'm'];
  const columns = columnsOf(joints, read);
  const parts: Uint8Array[] = [];
  for (let first = 0; first < frames; first += ROWS_AT_ONCE) {
    const last = Math.min(frames, first + ROWS_AT_ONCE);
    const block = new Float64Array((last - first) * width);
    for (let at = 0; at < block.length; at += width) {
      const row = first * width + at;
      for (let k = 0; k < width; k += 1) block[at + k] = rows[row + columns[k]!]! * (k < 3 ? scale : 1);
    }
    parts.push(Buffer.from(formatClipCsv(block, width)));
  }
  const seemsTurned = read.quaternion === undefined && quaternionOrder(parts[0]!) !== 'xyzw';
  return fps !== DEFAULT_INPUT_FPS || seemsTurned ? [Buffer.from(formatRateLine(fps)), ...parts] : parts;
}

/** Returns, for each column of the file, the column of a clip in memory. The quaternion in memory is w x y z. */
function columnsOf(joints: readonly string[], { quaternion, joint_order: names }: ReadOptions): number[] {
  const places = names && jointOrder(names, joints, 'into: dataset.yaml: convert.read.joint_order');
  const inFile = joints.map((_, joint) => joint);
  for (const [joint, column] of places?.entries() ?? []) inFile[column] = joint;
  return [
    ...[0, 1, 2],
    ...(quaternion === 'wxyz' ? [3, 4, 5, 6] : [4, 5, 6, 3]),
    ...inFile.map((joint) => ROOT_COLUMNS + joint),
  ];
}

import { badInput } from '../../core/errors.ts';
import { formatRateLine } from '../../formats/csv/rate-line.ts';
import { formatClipCsv } from '../../formats/csv.ts';
import { ROOT_COLUMNS } from '../../formats/raw-clip.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { DEFAULT_INPUT_FPS } from '../../motion/conversion-options.ts';
import { LENGTH_UNITS, type ReadOptions } from '../../protocol/schemas/reading.ts';

/** Rows formatted together: the text of a long clip exceeds the longest string. */
const ROWS_AT_ONCE = 4096;

/** How the dataset of a new clip is read. */
export interface CsvTarget {
  /** what its `dataset.yaml` overrides in every raw file */
  readonly read: ReadOptions;
  /** joints of the robot in its order */
  readonly joints: readonly string[];
}

/** Formats a clip as a raw CSV file that reads back as the same clip: `x,y,z,qx,qy,qz,qw,joint…` per frame, in m and
 *  rad, or in the units and orders that the dataset overrides. A rate other than the default of CSV clips is stated in a
 *  comment above the rows.
 *  @throws bad_input if the dataset overrides the frame rate with another one */
export function clipCsv({ fps, frames, rows }: ClipRows, { read, joints }: CsvTarget): Uint8Array[] {
  if (read.fps !== undefined && read.fps !== fps)
    throw badInput(
      `into: dataset.yaml reads every clip of the dataset with ${read.fps} frames a second, this one has ${fps}; choose another dataset`,
    );
  const width = rows.length / frames;
  const scale = 1 / LENGTH_UNITS[read.units ?? 'm'];
  const columns = columnsOf(joints, read);
  const parts: Uint8Array[] = fps === DEFAULT_INPUT_FPS ? [] : [Buffer.from(formatRateLine(fps))];
  for (let first = 0; first < frames; first += ROWS_AT_ONCE) {
    const last = Math.min(frames, first + ROWS_AT_ONCE);
    const block = new Float64Array((last - first) * width);
    for (let at = 0; at < block.length; at += width) {
      const row = first * width + at;
      for (let k = 0; k < width; k += 1) block[at + k] = rows[row + columns[k]!]! * (k < 3 ? scale : 1);
    }
    parts.push(Buffer.from(formatClipCsv(block, width)));
  }
  return parts;
}

/** Returns for each column of the file the column of a clip in memory, whose quaternion is w x y z. */
function columnsOf(joints: readonly string[], { quaternion, joint_order: order }: ReadOptions): number[] {
  const names = order && joints.every((name) => order.includes(name)) ? order : joints;
  return [
    ...[0, 1, 2],
    ...(quaternion === 'wxyz' ? [3, 4, 5, 6] : [4, 5, 6, 3]),
    ...names.map((name) => ROOT_COLUMNS + joints.indexOf(name)),
  ];
}

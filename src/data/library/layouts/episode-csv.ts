import path from 'node:path';
import { writeWholeSync } from '../../../core/files/atomic-file.ts';
import { formatClipCsv } from '../../../formats/csv.ts';
import { ROOT_COLUMNS } from '../../../formats/raw-clip.ts';

const ROOT = ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'] as const;
/** Matches joint names that can be written to a CSV header and read back unchanged. */
const PLAIN = /^(?!inf|nan)[A-Za-z_][\w .:-]*$/i;

/** Writes a clip as `<clip>.csv`, with a header that names the joints.
 *  @param rows (frames, 7 + joints) x y z m, quaternion xyzw, joints in the robot's order, rad or m
 *  @returns why the clip cannot be written; null if it was written  @throws disk_full */
export function writeEpisode(
  folder: string,
  clip: string,
  rows: Float64Array,
  jointNames: readonly string[],
): string | null {
  const columns = ROOT_COLUMNS + jointNames.length;
  if (rows.length === 0) return 'has no frames';
  const odd = rows.findIndex((value) => !Number.isFinite(value));
  if (odd >= 0) {
    const what = [...ROOT, ...jointNames][odd % columns];
    return `frame ${Math.floor(odd / columns)} has ${rows[odd]} as ${what}, not a finite number`;
  }
  // The header may be omitted: the columns are in the robot's order anyway.
  const header = jointNames.every((name) => PLAIN.test(name)) ? `${[...ROOT, ...jointNames].join(',')}\n` : '';
  writeWholeSync(path.join(folder, `${clip}.csv`), header + formatClipCsv(rows, columns));
  return null;
}

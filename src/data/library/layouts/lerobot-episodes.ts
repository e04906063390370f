import path from 'node:path';
import { badInput } from '../../../core/errors.ts';
import { type RowRange, withParquet } from '../../../formats/parquet/read-parquet.ts';
import { ROOT_COLUMNS } from '../../../formats/raw-clip.ts';
import type { FeatureColumns, LeRobotReading } from './dataset-layout.ts';
import { writeEpisode } from './episode-csv.ts';

const EPISODE = 'episode_index';
const FRAME = 'frame_index';
/** Number of digits of an episode number in LeRobot's file names. */
const DIGITS = 6;

/** The row range of an episode in its file. */
export interface EpisodeRange extends RowRange {
  readonly episode: number;
}

/** Returns the name of an episode's clip. */
export function episodeClip(episode: number): string {
  return `episode_${String(episode).padStart(DIGITS, '0')}`;
}

/** Lists the episodes of a data file in the order of its rows. Has no side effects, so it can run on any thread.
 *  @throws bad_input for a damaged file, or for rows that are not sorted by frame */
export async function listEpisodes(file: string): Promise<EpisodeRange[]> {
  return withParquet(file, async (parquet) => {
    if (!parquet.columns.has(EPISODE)) throw badInput(`${path.basename(file)}: has no column "${EPISODE}"`);
    const columns = [EPISODE, ...(parquet.columns.has(FRAME) ? [FRAME] : [])];
    const ranges: EpisodeRange[] = [];
    let frame = -1;
    for (const group of parquet.groups)
      for (const [k, cells] of (await parquet.read(columns, group)).entries()) {
        const row = group.from + k;
        const episode = integer(cells[0], EPISODE, file, row);
        const last = ranges.at(-1);
        const goesOn = last?.episode === episode;
        const index = columns.length > 1 ? integer(cells[1], FRAME, file, row) : row;
        if (goesOn && index <= frame)
          throw badInput(`${path.basename(file)}: row ${row + 1}: frame ${index} comes after frame ${frame}`);
        frame = index;
        if (goesOn) ranges[ranges.length - 1] = { ...last, to: row + 1 };
        else ranges.push({ episode, from: row, to: row + 1 });
      }
    return ranges;
  });
}

function integer(cell: unknown, column: string, file: string, row: number): number {
  const value = typeof cell === 'bigint' ? Number(cell) : cell;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= 1e9)
    throw badInput(`${path.basename(file)}: row ${row + 1}: "${column}" must be an integer from 0 to 999999999`);
  return value;
}

/** Writes neighbouring episodes of a data file as clips into an existing folder.
 *  @param jointNames joints of the robot in column order
 *  @returns the skipped episodes, with the reasons  @throws bad_input, disk_full */
export async function writeLeRobotEpisodes(
  file: string,
  episodes: readonly EpisodeRange[],
  reading: LeRobotReading,
  jointNames: readonly string[],
  folder: string,
): Promise<string[]> {
  const features = [
    ...new Set([reading.joints, reading.position, reading.quaternion].flatMap((of) => of?.feature ?? [])),
  ];
  return withParquet(file, async (parquet) => {
    for (const feature of features)
      if (!parquet.columns.has(feature)) throw badInput(`${path.basename(file)}: has no column "${feature}"`);
    const [first, last] = [episodes[0], episodes.at(-1)];
    if (!first || !last) return [];
    // Read all episodes at once: a row group is always decompressed as a whole, even for a few of its rows.
    const cells = await parquet.read(features, { from: first.from, to: last.to });
    return episodes.flatMap((range) => {
      const clip = episodeClip(range.episode);
      const own = cells.slice(range.from - first.from, range.to - first.from);
      const rows = new Float64Array(own.length * (ROOT_COLUMNS + jointNames.length));
      const problem = fill(own, reading, features, rows) ?? writeEpisode(folder, clip, rows, jointNames);
      return problem === null ? [] : [`${clip}: ${problem}`];
    });
  });
}

/** Copies the cells of an episode into the columns of a clip. @returns why that is impossible; null on success */
function fill(
  cells: readonly (readonly unknown[])[],
  { joints, position, quaternion, rootHeight, metres }: LeRobotReading,
  features: readonly string[],
  rows: Float64Array,
): string | null {
  const columns = ROOT_COLUMNS + joints.indices.length;
  const parts = [
    { of: joints, at: ROOT_COLUMNS },
    ...(position ? [{ of: position, at: 0 }] : []),
    ...(quaternion ? [{ of: quaternion, at: 3 }] : []),
  ];
  for (const [frame, values] of cells.entries()) {
    const row = frame * columns;
    if (!position) rows[row + 2] = rootHeight;
    if (!quaternion) rows[row + 6] = 1;
    for (const { of, at } of parts) {
      const problem = copyValues(values[features.indexOf(of.feature)], of, rows, row + at);
      if (problem !== null) return `frame ${frame} ${problem}`;
    }
    if (position) for (let k = row; k < row + 3; k += 1) rows[k] = metres * rows[k]!;
  }
  return null;
}

function copyValues(
  cell: unknown,
  { feature, indices }: FeatureColumns,
  rows: Float64Array,
  at: number,
): string | null {
  if (!Array.isArray(cell) && !ArrayBuffer.isView(cell)) return `has no "${feature}"`;
  const values = cell as ArrayLike<unknown>;
  for (const [k, index] of indices.entries()) {
    const value = values[index];
    if (typeof value !== 'number') return `has ${values.length} values of "${feature}"; value ${index + 1} is missing`;
    rows[at + k] = value;
  }
  return null;
}

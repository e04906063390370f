import path from 'node:path';
import { breadthFirstJoints } from '../../../checks/layout/orders.ts';
import { badInput, StudioError } from '../../../core/errors.ts';
import { type NumberTable, parseNumberTable } from '../../../formats/csv/number-table.ts';
import { ROOT_COLUMNS } from '../../../formats/raw-clip.ts';
import { WholeFile } from '../../../formats/whole-file.ts';
import { type ClipRobotSource, openClipRobot } from '../../../motion/clip-robot.ts';
import type { SonicLayout } from './dataset-layout.ts';
import { writeEpisode } from './episode-csv.ts';
import { matchJoints } from './joint-match.ts';
import { readSonicMetadata, type SONIC_FILES, SONIC_FPS } from './sonic-folder.ts';

/** Matches headers that only number the columns. The SONIC deployment writes such headers. */
const NUMBERED = /^(?:joint|dof|j|q)?(?:_pos)?[_ ]?\d+$/i;

/** Writes a clip of a SONIC deploy folder into an existing folder. The root is body 0. The joints are permuted from
 *  the simulator's order (breadth-first) to the robot's order.
 *  @returns why the clip was skipped; null if it was written  @throws disk_full */
export async function writeSonicClip(
  { name, folder }: SonicLayout['clips'][number],
  layout: Pick<SonicLayout, 'fps' | 'reading'>,
  source: ClipRobotSource,
  into: string,
): Promise<string | null> {
  try {
    const jointNames = source.facts.joints.map((joint) => joint.name);
    const rows = await readSonicClip(folder, layout, source, jointNames);
    const problem = writeEpisode(into, name, rows, jointNames);
    return problem === null ? null : `${name}: ${problem}`;
  } catch (error) {
    if (error instanceof StudioError && error.code === 'bad_input') return `${name}: ${error.message}`;
    throw error;
  }
}

async function readSonicClip(
  folder: string,
  { fps, reading }: Pick<SonicLayout, 'fps' | 'reading'>,
  source: ClipRobotSource,
  jointNames: readonly string[],
): Promise<Float64Array> {
  const metadata = await readSonicMetadata(folder);
  if (metadata.firstBody !== null && metadata.firstBody !== 0)
    throw badInput(`the first body in its tables is number ${metadata.firstBody}, expected the root (0)`);
  if (reading.fps === null && (metadata.fps ?? SONIC_FPS) !== fps)
    throw badInput(
      `it has ${metadata.fps ?? SONIC_FPS} frames per second, the first clip has ${fps}. Import this clip separately.`,
    );
  const joints = table(folder, 'joint_pos.csv', jointNames.length);
  const positions = table(folder, 'body_pos.csv', 3);
  const quaternions = table(folder, 'body_quat.csv', 4);
  const { rows: frames } = joints;
  if (positions.rows !== frames || quaternions.rows !== frames || (metadata.frames ?? frames) !== frames)
    throw badInput(
      `its tables differ in length: joint_pos.csv ${frames}, body_pos.csv ${positions.rows}, body_quat.csv ${quaternions.rows}, metadata.txt ${metadata.frames ?? 'not stated'}. Copy the folder again.`,
    );
  const order = await orderOfColumns(joints, reading.jointOrder ?? metadata.jointNames, jointNames, source);
  // Some tools do not record the position and write zeros. The root's default height is then used.
  const height = positions.values.some((value) => value !== 0) ? null : source.facts.rootHeight;
  const first = reading.quaternion === 'wxyz' ? 1 : 0;
  const columns = ROOT_COLUMNS + jointNames.length;
  const rows = new Float64Array(frames * columns);
  for (let frame = 0; frame < frames; frame += 1) {
    const at = frame * columns;
    for (let k = 0; k < 3; k += 1) rows[at + k] = reading.metres * positions.values[frame * positions.columns + k]!;
    if (height !== null) rows[at + 2] = height;
    const quaternion = frame * quaternions.columns;
    for (let k = 0; k < 4; k += 1) rows[at + 3 + k] = quaternions.values[quaternion + ((k + first) % 4)]!;
    for (const [joint, column] of order.entries())
      rows[at + ROOT_COLUMNS + joint] = joints.values[frame * joints.columns + column]!;
  }
  return rows;
}

function table(folder: string, file: (typeof SONIC_FILES)[number], least: number): NumberTable {
  try {
    const read = parseNumberTable(new WholeFile(path.join(folder, file)).bytes());
    if (read.columns >= least && (file !== 'joint_pos.csv' || read.columns === least)) return read;
    throw badInput(`has ${read.columns} columns, expected ${least}`);
  } catch (error) {
    if (error instanceof StudioError) throw new StudioError(error.code, `${file}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Returns the column of each joint: by the names in metadata or header, else in breadth-first order, as Isaac Lab
 *  sorts joints.
 *  @param stated column names from the metadata, which have priority over the header; null if not stated
 *  @throws bad_input naming the joints without a column */
async function orderOfColumns(
  { header, columns }: NumberTable,
  stated: readonly string[] | null,
  jointNames: readonly string[],
  source: ClipRobotSource,
): Promise<readonly number[]> {
  const named = header?.every((name) => NUMBERED.test(name)) ? null : header;
  const names = stated?.length === columns ? stated : named;
  if (!names) {
    const placed = breadthFirstJoints(await openClipRobot(source));
    return jointNames.map((_, joint) => placed.indexOf(joint));
  }
  const found = matchJoints(names, jointNames);
  const lacks = jointNames.filter((_, joint) => found[joint] === -1);
  if (lacks.length > 0)
    throw badInput(
      `joint_pos.csv has no column for ${lacks.slice(0, 6).join(', ')}${lacks.length > 6 ? ` and ${lacks.length - 6} more` : ''}: the clip is of another robot`,
    );
  return found;
}

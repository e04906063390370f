import path from 'node:path';
import type { ClipIssue } from '../../checks/clip/issue.ts';
import { type ClipContents, checkAndScore } from '../../checks/run-checks.ts';
import { sortIssues } from '../../checks/run-clip-checks.ts';
import type { CheckSettings } from '../../checks/threshold.ts';
import { badInput, StudioError } from '../../core/errors.ts';
import { clipFileType } from '../../formats/clip-registry.ts';
import { readMotionNpz } from '../../formats/motion-npz.ts';
import { type LeftOutColumns, type RawClip, ROOT_COLUMNS } from '../../formats/raw-clip.ts';
import { type ClipRobotSource, openClipRobot } from '../../motion/clip-robot.ts';
import type { ClipRows } from '../../motion/clip-rows.ts';
import { DEFAULT_INPUT_FPS } from '../../motion/conversion-options.ts';
import type { ClipScore } from '../../protocol/schemas/data.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import { columnsProblem } from './clip-facts.ts';
import { columnOrder, leftOutText } from './joint-order.ts';

/** The result of checking one file. Sent between threads. */
export interface ClipQuality {
  /** issues, the worst first */
  readonly issues: readonly ClipIssue[];
  /** null for a clip that cannot be measured */
  readonly score: ClipScore | null;
  /** why the file cannot be checked, for example because it is not a clip of the robot; null if it was checked */
  readonly error: string | null;
}

/** Reads a clip's file and checks it. Has no side effects, so it can run on any thread.
 *  @param format id of a clip format  @param read options that override what the file or its format states
 *  @param settings thresholds that differ from the defaults */
export async function checkClipFile(
  file: string,
  format: string,
  source: ClipRobotSource,
  read: ReadOptions,
  settings: CheckSettings,
): Promise<ClipQuality> {
  try {
    const inspected = await readInspected(file, format, source, read);
    const { issues, score } = checkAndScore(await openClipRobot(source), inspected.contents, settings);
    return { issues: sortIssues([...issues, ...inspected.issues]), score, error: null };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { issues: [], score: null, error: error.message };
  }
}

/** What a file contains, and what was noticed while reading it. */
interface Inspected {
  readonly contents: ClipContents;
  readonly issues: readonly ClipIssue[];
}

async function readInspected(
  file: string,
  format: string,
  { facts }: ClipRobotSource,
  options: ReadOptions,
): Promise<Inspected> {
  const name = path.basename(file);
  const joints = facts.joints.map((joint) => joint.name);
  const width = ROOT_COLUMNS + joints.length;
  if (format === 'npz') {
    const motion = await readMotion(file);
    if (motion) {
      const columns = ROOT_COLUMNS + motion.joints;
      if (columns !== width) throw badInput(`${name}: ${columnsProblem(columns, width)}`);
      return { contents: { kind: 'motion', motion }, issues: [] };
    }
  }
  const raw = await clipFileType(format).read(file, options);
  const order = columnOrder(raw, { columns: width, jointNames: joints }, name);
  const clip = toRows(raw, order, raw.fps ?? DEFAULT_INPUT_FPS);
  const assumed = raw.assumed.some(({ what, from }) => what === 'fps' && from !== 'file');
  const stated = raw.fps !== null && !assumed;
  const issues = raw.leftOut && !options.joint_order ? [leftOutIssue(raw, raw.leftOut, joints)] : [];
  return { contents: { kind: 'rows', clip, named: raw.jointNames !== null, stated }, issues };
}

function leftOutIssue({ frames, columns }: RawClip, leftOut: LeftOutColumns, joints: readonly string[]): ClipIssue {
  return {
    ...{ kind: 'joint_order', severity: 'warning', frames: [0, frames - 1], fix: null, body: null },
    text: `${leftOutText(leftOut, columns)}.`,
    plot: { channels: [`joint.${joints.at(-1)}`], frame: 0 },
  };
}

/** Reads a clip with all its arrays. Returns null for a file without body arrays, which is read like a raw file. */
async function readMotion(file: string) {
  try {
    return await readMotionNpz(file);
  } catch (error) {
    if (error instanceof StudioError) return null;
    throw error;
  }
}

/** Returns the rows without changes. Values that are not finite are kept, so that the checks can report them. */
function toRows({ rows: from, frames, columns }: RawClip, order: readonly number[] | null, fps: number): ClipRows {
  const rows = Float64Array.from(from);
  for (let at = 0; at < rows.length; at += columns) {
    rows[at + 3] = from[at + 6]!;
    for (let k = 0; k < 3; k += 1) rows[at + 4 + k] = from[at + 3 + k]!;
    if (order)
      for (let k = ROOT_COLUMNS; k < columns; k += 1)
        rows[at + k] = from[at + ROOT_COLUMNS + order[k - ROOT_COLUMNS]!]!;
  }
  return { fps, frames, rows };
}

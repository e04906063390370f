import { badInput } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { LeftOutColumns, RawClip } from '../../formats/raw-clip.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';
import { columnsProblem } from './clip-facts.ts';

/** Suffix of joint names that some files omit. */
const SUFFIX = '_joint';

/** Maximum number of names of one kind in a message. */
const NAMED = 8;

/** Finds the column of each joint of the robot in a clip, using the names of the clip's joint columns if they are
 *  known.
 *  @param file name of the file in messages
 *  @returns permutation: for each joint of the robot its index among the joint columns; null if the orders agree or
 *  no names are known
 *  @throws bad_input for a clip of another robot, naming the joints that differ */
export function columnOrder(
  { columns, jointNames, leftOut }: Pick<RawClip, 'columns' | 'jointNames' | 'leftOut'>,
  robot: { readonly columns: number; readonly jointNames: readonly string[] },
  file: string,
): readonly number[] | null {
  const order = jointNames && jointOrder(jointNames, robot.jointNames, file);
  if (columns !== robot.columns) {
    const without = leftOut ? `; ${leftOutText(leftOut, columns)}` : '';
    throw badInput(`${file}: ${columnsProblem(columns, robot.columns)}${without}`);
  }
  return order;
}

/** Describes columns that were left out, and how to correct a wrong judgement. @param columns of the clip without
 *  them */
export function leftOutText({ columns: left, as }: LeftOutColumns, columns: number): string {
  return `the last ${left} of the ${columns + left} columns of the file look like ${as} and were left out; if they are joints, name all joints in the array "joint_names"`;
}

/** Checks the option `joint_order`. @throws bad_input if its names are not the names of the robot's joints */
export function checkReadOptions({ joint_order: names }: ReadOptions, joints: readonly string[]): void {
  if (names) jointOrder(names, joints, 'read.joint_order');
}

/** Finds the column of each joint of the robot in a file.
 *  @param names names of the file's joint columns; a prefix up to "/" (`robot/left_knee`) is ignored, and a missing
 *  `_joint` at the end is added
 *  @param wanted joints of the robot  @param file name of the file in messages
 *  @returns permutation: for each joint of `wanted` its index in `names`; null if the orders agree
 *  @throws bad_input naming the joints that are unknown to the robot, missing, or have two columns */
export function jointOrder(
  names: readonly string[],
  wanted: readonly string[],
  file: string,
): readonly number[] | null {
  const columns = new Map<string, number>();
  const known = new Set(wanted);
  for (const [index, name] of names.entries()) {
    const own = name.slice(name.lastIndexOf('/') + 1);
    const joint = !known.has(own) && known.has(own + SUFFIX) ? own + SUFFIX : own;
    if (columns.has(joint)) throw badInput(`${file}: the joint "${joint}" has two columns; remove one`);
    columns.set(joint, index);
  }
  const foreign = [...columns.keys()].filter((joint) => !known.has(joint));
  const missing = wanted.filter((joint) => !columns.has(joint));
  if (foreign.length + missing.length > 0) throw badInput(`${file}: ${namesProblem(foreign, missing, wanted)}`);
  const order = wanted.map((joint) => columns.get(joint)!);
  return order.every((column, index) => column === index) ? null : order;
}

/** Returns a message for a clip whose joints differ from the robot's joints. */
function namesProblem(foreign: readonly string[], missing: readonly string[], wanted: readonly string[]): string {
  const parts: string[] = [];
  if (foreign.length > 0)
    parts.push(`${listed(foreign)} ${foreign.length === 1 ? 'does' : 'do'} not belong to this robot`);
  if (missing.length > 0)
    parts.push(`${listed(missing)} of the robot ${missing.length === 1 ? 'has' : 'have'} no column`);
  const hint = foreign.length === 1 ? didYouMean(foreign[0]!, wanted) : null;
  return [...parts, hint ?? 'the clip may belong to another robot'].join('; ');
}

function listed(joints: readonly string[]): string {
  const shown = joints.slice(0, NAMED).map((joint) => `"${joint}"`);
  const more = joints.length > NAMED ? ` and ${joints.length - NAMED} more` : '';
  return `the ${joints.length === 1 ? 'joint' : 'joints'} ${shown.join(', ')}${more}`;
}

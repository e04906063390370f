import { badInput } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';

/** Suffix of joint names that some files omit. */
const SUFFIX = '_joint';

/** Finds the column of each joint of the robot in a file.
 *  @param names of the file's joint columns; a prefix up to "/" (`robot/left_knee`) is ignored, and a missing `_joint`
 *  at the end is added
 *  @param wanted joints of the robot  @param file name of the file in messages
 *  @returns for each joint of `wanted` its index in `names`; null if the orders agree
 *  @throws bad_input naming a joint that the robot does not have, that is missing, or that has two columns */
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
  const foreign = [...columns.keys()].find((joint) => !known.has(joint));
  if (foreign !== undefined) {
    const hint = didYouMean(foreign, wanted) ?? 'the clip may belong to another robot';
    throw badInput(`${file}: the joint "${foreign}" is not one of this robot's; ${hint}`);
  }
  const order = wanted.map((joint) => {
    const index = columns.get(joint);
    if (index === undefined) throw badInput(`${file}: the joint "${joint}" of the robot has no column`);
    return index;
  });
  return order.every((column, index) => column === index) ? null : order;
}

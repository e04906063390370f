import { badInput } from '../../../core/errors.ts';
import { LENGTH_UNITS, type QuaternionOrder, type ReadOptions } from '../../../protocol/schemas/reading.ts';
import type { FeatureColumns, LayoutRobot, LeRobotReading } from './dataset-layout.ts';
import { matchJoints } from './joint-match.ts';

/** A feature of `meta/info.json` whose value in each row is a list of numbers. */
interface Feature {
  readonly name: string;
  readonly size: number;
  /** names of the list's values; null if the dataset does not state them, or in a form that is not understood */
  readonly names: readonly string[] | null;
  /** the value of `names` if it is not understood, as JSON */
  readonly unread: string | null;
}

const SHOWN_NAMES = 6;
/** Features that usually contain the joints: first measured positions, then commanded positions. */
const PREFERRED = ['observation.state', 'observation.qpos', 'observation.joint_pos', 'action'];
const ROOT = '(?:root|base|pelvis|floatingbase)(?:link)?';
const POSITION_VALUE = new RegExp(`^${ROOT}(?:pos|position|trans|translation)?([xyz])$`);
const QUATERNION_VALUE = new RegExp(`^${ROOT}(?:quat|quaternion|orientation|ori|rotation|rot|q)q?([wxyz])$`);
const POSITION_FEATURE = new RegExp(`^(?:observation|state)?${ROOT}(?:pos|position|trans|translation)w?$`);
const QUATERNION_FEATURE = new RegExp(
  `^(?:observation|state)?${ROOT}(?:quat|quaternion|orientation|ori|rotation|rot)w?(wxyz|xyzw)?$`,
);

/** Finds the columns of the robot's joints and of its root.
 *  @param features features of `meta/info.json`
 *  @param assumed receives sentences about properties that the dataset does not state
 *  @throws bad_input for a dataset of another robot, naming the joints that differ */
export function findMotion(
  features: Readonly<Record<string, unknown>>,
  robot: LayoutRobot,
  { robotType, read }: { readonly robotType: string | null; readonly read: ReadOptions },
  assumed: string[],
): LeRobotReading {
  const all = Object.entries(features).flatMap(([name, value]) => featureOf(name, value) ?? []);
  const lists = [...all]
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map((feature) =>
      feature.size === read.joint_order?.length ? { ...feature, names: read.joint_order, unread: null } : feature,
    );
  const joints = findJoints(lists, robot, robotType, assumed);
  const position = ofValues(lists, joints.feature, POSITION_VALUE, 'xyz') ?? ofFeature(lists, POSITION_FEATURE, 'xyz');
  const quaternion =
    ofValues(lists, joints.feature, QUATERNION_VALUE, 'xyzw') ??
    quaternionFeature(lists, read.quaternion ?? null, assumed);
  if (!position)
    assumed.push(`the root stays at its standing height of ${robot.rootHeight} m: no position is recorded`);
  if (!quaternion) assumed.push('the root stays upright: no orientation is recorded');
  return { joints, position, quaternion, rootHeight: robot.rootHeight, metres: LENGTH_UNITS[read.units ?? 'm'] };
}

function rankOf({ name }: Feature): number {
  const rank = PREFERRED.indexOf(name);
  return rank < 0 ? PREFERRED.length : rank;
}

function findJoints(
  lists: readonly Feature[],
  { jointNames }: LayoutRobot,
  robotType: string | null,
  assumed: string[],
): FeatureColumns {
  const named = lists.flatMap(({ name, names }) =>
    names ? [{ feature: name, names, indices: matchJoints(names, jointNames) }] : [],
  );
  const found = named.find(({ indices }) => !indices.includes(-1));
  if (found) return { feature: found.feature, indices: found.indices };
  const unnamed = lists.find(
    ({ name, names, size }) => !names && PREFERRED.includes(name) && size === jointNames.length,
  );
  if (unnamed?.unread)
    throw badInput(
      `source: the names of "${unnamed.name}" in meta/info.json are not a list of ${unnamed.size} names: ${unnamed.unread.slice(0, 200)}. Set joint_order to the names of its values, in their order.`,
    );
  if (unnamed) {
    assumed.push(
      `the ${unnamed.size} values of "${unnamed.name}" have no names and are read in the robot's joint order`,
    );
    return { feature: unnamed.name, indices: jointNames.map((_, index) => index) };
  }
  const hits = (indices: readonly number[]) => indices.filter((index) => index >= 0).length;
  const best = named.reduce<(typeof named)[number] | null>(
    (most, next) => (most && hits(most.indices) >= hits(next.indices) ? most : next),
    null,
  );
  const of = robotType === null ? '' : ` (robot_type "${robotType.slice(0, 60)}")`;
  if (!best)
    throw badInput(
      `source: the LeRobot dataset${of} has no feature with joint positions. Expected a feature with named values, or with ${jointNames.length} values, one per joint of this robot.`,
    );
  const lacks = jointNames.filter((_, joint) => best.indices[joint] === -1);
  const foreign = best.names.filter((_, index) => !best.indices.includes(index));
  throw badInput(
    `source: the LeRobot dataset${of} belongs to another robot, or to a part of this robot: "${best.feature}" lacks ${shown(lacks)} and has ${shown(foreign)}`,
  );
}

function shown(names: readonly string[]): string {
  if (names.length === 0) return 'no other joint';
  const rest = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '';
  return `${names.slice(0, SHOWN_NAMES).join(', ').slice(0, 400)}${rest}`;
}

/** Finds the columns of the root (position or orientation) in the feature that also contains the joints. @param axes
 *  letters of the axes; the columns are returned in the same order */
function ofValues(lists: readonly Feature[], feature: string, pattern: RegExp, axes: string): FeatureColumns | null {
  const keys = lists.find(({ name }) => name === feature)?.names?.map(valueKey) ?? [];
  const indices = [...axes].map((axis) => keys.findIndex((key) => pattern.exec(key)?.[1] === axis));
  return indices.includes(-1) ? null : { feature, indices };
}

/** Finds the columns of the root in a separate feature. */
function ofFeature(lists: readonly Feature[], pattern: RegExp, axes: string): FeatureColumns | null {
  const found = lists.find(({ name, size }) => size === axes.length && pattern.test(valueKey(name)));
  return found ? { feature: found.name, indices: byNames(found, axes) ?? [...axes].map((_, index) => index) } : null;
}

function quaternionFeature(
  lists: readonly Feature[],
  asked: QuaternionOrder | null,
  assumed: string[],
): FeatureColumns | null {
  const found = lists.find(({ name, size }) => size === 4 && QUATERNION_FEATURE.test(valueKey(name)));
  if (!found) return null;
  const stated = asked === null ? byNames(found, 'xyzw') : null;
  if (stated) return { feature: found.name, indices: stated };
  const order = asked ?? QUATERNION_FEATURE.exec(valueKey(found.name))?.[1] ?? null;
  if (order === null) assumed.push(`the quaternion of "${found.name}" is read as w x y z`);
  return { feature: found.name, indices: order === 'xyzw' ? [0, 1, 2, 3] : [1, 2, 3, 0] };
}

/** Returns the index of each axis; null unless the value names end with the letters of the axes. */
function byNames({ names }: Feature, axes: string): number[] | null {
  if (!names) return null;
  const letters = names.map((name) => valueKey(name).slice(-1));
  const indices = [...axes].map((axis) => letters.indexOf(axis));
  return indices.includes(-1) ? null : indices;
}

/** Returns only the letters and digits of a name, in lower case. */
function valueKey(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}

function featureOf(name: string, value: unknown): Feature | null {
  if (typeof value !== 'object' || value === null) return null;
  const { dtype, shape, names } = value as { dtype?: unknown; shape?: unknown; names?: unknown };
  if (typeof dtype !== 'string' || !/^float(?:16|32|64)$/.test(dtype)) return null;
  if (!Array.isArray(shape) || shape.length !== 1) return null;
  const size: unknown = shape[0];
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 2) return null;
  const listed = namesOf(names);
  if (listed?.length === size) return { name, size, names: listed, unread: null };
  // A single name names the list, not its values.
  const unnamed = names === undefined || names === null || (listed !== null && listed.length < 2);
  return { name, size, names: null, unread: unnamed ? null : JSON.stringify(names) };
}

/** Returns the names of a feature's values. Datasets store them as a list, as lists under keys (`motors`, or one key
 *  per limb), as lists in a list, or as a map from name to index. Null for other forms. */
function namesOf(names: unknown): readonly string[] | null {
  if (typeof names !== 'object' || names === null) return null;
  const values: unknown[] = Object.values(names);
  if (values.every((value) => typeof value === 'string')) return Array.isArray(names) ? values : null;
  if (values.every(Array.isArray)) {
    const all = values.flat() as unknown[];
    return all.every((name) => typeof name === 'string') ? all : null;
  }
  const order = new Map(Object.entries(names).map(([name, index]) => [index as unknown, name]));
  const indexed = values.map((_, index) => order.get(index));
  return !Array.isArray(names) && indexed.every((name) => name !== undefined) ? indexed : null;
}

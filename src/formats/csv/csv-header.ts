import { badInput } from '../../core/errors.ts';
import type { LengthUnit } from '../../protocol/schemas/reading.ts';
import { ROOT_COLUMNS } from '../raw-clip.ts';

/** The column layout that a header states. Numbers are column indices in the file, from 0. */
export interface CsvLayout {
  /** `seed`: export of BONES-SEED; `named`: any other header that names the root's columns */
  readonly kind: 'seed' | 'named';
  /** columns of x, y, z */
  readonly position: readonly [number, number, number];
  readonly units: LengthUnit;
  /** `euler_xyz`: angles in degrees about the fixed axes x, y and z, in this order */
  readonly rotation: 'xyzw' | 'wxyz' | 'euler_xyz';
  /** columns of the quaternion's x, y, z, w, or of the angles about x, y, z */
  readonly rotationAt: readonly number[];
  readonly jointsAt: readonly number[];
  /** true if the joint columns are in degrees, false for radians */
  readonly degrees: boolean;
  /** null if the header only numbers the joints */
  readonly jointNames: readonly string[] | null;
  /** column of the time of each row; null without one */
  readonly timeAt: number | null;
}

/** The column information in a header. */
export interface CsvHeader {
  /** null for the usual order: x, y, z, qx, qy, qz, qw, joints */
  readonly layout: CsvLayout | null;
  /** true if the header names the root's columns, so that their order is not a guess */
  readonly namesRoot: boolean;
  /** names of the joint columns; null if the header only numbers them */
  readonly jointNames: readonly string[] | null;
}

/** Matches column names that only contain a number, such as `joint_3`. */
const NUMBERED = /^(?:dof|joint|jnt|j|q|column|col)?[_ [(]*\d+[\])]*$/i;
/** Matches columns of times. */
const TIME = /^(?:t|time|time[_ ]?stamp|time[_ ]?[([]?(?:s|sec|ms|us|ns)[)\]]?)$/i;
/** Matches columns that number the rows. */
const COUNTER = /^(?:frame|frame[_ ]?(?:id|idx|index|number|no)|index|idx|row|step|time[_ ]?step|unnamed: ?0)$/i;
const ROOT = '(?:(?:root|base|pelvis|floating[_ ]?base)[_ .]*)?';
/** Matches the world frame in a name, as in `root_pos_w_x`. */
const WORLD = '(?:w[_ .]+)?';
const UNIT = '(?:[_ ]*[([]?(mm|cm|m)[)\\]]?)?';
/** Matches root positions: `x`, `root_x`, `pos_x`, `root_pos_x`, `root_translation_x`, `x_cm` */
const POSITION = new RegExp(
  `^${ROOT}(?:(?:pos|position|trans|translation|p|t)[_ .[(]*${WORLD})?([xyz])[\\])]*${UNIT}$`,
  'i',
);
/** Matches root quaternions: `qx`, `root_qx`, `quat_x`, `root_rot_x`, `root_rot_qx`, `orientation_w`, `rw` */
const QUATERNION = new RegExp(
  `^${ROOT}(?:(?:rot|rotation|quat|quaternion|ori|orientation)[_ .[(]*${WORLD}q?|q[_ .[(]*|r|o)([wxyz])[\\])]*$`,
  'i',
);
/** Matches the axis at the end of any column name, and a unit after it. */
const LAST_AXIS = new RegExp(`([wxyz])[\\])]*${UNIT}$`, 'i');
const SEED_POSITION = /^root_translate([xyz])$/i;
const SEED_ROTATION = /^root_rotate([xyz])$/i;
/** Matches the suffix of joint columns in BONES-SEED exports. */
const SEED_JOINT = /_dof$/i;
/** Matches columns of animation exports, which are in centimetres or Euler angles. */
const ANIMATED = /^.*(?:translate|rotate|euler)_?[xyz]$|^(?:roll|pitch|yaw)$/i;

/** Returns true if the cells of a first line are column names, that is, if none of them begins like a number. */
export function isHeader(cells: readonly string[]): boolean {
  return (
    cells.some((cell) => cell !== '') &&
    cells.every((cell) => !/^[+-]?(?:\.?\d|nan\b|inf)/i.test(cell) || /[a-z]{4}/i.test(cell.replace(/infinity/i, '')))
  );
}

/** Returns true for the names that pandas gives to columns without names: `0`, `1`, `2`, … */
export function isNumbering(cells: readonly string[]): boolean {
  return cells.every((cell, index) => cell === String(index));
}

/** Reads a header. If the header does not name the root's columns, they are in the usual order.
 *  @throws bad_input for columns that cannot be interpreted */
export function readHeader(cells: readonly string[], line: number): CsvHeader {
  const layout = seedLayout(cells) ?? namedLayout(cells, line) ?? spelledLayout(cells, line);
  if (layout && layout.jointsAt.length === 0)
    throw badInput(`line ${line}, column ${cells.length}: the header has no joint columns. A clip needs at least one.`);
  if (layout)
    return { layout: isUsual(layout, cells.length) ? null : layout, namesRoot: true, jointNames: layout.jointNames };
  const foreign = cells.findIndex((cell, index) => isExtra(cell, index) || ANIMATED.test(cell));
  if (foreign >= 0)
    throw badInput(
      `line ${line}, column ${foreign + 1}: the header names "${cells[foreign]}", but not all of root_translateX/Y/Z and root_rotateX/Y/Z, or x, y, z, qx, qy, qz, qw; give the root's columns these names, or export without a header: x, y, z, qx, qy, qz, qw, joints`,
    );
  return { layout: null, namesRoot: false, jointNames: namesOf(cells.slice(ROOT_COLUMNS), line) };
}

/** Returns the layout of a BONES-SEED export: centimetres, Euler angles and joints in degrees. Null for other
 *  headers. */
function seedLayout(cells: readonly string[]): CsvLayout | null {
  const position = find(cells, SEED_POSITION, 'xyz');
  const rotationAt = find(cells, SEED_ROTATION, 'xyz');
  if (!position || !rotationAt) return null;
  const jointsAt = others(cells, [...position, ...rotationAt]);
  const jointNames = jointsAt.map((at) => cells[at]!.replace(SEED_JOINT, ''));
  const root = { position: position as [number, number, number], units: 'cm', rotation: 'euler_xyz' } as const;
  return { kind: 'seed', ...root, rotationAt, jointsAt, degrees: true, jointNames, timeAt: timeIn(cells) };
}

/** Returns the layout of a header that names the root's columns as `POSITION` and `QUATERNION` do; null for others. */
function namedLayout(cells: readonly string[], line: number): CsvLayout | null {
  const position = find(cells, POSITION, 'xyz');
  const rotationAt = find(cells, QUATERNION, 'xyzw');
  return position && rotationAt && layoutOf(cells, line, position, rotationAt);
}

/** Returns the layout of a header whose first seven columns have other names that end with the axes of a position and
 *  of a quaternion, in either order; null for other headers.
 *  @throws bad_input if these columns end with other axes */
function spelledLayout(cells: readonly string[], line: number): CsvLayout | null {
  const root = others(cells, []).slice(0, ROOT_COLUMNS);
  const axes = root.map((at) => LAST_AXIS.exec(cells[at]!)?.[1]?.toLowerCase() ?? '-').join('');
  if (root.length < ROOT_COLUMNS || axes.includes('-') || root.some((at) => ANIMATED.test(cells[at]!))) return null;
  // xyzwxyz may be both: the names before the axes tell whether the fourth column belongs to the first three.
  const [first, fourth] = [root[0]!, root[3]!].map((at) => cells[at]!.replace(LAST_AXIS, '').toLowerCase());
  const quaternionAt = first === fourth ? 0 : 3;
  const quaternion = root.slice(quaternionAt, quaternionAt + 4);
  const letters = axes.slice(quaternionAt, quaternionAt + 4);
  const position = root.filter((at) => !quaternion.includes(at));
  const rest = axes.slice(0, quaternionAt) + axes.slice(quaternionAt + 4);
  if (!/^(?:xyzw|wxyz)$/.test(letters) || rest !== 'xyz')
    throw badInput(
      `line ${line}, column ${root[0]! + 1}: the order of the root's position and quaternion is not clear from the column names. Name these columns x, y, z, qx, qy, qz, qw.`,
    );
  const rotationAt = Array.from('xyzw', (axis) => quaternion[letters.indexOf(axis)]!);
  return layoutOf(cells, line, position, rotationAt);
}

/** @throws bad_input for positions in several units */
function layoutOf(
  cells: readonly string[],
  line: number,
  position: readonly number[],
  rotationAt: readonly number[],
): CsvLayout {
  const jointsAt = others(cells, [...position, ...rotationAt]);
  const [units, ...more] = new Set(position.map((at) => (LAST_AXIS.exec(cells[at]!)?.[2] ?? 'm').toLowerCase()));
  if (more.length > 0)
    throw badInput(
      `line ${line}, column ${position[0]! + 1}: the header names positions in ${[units, ...more].join(' and ')}. Write all of them in one unit; a name without a unit means m.`,
    );
  return {
    kind: 'named',
    position: position as readonly [number, number, number],
    units: units as LengthUnit,
    rotation: rotationAt[3]! < rotationAt[0]! ? 'wxyz' : 'xyzw',
    rotationAt,
    jointsAt,
    degrees: false,
    jointNames: namesOf(
      jointsAt.map((at) => cells[at]!),
      line,
    ),
    timeAt: timeIn(cells),
  };
}

function timeIn(cells: readonly string[]): number | null {
  const time = cells.findIndex((cell) => TIME.test(cell));
  return time < 0 ? null : time;
}

/** Returns true for the usual order, x, y, z, qx, qy, qz, qw, joints, without other columns.
 *  @param columns number of columns in the file */
function isUsual({ position, units, rotation, rotationAt, jointsAt }: CsvLayout, columns: number): boolean {
  const order = [...position, ...rotationAt, ...jointsAt];
  return (
    units === 'm' && rotation === 'xyzw' && order.length === columns && order.every((column, index) => column === index)
  );
}

/** Returns the column of each axis; null unless every axis has exactly one column. */
function find(cells: readonly string[], pattern: RegExp, axes: string): number[] | null {
  const found = new Map<string, number>();
  for (const [index, cell] of cells.entries()) {
    const axis = pattern.exec(cell)?.[1]?.toLowerCase();
    if (axis === undefined) continue;
    if (found.has(axis)) return null;
    found.set(axis, index);
  }
  const columns = Array.from(axes, (axis) => found.get(axis));
  return columns.every((column) => column !== undefined) && found.size === axes.length ? columns : null;
}

/** Returns the columns that are neither root columns nor numbers or times of the rows. */
function others(cells: readonly string[], root: readonly number[]): number[] {
  return [...cells.keys()].filter((index) => !root.includes(index) && !isExtra(cells[index]!, index));
}

/** Returns true for a column that belongs neither to the root nor to a joint. pandas writes the numbers of the rows in
 *  a first column without a name. */
function isExtra(cell: string, index: number): boolean {
  return COUNTER.test(cell) || TIME.test(cell) || (cell === '' && index === 0);
}

/** Returns the names of the joint columns; null if they are only numbered.
 *  @throws bad_input for numbers in another order: sorted as texts, `joint_10` comes before `joint_2` */
function namesOf(joints: readonly string[], line: number): readonly string[] | null {
  if (!joints.every((name) => NUMBERED.test(name))) return joints;
  const numbers = joints.map((name) => Number(/\d+/.exec(name)![0]));
  const odd = numbers.findIndex((number, index) => index > 0 && number <= numbers[index - 1]!);
  if (odd < 0) return null;
  throw badInput(
    `line ${line}: the column "${joints[odd]}" comes after "${joints[odd - 1]}". Sort the joint columns by number, or name the joints.`,
  );
}

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
}

/** The column information in a header. */
export interface CsvHeader {
  /** null for the usual order: x, y, z, qx, qy, qz, qw, joints */
  readonly layout: CsvLayout | null;
  /** names of the joint columns; null if the header only numbers them */
  readonly jointNames: readonly string[] | null;
}

/** Matches column names that only contain a number, such as `joint_3`. */
const NUMBERED = /^(?:dof|joint|jnt|j|q|column|col)?[_ [(]*\d+[\])]*$/i;
/** Matches columns that belong neither to the root nor to a joint: frame numbers and times. */
const COUNTER = /^(?:frame|frame[_ ]?(?:id|idx|index|number|no)|time|time[_ ]?stamp|time[_ ]?\(?s\)?)$/i;
const ROOT = '(?:(?:root|base|pelvis|floating[_ ]?base)[_ .]*)?';
/** Matches root positions: `x`, `root_x`, `pos_x`, `root_pos_x`, `root_translation_x` */
const POSITION = new RegExp(`^${ROOT}(?:(?:pos|position|trans|translation|p|t)[_ .[(]*)?([xyz])[\\])]*$`, 'i');
/** Matches root quaternions: `qx`, `root_qx`, `quat_x`, `root_rot_x`, `orientation_w` */
const QUATERNION = new RegExp(
  `^${ROOT}(?:rot|rotation|quat|quaternion|ori|orientation|q)[_ .[(]*([wxyz])[\\])]*$`,
  'i',
);
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

/** Reads a header. If the header does not name the root's columns, they are in the usual order.
 *  @throws bad_input for columns that cannot be interpreted */
export function readHeader(cells: readonly string[], line: number): CsvHeader {
  const layout = seedLayout(cells) ?? namedLayout(cells);
  if (layout && layout.jointsAt.length === 0)
    throw badInput(`line ${line}, column ${cells.length}: the header has no joint columns. A clip needs at least one.`);
  if (layout) return { layout: isUsual(layout) ? null : layout, jointNames: layout.jointNames };
  const foreign = cells.findIndex((cell) => COUNTER.test(cell) || ANIMATED.test(cell));
  if (foreign >= 0)
    throw badInput(
      `line ${line}, column ${foreign + 1}: the header names "${cells[foreign]}", but not all of root_translateX/Y/Z and root_rotateX/Y/Z, or x, y, z, qx, qy, qz, qw; give the root's columns these names, or export without a header: x, y, z, qx, qy, qz, qw, joints`,
    );
  return { layout: null, jointNames: namesOf(cells.slice(ROOT_COLUMNS)) };
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
  return { kind: 'seed', ...root, rotationAt, jointsAt, degrees: true, jointNames };
}

function namedLayout(cells: readonly string[]): CsvLayout | null {
  const position = find(cells, POSITION, 'xyz');
  const rotationAt = find(cells, QUATERNION, 'xyzw');
  if (!position || !rotationAt) return null;
  const jointsAt = others(cells, [...position, ...rotationAt]);
  const rotation = rotationAt[3]! < rotationAt[0]! ? 'wxyz' : 'xyzw';
  const root = { position: position as [number, number, number], units: 'm', rotation } as const;
  return {
    kind: 'named',
    ...root,
    ...{ rotationAt, jointsAt, degrees: false, jointNames: namesOf(jointsAt.map((at) => cells[at]!)) },
  };
}

/** Returns true for the usual order: x, y, z, qx, qy, qz, qw, joints. */
function isUsual({ position, rotation, rotationAt, jointsAt }: CsvLayout): boolean {
  return rotation === 'xyzw' && [...position, ...rotationAt, ...jointsAt].every((column, index) => column === index);
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

/** Returns the columns that are neither root columns nor frame counters or times. */
function others(cells: readonly string[], root: readonly number[]): number[] {
  return [...cells.keys()].filter((index) => !root.includes(index) && !COUNTER.test(cells[index]!));
}

function namesOf(joints: readonly string[]): readonly string[] | null {
  return joints.length === 0 || joints.every((name) => NUMBERED.test(name)) ? null : joints;
}

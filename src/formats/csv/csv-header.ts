import { badInput } from '../../core/errors.ts';
import { ROOT_COLUMNS } from '../raw-clip.ts';

/** Matches column names that only number the columns. */
const NUMBERED = /^(?:dof|joint|jnt|j|q|column|col)?[_ [(]*\d+[\])]*$/i;
/** Matches columns of BONES-SEED exports: a frame number, centimetres, and Euler angles in degrees. */
const SEED_COLUMN = /^(?:frame|.*(?:translate|rotate)_?[xyz])$/i;

/** Returns true if the cells of a first line are column names, that is, if none begins like a number. */
export function isHeader(cells: readonly string[]): boolean {
  return (
    cells.some((cell) => cell !== '') &&
    cells.every((cell) => !/^[+-]?(?:\.?\d|nan\b|inf)/i.test(cell) || /[a-z]{4}/i.test(cell.replace(/infinity/i, '')))
  );
}

/** Returns the names of the joint columns of a header; null if they only number the columns.
 *  @throws bad_input for known layouts that are not supported */
export function headerJoints(cells: readonly string[], line: number): readonly string[] | null {
  const foreign = cells.findIndex((cell) => SEED_COLUMN.test(cell));
  if (foreign >= 0)
    throw badInput(
      `line ${line}, column ${foreign + 1}: the header names "${cells[foreign]}": files with frame numbers, centimetres or Euler angles are not read; export metres, radians and a quaternion (x, y, z, qx, qy, qz, qw, joints)`,
    );
  const quaternion = cells.slice(3, ROOT_COLUMNS).map((cell) => /(?:^|[_. ])q?([wxyz])$/i.exec(cell)?.[1] ?? '');
  if (quaternion.join('').toLowerCase() === 'wxyz')
    throw badInput(
      `line ${line}, column 4: the header puts the quaternion's w first; columns 4 to 7 must be qx, qy, qz, qw`,
    );
  const joints = cells.slice(ROOT_COLUMNS);
  return joints.length === 0 || joints.every((name) => NUMBERED.test(name)) ? null : joints;
}

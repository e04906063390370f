import { badInput } from '../../../core/errors.ts';
import type { XmlElement } from '../text/xml.ts';
import { numbersIn } from './number-list.ts';
import type { Triangles } from './triangles.ts';

/** A 4×4 matrix by rows, applied to column vectors. */
export type Matrix = readonly number[];

export const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
/** Number of values of each transform. */
const LENGTHS: Readonly<Record<string, number>> = { matrix: 16, translate: 3, rotate: 4, scale: 3 };

/** Multiplies the transforms of a node in the order of the file. `<lookat>` and `<skew>` are ignored.
 *  @throws StudioError bad_input for a transform with the wrong number of values */
export function transformOf(node: XmlElement, file: string): Matrix {
  let matrix = IDENTITY;
  for (const element of node.children) {
    const length = LENGTHS[element.name];
    if (length === undefined) continue;
    const values = Array.from(numbersIn(element, file));
    if (values.length !== length) {
      throw badInput(
        `${file} line ${element.line}: <${element.name}> has ${values.length} numbers, expected ${length}`,
      );
    }
    matrix = times(matrix, matrixOf(element.name, values));
  }
  return matrix;
}

function matrixOf(kind: string, values: readonly number[]): Matrix {
  const [x = 0, y = 0, z = 0, degrees = 0] = values;
  if (kind === 'matrix') return values;
  if (kind === 'translate') return [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1];
  if (kind === 'scale') return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];
  const length = Math.hypot(x, y, z);
  if (length === 0) return IDENTITY;
  const [a, b, c] = [x / length, y / length, z / length];
  const angle = (degrees * Math.PI) / 180;
  const [s, k] = [Math.sin(angle), Math.cos(angle)];
  const t = 1 - k;
  return [
    ...[t * a * a + k, t * a * b - s * c, t * a * c + s * b, 0],
    ...[t * a * b + s * c, t * b * b + k, t * b * c - s * a, 0],
    ...[t * a * c - s * b, t * b * c + s * a, t * c * c + k, 0],
    ...[0, 0, 0, 1],
  ];
}

export function times(a: Matrix, b: Matrix): Matrix {
  return a.map((_, at) => {
    const row = at - (at % 4);
    const column = at % 4;
    return (
      a[row]! * b[column]! + a[row + 1]! * b[column + 4]! + a[row + 2]! * b[column + 8]! + a[row + 3]! * b[column + 12]!
    );
  });
}

/** Transforms triangles into `out`. A mirroring matrix reverses the order of corners, so that faces still face
 *  outwards. */
export function placed(corners: Triangles, m: Matrix, out: Triangles): void {
  const mirrored =
    m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) -
      m[1]! * (m[4]! * m[10]! - m[6]! * m[8]!) +
      m[2]! * (m[4]! * m[9]! - m[5]! * m[8]!) <
    0;
  for (let corner = 0; corner < corners.length / 3; corner++) {
    const from = 3 * corner;
    const side = corner % 3;
    const to = 3 * (mirrored ? corner - side + 2 - side : corner);
    const [x, y, z] = [corners[from]!, corners[from + 1]!, corners[from + 2]!];
    for (let axis = 0; axis < 3; axis++) {
      out[to + axis] = m[4 * axis]! * x + m[4 * axis + 1]! * y + m[4 * axis + 2]! * z + m[4 * axis + 3]!;
    }
  }
}

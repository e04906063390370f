import { badInput } from '../../core/errors.ts';

const MAX_DIMENSIONS = 32;
const SHOWN_CHARACTERS = 20;

export interface ElementType {
  /** numpy's name of the type, such as `<f4` */
  readonly descr: string;
  readonly order: '<' | '>' | '|';
  /** numpy's kind letter: f, i, u, b, U, S, O … */
  readonly kind: string;
  /** bytes per element; 0 for Python objects */
  readonly itemBytes: number;
}

/** Parses a type name such as `<f4`, `|b1` or `U12`. Without a byte order, little-endian is assumed.
 *  @throws bad_input */
export function parseElementType(descr: string): ElementType {
  const type = /^([<>|=]?)([a-zA-Z?])(\d{0,9})$/.exec(descr);
  if (!type) throw badInput(`arrays of type "${descr.slice(0, SHOWN_CHARACTERS)}" are not supported`);
  const [, order, letter, digits] = type as unknown as [string, string, string, string];
  const kind = letter === '?' ? 'b' : letter;
  const size = letter === '?' ? 1 : Number(digits);
  return {
    descr,
    order: order === '' || order === '=' ? '<' : (order as '<' | '>' | '|'),
    kind,
    itemBytes: kind === 'U' ? size * 4 : kind === 'O' ? 0 : size,
  };
}

/** Counts the elements of an array. @throws bad_input for shapes larger than any file */
export function elementCount(type: ElementType, shape: readonly number[]): number {
  if (shape.length > MAX_DIMENSIONS) throw badInput(`the array has more than ${MAX_DIMENSIONS} dimensions`);
  const count = shape.reduce((product, length) => product * length, 1);
  // Limit elements of 0 bytes too, because a header of a few bytes could claim any number of them.
  const weightless = type.itemBytes === 0 && type.kind !== 'O' && count > 0;
  if (!Number.isSafeInteger(count * Math.max(type.itemBytes, 1)) || weightless)
    throw badInput("the array's shape is larger than any file");
  return count;
}

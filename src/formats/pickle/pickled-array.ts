import { badInput } from '../../core/errors.ts';
import { checkElementBytes, type NumericArray, readElements, type TextArray } from '../array/array-elements.ts';
import { type ElementType, elementCount, parseElementType } from '../array/element-type.ts';
import { isList, PickledObject, type PickleValue, UnreadBytes } from './pickle-values.ts';

const READ_KINDS = /^[<>|=]?[fiubUSO?]\d*$/;

/** numpy's element type while a pickle is read: created from a name, then given its byte order. Unsupported types
 *  (records, dates) keep only their name, and reading their elements fails. */
export class PickledType extends PickledObject {
  readonly #descr: string;
  #type: ElementType | null;

  /** Creates an element type. @throws bad_input for an impossible size */
  constructor(descr: string) {
    super('an element type');
    this.#descr = descr;
    this.#type = READ_KINDS.test(descr) ? parseElementType(descr) : null;
  }

  /** The element type, or the name of an unsupported type. */
  get type(): ElementType | string {
    return this.#type ?? this.#descr;
  }

  /** Sets the state `(version, order, subarray, names, fields, itemsize, alignment, flags[, metadata])`.
   *  @throws bad_input */
  build(state: readonly PickleValue[]): void {
    const [version, order, subarray, names, fields, itemBytes] = state;
    if (typeof version !== 'number' || version < 3 || version > 4 || state.length < 8)
      throw badInput('the pickle contains an element type of an old version of numpy. Save it with a newer version.');
    if (typeof order !== 'string' || (order !== '<' && order !== '>' && order !== '|' && order !== '='))
      throw badInput('the pickle contains an element type without byte order: it is damaged');
    if (subarray !== null || names !== null || fields !== null) this.#type = null;
    const type = this.#type;
    if (!type) return;
    const sized = (type.kind === 'U' || type.kind === 'S') && type.itemBytes === 0 && typeof itemBytes === 'number';
    if (sized && !(Number.isInteger(itemBytes) && itemBytes >= 0 && itemBytes % (type.kind === 'U' ? 4 : 1) === 0))
      throw badInput('the pickle contains an element type without size: it is damaged');
    this.#type = {
      ...type,
      order: order === '=' ? '<' : order,
      itemBytes: sized ? itemBytes : type.itemBytes,
    };
  }
}

interface Filled {
  readonly type: ElementType | string;
  readonly shape: readonly number[];
  readonly fortran: boolean;
  readonly content: PickleValue;
}

/** A numpy array of a pickle. Its bytes are a view of the file and are decoded when the elements are read. */
export class PickledArray extends PickledObject {
  #filled: Filled | null = null;

  constructor() {
    super('an array');
  }

  get shape(): readonly number[] {
    return this.#whole().shape;
  }

  /** Sets the content. @param content bytes of the elements, or the elements themselves if they are Python objects
   *  @throws bad_input */
  fill(type: ElementType | string, shape: PickleValue, fortran: boolean, content: PickleValue): void {
    if (this.#filled) throw badInput('the pickle fills an array twice: it is damaged');
    this.#filled = { type, shape: readShape(shape), fortran, content };
  }

  /** Sets the state `(version, shape, type, fortran, content)`. The oldest files omit the version. @throws bad_input */
  build(state: readonly PickleValue[]): void {
    const [shape, type, fortran, content] = state.length === 5 ? state.slice(1) : state;
    if (!(type instanceof PickledType) || content === undefined || shape === undefined)
      throw badInput('the pickle contains an array without element type: it is damaged');
    this.fill(type.type, shape, fortran === true || fortran === 1, content);
  }

  /** Checks that the number of bytes matches the shape. @throws bad_input if it does not match */
  checkSize(): void {
    const { type, shape, content } = this.#whole();
    if (typeof type === 'string' || !(content instanceof Uint8Array || content instanceof UnreadBytes)) return;
    checkElementBytes({ ...type, count: elementCount(type, shape) }, content.length);
  }

  /** Decodes the elements into C order. @throws bad_input for objects, records, unsupported types and damaged data */
  elements(): NumericArray | TextArray {
    const { type, shape, fortran, content } = this.#whole();
    if (typeof type === 'string') throw badInput(`arrays of type "${type.slice(0, 20)}" are not supported`);
    if (type.kind === 'O') throw badInput('arrays of Python objects are not supported');
    return readElements({ ...type, shape, count: elementCount(type, shape), fortran }, bytesOf(content));
  }

  /** Returns the Python objects in C order, the order in which numpy pickles them for any array; null if the elements
   *  are not objects.
   *  @throws bad_input for damaged data */
  objects(): readonly PickleValue[] | null {
    const { type, shape, content } = this.#whole();
    if (typeof type === 'string' || type.kind !== 'O') return null;
    if (!isList(content) || content.length !== elementCount(type, shape))
      throw badInput('the number of objects in the array does not match its shape: it is damaged');
    return content;
  }

  #whole(): Filled {
    if (!this.#filled) throw badInput('the pickle contains an array that is never filled: it is damaged');
    return this.#filled;
  }
}

function readShape(shape: PickleValue): readonly number[] {
  const sizes = typeof shape === 'number' ? [shape] : shape;
  if (!Array.isArray(sizes) || !sizes.every((size) => Number.isSafeInteger(size) && (size as number) >= 0))
    throw badInput('the pickle contains an array without shape: it is damaged');
  return [...sizes] as number[];
}

/** Converts a value to bytes. Python 2 wrote bytes as a text with one character per byte.
 *  @throws bad_input for other values */
export function bytesOf(value: PickleValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string' && isLatin1(value)) return Buffer.from(value, 'latin1');
  throw badInput('the pickle contains an array without bytes: it is damaged');
}

export function isLatin1(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: every byte is a character of Latin-1
  return !/[^\x00-\xff]/.test(text);
}

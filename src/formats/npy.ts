import { badInput } from '../core/errors.ts';
import { formatNpyHeader, type NpyHeader, readNpyHeader } from './npy-header.ts';

/** Element types that are read and written, as numpy names them without byte order. */
export type NumericArray =
  | { readonly dtype: 'f4'; readonly data: Float32Array }
  | { readonly dtype: 'f8'; readonly data: Float64Array }
  | { readonly dtype: 'i4'; readonly data: Int32Array }
  | { readonly dtype: 'i8'; readonly data: BigInt64Array }
  /** 0 and 1 */
  | { readonly dtype: 'b1'; readonly data: Uint8Array };

/** An array of a `.npy` file in C order (the last index runs fastest). */
export type NpyArray = (NumericArray | { readonly dtype: 'U'; readonly data: readonly string[] }) & {
  readonly shape: readonly number[];
};

/** Whether elements of this type are Python objects, which only running a pickle would give back. */
export function isPickled(header: NpyHeader): boolean {
  return header.kind === 'O';
}

/** Reads a `.npy` file of version 1 to 3, either byte order, C or Fortran order. The array has memory of its own.
 *  Nothing is executed: arrays of Python objects are refused.
 *  @throws bad_input */
export function parseNpy(bytes: Uint8Array): NpyArray {
  const header = readNpyHeader(bytes);
  if (isPickled(header)) throw badInput('arrays of Python objects are not read; save plain text or numbers');
  checkNpySize(header, bytes.length);
  const { shape, fortran } = header;
  const content = bytes.subarray(header.dataStart);
  const inOrder = <A extends Elements<A>>(from: A): A => (fortran ? toCOrder(from, shape) : from);
  if (header.kind === 'U') return { dtype: 'U', shape, data: inOrder(readTexts(header, content)) };
  const memory = littleEndian(header, content);
  switch (`${header.kind}${header.itemBytes}`) {
    case 'f4':
      return { dtype: 'f4', shape, data: inOrder(new Float32Array(memory)) };
    case 'f8':
      return { dtype: 'f8', shape, data: inOrder(new Float64Array(memory)) };
    case 'i4':
      return { dtype: 'i4', shape, data: inOrder(new Int32Array(memory)) };
    case 'i8':
      return { dtype: 'i8', shape, data: inOrder(new BigInt64Array(memory)) };
    case 'b1':
      return { dtype: 'b1', shape, data: inOrder(new Uint8Array(memory)) };
    default:
      throw badInput(`arrays of type "${header.descr}" are not read`);
  }
}

/** @param size of the whole file in bytes  @throws bad_input where the data are not as many as the shape says */
export function checkNpySize(header: NpyHeader, size: number): void {
  const expected = header.count * header.itemBytes;
  if (size - header.dataStart !== expected)
    throw badInput(`the array holds ${size - header.dataStart} bytes, its shape needs ${expected}: it is damaged`);
}

/** The same elements in little-endian order and in memory that begins with them. */
function littleEndian(header: NpyHeader, content: Uint8Array): ArrayBuffer {
  const bytes = new Uint8Array(content);
  if (header.order === '>') {
    if (header.itemBytes === 8) Buffer.from(bytes.buffer).swap64();
    else if (header.itemBytes === 4) Buffer.from(bytes.buffer).swap32();
  }
  return bytes.buffer;
}

function readTexts(header: NpyHeader, content: Uint8Array): string[] {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const data: string[] = [];
  for (let index = 0; index < header.count; index += 1) {
    const codes: number[] = [];
    for (let at = index * header.itemBytes; at < (index + 1) * header.itemBytes; at += 4) {
      const code = view.getUint32(at, header.order !== '>');
      if (code > 0x10ffff) throw badInput('the array holds characters that do not exist: it is damaged');
      codes.push(code);
    }
    while (codes.at(-1) === 0) codes.pop();
    data.push(codes.map((code) => String.fromCodePoint(code)).join(''));
  }
  return data;
}

type Elements<A> = { [index: number]: unknown; readonly length: number; slice(): A };

/** The elements of an array whose first index ran fastest, so that the last one does. */
function toCOrder<A extends Elements<A>>(from: A, shape: readonly number[]): A {
  const out = from.slice();
  const index = new Array<number>(shape.length).fill(0);
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, size) => product * size, 1));
  let source = 0;
  for (let target = 0; target < out.length; target += 1) {
    out[target as number] = from[source];
    for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
      index[axis]! += 1;
      source += strides[axis]!;
      if (index[axis]! < shape[axis]!) break;
      source -= strides[axis]! * shape[axis]!;
      index[axis] = 0;
    }
  }
  return out;
}

/** A `.npy` file of version 1 that numpy reads without pickles. Texts become `<U`. */
export function formatNpy(array: NpyArray): Uint8Array<ArrayBuffer> {
  const count = array.shape.reduce((product, size) => product * size, 1);
  if (count !== array.data.length)
    throw new RangeError(`${array.data.length} elements do not fill the shape (${array.shape.join(', ')})`);
  if (array.dtype === 'U') return formatText(array.data, array.shape);
  const descr = array.dtype === 'b1' ? '|b1' : `<${array.dtype}`;
  const header = formatNpyHeader(descr, array.shape);
  const out = new Uint8Array(header.length + array.data.byteLength);
  out.set(header);
  out.set(new Uint8Array(array.data.buffer, array.data.byteOffset, array.data.byteLength), header.length);
  return out;
}

function formatText(texts: readonly string[], shape: readonly number[]): Uint8Array<ArrayBuffer> {
  const codes = texts.map((text) => Array.from(text, (letter) => letter.codePointAt(0)!));
  const width = codes.reduce((longest, text) => Math.max(longest, text.length), 1);
  const header = formatNpyHeader(`<U${width}`, shape);
  const out = new Uint8Array(header.length + texts.length * width * 4);
  out.set(header);
  const view = new DataView(out.buffer, header.length);
  for (const [index, text] of codes.entries())
    for (const [place, code] of text.entries()) view.setUint32((index * width + place) * 4, code, true);
  return out;
}

import { badInput } from '../core/errors.ts';
import { checkElementBytes, type NumericArray, readElements, type TextArray } from './array/array-elements.ts';
import { formatNpyHeader, type NpyHeader, readNpyHeader } from './npy-header.ts';
import { joinParts } from './zip-write.ts';

/** An array of a `.npy` file in C order (the last index varies fastest). */
export type NpyArray = (NumericArray | TextArray) & {
  readonly shape: readonly number[];
};

const OBJECTS = 'arrays of Python objects are not supported. Save plain text or numbers.';

/** Returns true if the elements are Python objects, which only a pickle can restore. */
export function isPickled(header: NpyHeader): boolean {
  return header.kind === 'O';
}

/** Reads a `.npy` file of version 1 to 3, in either byte order, in C or Fortran order. The array is a copy. Arrays of
 *  Python objects are refused, so no code is executed.
 *  @throws bad_input */
export function parseNpy(bytes: Uint8Array): NpyArray {
  const header = readNpyHeader(bytes);
  if (isPickled(header)) throw badInput(OBJECTS);
  return { ...readElements(header, bytes.subarray(header.dataStart)), shape: header.shape };
}

/** Checks the size of a file against its header. @param size bytes of the whole file
 *  @throws bad_input if the size does not match the shape, or for Python objects */
export function checkNpySize(header: NpyHeader, size: number): void {
  if (isPickled(header)) throw badInput(OBJECTS);
  checkElementBytes(header, size - header.dataStart);
}

/** Formats a `.npy` file of version 1, which numpy reads without pickles. Texts are stored as `<U`. */
export function formatNpy(array: NpyArray): Uint8Array<ArrayBuffer> {
  return joinParts(npyParts(array));
}

/** Formats a `.npy` file as parts to write in order, without copying the array. */
export function npyParts(array: NpyArray): Uint8Array[] {
  const count = array.shape.reduce((product, size) => product * size, 1);
  if (count !== array.data.length)
    throw new RangeError(`${array.data.length} elements do not match the shape (${array.shape.join(', ')})`);
  if (array.dtype === 'U') return [formatText(array.data, array.shape)];
  const { buffer, byteOffset, byteLength } = array.data;
  const descr = `${array.dtype.endsWith('1') ? '|' : '<'}${array.dtype}`;
  return [formatNpyHeader(descr, array.shape), new Uint8Array(buffer, byteOffset, byteLength)];
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

import { badInput } from '../core/errors.ts';
import { checkElementBytes, type NumericArray, readElements, type TextArray } from './array/array-elements.ts';
import { formatNpyHeader, type NpyHeader, readNpyHeader } from './npy-header.ts';
import { joinParts } from './zip-write.ts';

/** An array of a `.npy` file in C order (the last index runs fastest). */
export type NpyArray = (NumericArray | TextArray) & {
  readonly shape: readonly number[];
};

const OBJECTS = 'arrays of Python objects are not read; save plain text or numbers';

/** Whether elements of this type are Python objects, which only running a pickle would give back. */
export function isPickled(header: NpyHeader): boolean {
  return header.kind === 'O';
}

/** Reads a `.npy` file of version 1 to 3, either byte order, C or Fortran order. The array has memory of its own.
 *  Nothing is executed: arrays of Python objects are refused.
 *  @throws bad_input */
export function parseNpy(bytes: Uint8Array): NpyArray {
  const header = readNpyHeader(bytes);
  if (isPickled(header)) throw badInput(OBJECTS);
  return { ...readElements(header, bytes.subarray(header.dataStart)), shape: header.shape };
}

/** @param size of the whole file in bytes  @throws bad_input where the data are not as many as the shape says, or objects */
export function checkNpySize(header: NpyHeader, size: number): void {
  if (isPickled(header)) throw badInput(OBJECTS);
  checkElementBytes(header, size - header.dataStart);
}

/** A `.npy` file of version 1 that numpy reads without pickles. Texts become `<U`. */
export function formatNpy(array: NpyArray): Uint8Array<ArrayBuffer> {
  return joinParts(npyParts(array));
}

/** The same as parts to be written one after the other: the array's own memory is one of them. */
export function npyParts(array: NpyArray): Uint8Array[] {
  const count = array.shape.reduce((product, size) => product * size, 1);
  if (count !== array.data.length)
    throw new RangeError(`${array.data.length} elements do not fill the shape (${array.shape.join(', ')})`);
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

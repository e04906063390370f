import { badInput } from '../core/errors.ts';
import type { ElementLayout } from './array/array-elements.ts';
import { elementCount, parseElementType } from './array/element-type.ts';

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59] as const;
/** maximum length of the header in characters, the same as in numpy */
const MAX_HEADER_CHARACTERS = 10_000;
/** Number of leading bytes that contain any supported header: magic, version, length, header. */
export const NPY_HEAD_BYTES = 12 + MAX_HEADER_CHARACTERS;
/** numpy aligns the data to a multiple of this many bytes. */
const ALIGNMENT = 64;

export interface NpyHeader extends ElementLayout {
  /** bytes before the data */
  readonly dataStart: number;
}

/** Reads the header of a `.npy` file of version 1 to 3. @param bytes at least the first `NPY_HEAD_BYTES`, or the whole
 *  file
 *  @throws bad_input */
export function readNpyHeader(bytes: Uint8Array): NpyHeader {
  if (bytes.length < 10 || MAGIC.some((byte, index) => bytes[index] !== byte)) throw badInput('not a .npy array');
  const major = bytes[6]!;
  if (major < 1 || major > 3) throw badInput(`.npy version ${major} is not supported, only 1 to 3`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = major === 1 ? 10 : 12;
  if (bytes.length < start) throw cutOff();
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > MAX_HEADER_CHARACTERS)
    throw badInput(
      `the array's numpy header is longer than ${MAX_HEADER_CHARACTERS} bytes: the file is damaged or is not a plain array`,
    );
  if (bytes.length < start + length) throw cutOff();
  const text = new TextDecoder(major === 3 ? 'utf-8' : 'latin1').decode(bytes.subarray(start, start + length));
  return { ...parseDictionary(text), dataStart: start + length };
}

function cutOff(): Error {
  return badInput('the array ends within its header: the file is damaged');
}

/** Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }` with keys in any order. */
function parseDictionary(text: string): Omit<NpyHeader, 'dataStart'> {
  const dictionary = text.trim();
  const descr = /['"]descr['"]\s*:\s*['"]([^'"]*)['"]/.exec(dictionary)?.[1];
  const fortran = /['"]fortran_order['"]\s*:\s*(True|False)/.exec(dictionary)?.[1];
  const shape = /['"]shape['"]\s*:\s*\(([^()]*)\)/.exec(dictionary)?.[1];
  if (!dictionary.startsWith('{') || !dictionary.endsWith('}') || fortran === undefined || shape === undefined)
    throw badInput("the array's header is not in numpy's format");
  if (descr === undefined) throw badInput('arrays of records are not supported');
  const type = parseElementType(descr);
  const sizes = parseShape(shape);
  return { ...type, fortran: fortran === 'True', shape: sizes, count: elementCount(type, sizes) };
}

function parseShape(text: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  return parts.map((part) => {
    const size = /^\d{1,16}L?$/.test(part) ? Number(part.replace('L', '')) : Number.NaN;
    if (!Number.isSafeInteger(size))
      throw badInput(`the array's shape (${text.slice(0, 40)}) is not a tuple of lengths`);
    return size;
  });
}

/** Formats a header of version 1 for data in C order, with numpy's padding. */
export function formatNpyHeader(descr: string, shape: readonly number[]): Uint8Array {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const length = Math.ceil((10 + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT - 10;
  const out = new Uint8Array(10 + length).fill(0x20);
  out.set(MAGIC);
  out.set([1, 0, length & 0xff, length >> 8], 6);
  out.set(Buffer.from(dictionary, 'latin1'), 10);
  out[out.length - 1] = 0x0a;
  return out;
}

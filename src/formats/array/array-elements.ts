import { badInput } from '../../core/errors.ts';
import type { ElementType } from './element-type.ts';

/** An array of numbers, tagged with numpy's type name without the byte order. float16 arrays become `f4`, which is
 *  exact. */
export type NumericArray =
  | { readonly dtype: 'f4'; readonly data: Float32Array }
  | { readonly dtype: 'f8'; readonly data: Float64Array }
  | { readonly dtype: 'i1'; readonly data: Int8Array }
  | { readonly dtype: 'i2'; readonly data: Int16Array }
  | { readonly dtype: 'i4'; readonly data: Int32Array }
  | { readonly dtype: 'i8'; readonly data: BigInt64Array }
  | { readonly dtype: 'u1'; readonly data: Uint8Array }
  | { readonly dtype: 'u2'; readonly data: Uint16Array }
  | { readonly dtype: 'u4'; readonly data: Uint32Array }
  | { readonly dtype: 'u8'; readonly data: BigUint64Array }
  /** each element is 0 or 1 */
  | { readonly dtype: 'b1'; readonly data: Uint8Array };
export type TextArray = { readonly dtype: 'U'; readonly data: readonly string[] };

/** Maximum number of texts in an array. Texts are names of joints and clips; in memory each needs more bytes than in
 *  the file. */
const MAX_TEXTS = 1 << 18;
/** Limits of one text and of all texts of an array, bytes. A few kB in a zip file can expand to gigabytes of text. */
const MAX_TEXT_BYTES = 1 << 18;
const MAX_TEXTS_BYTES = 64 << 20;

/** Describes how the bytes of an array are laid out. */
export interface ElementLayout extends ElementType {
  readonly shape: readonly number[];
  /** product of the shape */
  readonly count: number;
  /** whether the first index varies fastest */
  readonly fortran: boolean;
}

/** Checks that the byte count matches the shape, and that texts are within their limits. @param bytes size of the
 *  elements
 *  @throws bad_input if it does not match */
export function checkElementBytes(layout: Pick<ElementLayout, 'kind' | 'count' | 'itemBytes'>, bytes: number): void {
  const { kind, count, itemBytes } = layout;
  if (kind === 'U' || kind === 'S') checkTexts(layout);
  const expected = count * itemBytes;
  if (bytes !== expected)
    throw badInput(`the array has ${bytes} bytes, but its shape requires ${expected}: the file is damaged`);
}

/** Decodes numbers or texts (`U`, and `S` as UTF-8) into C order (the last index varies fastest). The result is a copy.
 *  @param content exactly the bytes of the elements  @throws bad_input for other types */
export function readElements(layout: ElementLayout, content: Uint8Array): NumericArray | TextArray {
  checkElementBytes(layout, content.length);
  const { shape, fortran } = layout;
  const inOrder = <A extends Elements<A>>(from: A): A => (fortran ? toCOrder(from, shape) : from);
  if (layout.kind === 'U') return { dtype: 'U', data: inOrder(readTexts(layout, content)) };
  if (layout.kind === 'S') return { dtype: 'U', data: inOrder(readByteTexts(layout, content)) };
  const memory = littleEndian(layout, content);
  switch (`${layout.kind}${layout.itemBytes}`) {
    case 'f2':
      return { dtype: 'f4', data: inOrder(Float32Array.from(new Uint16Array(memory), fromHalf)) };
    case 'f4':
      return { dtype: 'f4', data: inOrder(new Float32Array(memory)) };
    case 'f8':
      return { dtype: 'f8', data: inOrder(new Float64Array(memory)) };
    case 'i1':
      return { dtype: 'i1', data: inOrder(new Int8Array(memory)) };
    case 'i2':
      return { dtype: 'i2', data: inOrder(new Int16Array(memory)) };
    case 'i4':
      return { dtype: 'i4', data: inOrder(new Int32Array(memory)) };
    case 'i8':
      return { dtype: 'i8', data: inOrder(new BigInt64Array(memory)) };
    case 'u1':
      return { dtype: 'u1', data: inOrder(new Uint8Array(memory)) };
    case 'u2':
      return { dtype: 'u2', data: inOrder(new Uint16Array(memory)) };
    case 'u4':
      return { dtype: 'u4', data: inOrder(new Uint32Array(memory)) };
    case 'u8':
      return { dtype: 'u8', data: inOrder(new BigUint64Array(memory)) };
    case 'b1':
      return { dtype: 'b1', data: inOrder(new Uint8Array(memory)) };
    default:
      throw badInput(`arrays of type "${layout.descr}" are not supported`);
  }
}

/** Converts numbers to doubles; integers beyond 2^53 are rounded. */
export function toDoubles(array: NumericArray): Float64Array {
  return array.dtype === 'f8' ? array.data : Float64Array.from<number | bigint>(array.data, Number);
}

/** Converts numbers to single precision. */
export function toSingles(array: NumericArray): Float32Array {
  return array.dtype === 'f4' ? array.data : Float32Array.from<number | bigint>(array.data, Number);
}

/** Copies the elements into a new little-endian buffer, aligned at its start. */
function littleEndian(type: ElementType, content: Uint8Array): ArrayBuffer {
  const bytes = new Uint8Array(content);
  if (type.order === '>') {
    if (type.itemBytes === 8) Buffer.from(bytes.buffer).swap64();
    else if (type.itemBytes === 4) Buffer.from(bytes.buffer).swap32();
    else if (type.itemBytes === 2) Buffer.from(bytes.buffer).swap16();
  }
  return bytes.buffer;
}

/** Decodes an IEEE 754 binary16 number: 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits. */
export function fromHalf(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function checkTexts({ count, itemBytes }: Pick<ElementLayout, 'count' | 'itemBytes'>): void {
  if (count > MAX_TEXTS) throw badInput(`the array has ${count} texts, the limit is ${MAX_TEXTS}`);
  if (itemBytes > MAX_TEXT_BYTES)
    throw badInput(`the array has texts of ${itemBytes} bytes each, the limit is ${MAX_TEXT_BYTES}. Shorten them.`);
  if (count * itemBytes > MAX_TEXTS_BYTES)
    throw badInput(
      `the array has ${count * itemBytes} bytes of text, the limit is ${MAX_TEXTS_BYTES}. Shorten the texts.`,
    );
}

function readTexts(layout: ElementLayout, content: Uint8Array): string[] {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const data: string[] = [];
  for (let index = 0; index < layout.count; index += 1) {
    const codes: number[] = [];
    let end = (index + 1) * layout.itemBytes;
    while (end > index * layout.itemBytes && view.getUint32(end - 4, true) === 0) end -= 4;
    for (let at = index * layout.itemBytes; at < end; at += 4) {
      const code = view.getUint32(at, layout.order !== '>');
      if (code > 0x10ffff) throw badInput('the array contains invalid characters: the file is damaged');
      codes.push(code);
    }
    data.push(codes.map((code) => String.fromCodePoint(code)).join(''));
  }
  return data;
}

function readByteTexts(layout: ElementLayout, content: Uint8Array): string[] {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  return Array.from({ length: layout.count }, (_, index) => {
    const bytes = content.subarray(index * layout.itemBytes, (index + 1) * layout.itemBytes);
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === 0) end -= 1;
    return utf8.decode(bytes.subarray(0, end));
  });
}

type Elements<A> = { [index: number]: unknown; readonly length: number; slice(): A };

/** Reorders the elements of an array from Fortran order to C order. */
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

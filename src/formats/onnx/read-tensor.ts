import { badInput } from '../../core/errors.ts';
import { fromHalf } from '../array/array-elements.ts';
import { bytesOf, fieldsOf, floatBytesOf, intOf, intsOf, textOf, type WireValue } from '../protobuf/read-message.ts';
import { elementsOf, type OnnxTensor } from './onnx-model.ts';

/** A file next to the model that stores the values of tensors. */
export interface ExternalFile {
  /** size of the file, bytes */
  readonly size: number;
  /** Reads a range into a new array. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer>;
}

/** Finds a file next to the model. @throws bad_input if it is missing or outside the model's folder */
export type ExternalData = (location: string) => ExternalFile;

/** ONNX codes of the supported element types, with their size in bytes. */
const TYPES = { 1: 'float32', 6: 'int32', 7: 'int64', 10: 'float16', 11: 'float64' } as const;
const BYTES = { float32: 4, int32: 4, int64: 8, float16: 2, float64: 8 } as const;
type ElementType = keyof typeof BYTES;
/** Limit of one tensor, bytes. The largest supported layer has 128 MiB in double precision. */
const MAX_TENSOR_BYTES = 128 << 20;
/** Limit of all external tensors of a model, bytes. */
const MAX_EXTERNAL_BYTES = 256 << 20;
const MAX_DIMENSIONS = 16;
/** Maximum count of integers that are read into a list, such as shapes and indices. In memory each needs more bytes
 *  than in the file. */
const MAX_LISTED_INTS = 1 << 16;
const EXTERNAL = 1;

/** Counts how many bytes of external files the tensors of one model use. Tensors must not share bytes; otherwise a
 *  small model could use the same bytes many times. */
export class ExternalTensors {
  readonly #open: ExternalData;
  readonly #left = new Map<string, { file: ExternalFile; left: number }>();
  #bytes = 0;

  constructor(open: ExternalData) {
    this.#open = open;
  }

  /** Reserves a range of an external file for one tensor.
   *  @returns a function that reads the range  @throws bad_input for a range beyond the file, or overlapping tensors */
  claim(location: string, offset: number, length: number, where: string): () => Uint8Array<ArrayBuffer> {
    let known = this.#left.get(location);
    if (!known) {
      const file = this.#open(location);
      known = { file, left: file.size };
      this.#left.set(location, known);
    }
    const { file } = known;
    if (offset + length > file.size)
      throw badInput(
        `${where}: "${location}" ends at byte ${file.size}, but the tensor ends at byte ${offset + length}. Copy the file again.`,
      );
    known.left -= length;
    if (known.left < 0)
      throw badInput(
        `${where}: the tensors in "${location}" overlap: together they have more than the ${file.size} bytes of the file`,
      );
    this.#bytes += length;
    if (this.#bytes > MAX_EXTERNAL_BYTES)
      throw badInput(
        `${where}: the external tensors are larger than ${MAX_EXTERNAL_BYTES >> 20} MiB in total, which is the limit`,
      );
    return () => file.read(offset, length);
  }
}

/** Reads a TensorProto. Checks its size now; its values are read later. @throws bad_input naming the tensor */
export function readTensor(message: Uint8Array, external: ExternalTensors): { name: string; tensor: OnnxTensor } {
  const shape: number[] = [];
  let name = '';
  let code = 0;
  let raw: Uint8Array | null = null;
  const floats: Uint8Array[] = [];
  const ints: WireValue[] = [];
  const place = new Map<string, string>();
  let isExternal = false;
  for (const [field, value] of fieldsOf(message)) {
    if (field === 1) {
      shape.push(...intsOf(value, MAX_DIMENSIONS));
      if (shape.length > MAX_DIMENSIONS) throw badInput(`a tensor has more than ${MAX_DIMENSIONS} dimensions`);
    } else if (field === 2) code = intOf(value);
    else if (field === 4) floats.push(floatBytesOf(value));
    else if (field === 5 || field === 7) ints.push(value);
    else if (field === 8) name = textOf(value);
    else if (field === 9) raw = bytesOf(value);
    else if (field === 13) place.set(...readPair(bytesOf(value)));
    else if (field === 14) isExternal = intOf(value) === EXTERNAL;
  }
  const where = `tensor "${name}"`;
  const type = TYPES[code as keyof typeof TYPES];
  if (type === undefined) throw badInput(`${where}: elements of ONNX type ${code} are not supported`);
  const count = elementsOf({ shape });
  const bytes = count * BYTES[type];
  if (shape.some((size) => size < 0) || !(bytes <= MAX_TENSOR_BYTES))
    throw badInput(
      `${where}: its shape ${shape.join(' × ')} exceeds the limit of ${MAX_TENSOR_BYTES >> 20} MiB per tensor`,
    );
  if (isExternal) {
    const read = claimExternal(place, bytes, external, where);
    return { name, tensor: lazyTensor(shape, () => elementsIn(read(), type)) };
  }
  if (raw !== null) {
    const content = raw;
    if (content.length !== bytes) throw badInput(`${where}: has ${content.length} bytes, expected ${bytes}`);
    // Copy, because bytes of a file may be unaligned. Buffer's `slice` would not copy.
    return { name, tensor: lazyTensor(shape, () => elementsIn(new Uint8Array(content), type)) };
  }
  if (ints.length === 0 && type !== 'int64') {
    const held = floats.reduce((sum, part) => sum + part.length, 0) / BYTES.float32;
    if (held !== count) throw badInput(`${where}: has ${held} numbers, expected ${count}`);
    return { name, tensor: lazyTensor(shape, () => new Float32Array(joined(floats).buffer)) };
  }
  const listed = listedInts(ints, Math.min(count, MAX_LISTED_INTS));
  if (listed.length !== count) throw badInput(`${where}: does not have ${count} numbers`);
  return { name, tensor: { shape, data: wholeNumbers(listed, type) } };
}

/** Reads a StringStringEntryProto. */
export function readPair(message: Uint8Array): [key: string, value: string] {
  const pair: [string, string] = ['', ''];
  for (const [field, value] of fieldsOf(message)) {
    if (field === 1) pair[0] = textOf(value);
    if (field === 2) pair[1] = textOf(value);
  }
  return pair;
}

function lazyTensor(shape: readonly number[], read: () => OnnxTensor['data']): OnnxTensor {
  return {
    shape,
    get data() {
      return read();
    },
  };
}

function claimExternal(
  place: ReadonlyMap<string, string>,
  bytes: number,
  external: ExternalTensors,
  where: string,
): () => Uint8Array<ArrayBuffer> {
  const location = place.get('location') ?? '';
  const offset = Number(place.get('offset') ?? 0);
  const length = Number(place.get('length') ?? bytes);
  if (!Number.isSafeInteger(offset) || offset < 0 || length !== bytes)
    throw badInput(
      `${where}: the bytes of the tensor in "${location}" do not match its shape. Export the model again.`,
    );
  return external.claim(location, offset, length, where);
}

/** Lists the integers of a repeated field. @returns at most one more than `most` */
function listedInts(values: readonly WireValue[], most: number): number[] {
  const listed: number[] = [];
  for (const value of values) {
    listed.push(...intsOf(value, most));
    if (listed.length > most) break;
  }
  return listed;
}

function wholeNumbers(listed: readonly number[], type: ElementType): OnnxTensor['data'] {
  if (type === 'int64') return BigInt64Array.from(listed, BigInt);
  return Float32Array.from(listed, type === 'float16' ? fromHalf : Number);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function elementsIn({ buffer }: Uint8Array<ArrayBuffer>, type: ElementType): OnnxTensor['data'] {
  if (type === 'float32') return new Float32Array(buffer);
  if (type === 'float64') return new Float64Array(buffer);
  if (type === 'int64') return new BigInt64Array(buffer);
  if (type === 'int32') return new Int32Array(buffer);
  return Float32Array.from(new Uint16Array(buffer), fromHalf);
}

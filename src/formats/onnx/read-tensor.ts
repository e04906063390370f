import { badInput } from '../../core/errors.ts';
import { fromHalf } from '../array/array-elements.ts';
import { bytesOf, fieldsOf, floatsOf, intOf, intsOf, textOf } from '../protobuf/read-message.ts';
import type { OnnxTensor } from './onnx-model.ts';

/** Gives the bytes of a file beside the model. @throws bad_input where there is none of that name */
export type ExternalData = (location: string) => Uint8Array;

/** ONNX' numbers for element types that are read, with their bytes. */
const TYPES = { 1: 'float32', 6: 'int32', 7: 'int64', 10: 'float16', 11: 'float64' } as const;
const BYTES = { float32: 4, int32: 4, int64: 8, float16: 2, float64: 8 } as const;
type ElementType = keyof typeof BYTES;
const MAX_ELEMENTS = 1 << 28;
const EXTERNAL = 1;

/** A TensorProto. @throws bad_input naming the tensor */
export function readTensor(message: Uint8Array, external: ExternalData): { name: string; tensor: OnnxTensor } {
  const shape: number[] = [];
  let name = '';
  let code = 0;
  let raw: Uint8Array | null = null;
  const listed: number[] = [];
  const place = new Map<string, string>();
  let isExternal = false;
  for (const [field, value] of fieldsOf(message)) {
    if (field === 1) for (const size of intsOf(value)) shape.push(size);
    else if (field === 2) code = intOf(value);
    else if (field === 4) for (const item of floatsOf(value)) listed.push(item);
    else if (field === 5 || field === 7) for (const item of intsOf(value)) listed.push(item);
    else if (field === 8) name = textOf(value);
    else if (field === 9) raw = bytesOf(value);
    else if (field === 13) place.set(...readPair(bytesOf(value)));
    else if (field === 14) isExternal = intOf(value) === EXTERNAL;
  }
  const where = `tensor "${name}"`;
  const type = TYPES[code as keyof typeof TYPES];
  if (type === undefined) throw badInput(`${where}: has elements of ONNX type ${code}, which are not read`);
  const count = shape.reduce((product, size) => product * size, 1);
  if (shape.some((size) => size < 0) || !(count <= MAX_ELEMENTS))
    throw badInput(`${where}: its shape ${shape.join(' × ')} is not read`);
  if (isExternal) raw = readExternal(place, count * BYTES[type], external, where);
  if (raw === null) {
    if (listed.length !== count) throw badInput(`${where}: holds ${listed.length} numbers instead of ${count}`);
    const data = type === 'int64' ? BigInt64Array.from(listed, BigInt) : Float32Array.from(listed);
    return { name, tensor: { shape, data } };
  }
  if (raw.length !== count * BYTES[type])
    throw badInput(`${where}: holds ${raw.length} bytes instead of ${count * BYTES[type]}`);
  return { name, tensor: { shape, data: elementsOf(raw, type) } };
}

/** StringStringEntryProto. */
export function readPair(message: Uint8Array): [key: string, value: string] {
  const pair: [string, string] = ['', ''];
  for (const [field, value] of fieldsOf(message)) {
    if (field === 1) pair[0] = textOf(value);
    if (field === 2) pair[1] = textOf(value);
  }
  return pair;
}

function readExternal(
  place: ReadonlyMap<string, string>,
  bytes: number,
  external: ExternalData,
  where: string,
): Uint8Array {
  const location = place.get('location') ?? '';
  const offset = Number(place.get('offset') ?? 0);
  const length = Number(place.get('length') ?? bytes);
  if (!Number.isSafeInteger(offset) || offset < 0 || length !== bytes)
    throw badInput(`${where}: its place in "${location}" does not fit its shape`);
  const file = external(location);
  if (offset + length > file.length)
    throw badInput(`${where}: "${location}" ends at byte ${file.length}, before ${offset + length}; copy it again`);
  return file.subarray(offset, offset + length);
}

function elementsOf(raw: Uint8Array, type: ElementType): OnnxTensor['data'] {
  // A copy: what lies in a file need not be aligned, and a Buffer's own slice would not copy.
  const { buffer } = new Uint8Array(raw);
  if (type === 'float32') return new Float32Array(buffer);
  if (type === 'float64') return new Float64Array(buffer);
  if (type === 'int64') return new BigInt64Array(buffer);
  if (type === 'int32') return new Int32Array(buffer);
  return Float32Array.from(new Uint16Array(buffer), fromHalf);
}

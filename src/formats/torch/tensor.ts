import { badInput } from '../../core/errors.ts';
import { fromHalf } from '../array/array-elements.ts';
import { PickledObject } from '../pickle/pickle-values.ts';

/** Supported element types of torch, by the name of their storage class, with their size in bytes. */
export const STORAGES = {
  FloatStorage: 4,
  DoubleStorage: 8,
  HalfStorage: 2,
  BFloat16Storage: 2,
  LongStorage: 8,
  IntStorage: 4,
  ShortStorage: 2,
  CharStorage: 1,
  ByteStorage: 1,
  BoolStorage: 1,
} as const;
export type StorageType = keyof typeof STORAGES;

/** A block of raw bytes in a checkpoint. Several tensors may be views of one storage. */
export class TorchStorage extends PickledObject {
  readonly type: StorageType;
  /** name of the entry in the zip file, below `data/` */
  readonly key: string;
  /** number of elements */
  readonly length: number;

  constructor(type: StorageType, key: string, length: number) {
    super('a storage');
    this.type = type;
    this.key = key;
    this.length = length;
  }
}

/** A tensor as a checkpoint describes it: a view into a storage. */
export class TorchTensor extends PickledObject {
  readonly storage: TorchStorage;
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];

  /** Creates a view into a storage. @throws bad_input for a view beyond its storage */
  constructor(storage: TorchStorage, offset: number, shape: readonly number[], strides: readonly number[]) {
    super('a tensor');
    this.storage = storage;
    this.offset = offset;
    this.shape = shape;
    this.strides = strides;
    const last = shape.reduce((sum, size, axis) => sum + (size - 1) * strides[axis]!, offset);
    const isPlain = [offset, ...shape, ...strides].every((value) => Number.isSafeInteger(value) && value >= 0);
    if (!isPlain || shape.length !== strides.length || (!shape.includes(0) && last >= storage.length))
      throw badInput(
        `contains a tensor of shape ${shape.join(' × ')} that does not fit into its storage of ${storage.length} numbers`,
      );
  }

  get elements(): number {
    return this.shape.reduce((product, size) => product * size, 1);
  }
}

/** Reads a tensor's values in row-major order. @param bytes all bytes of its storage */
export function tensorValues(
  { storage, offset, shape, strides, elements }: TorchTensor,
  bytes: Uint8Array,
): Float32Array {
  const at = reader(storage.type, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const out = new Float32Array(elements);
  const index = new Array<number>(shape.length).fill(0);
  let from = offset;
  for (let to = 0; to < out.length; to += 1) {
    out[to] = at(from);
    for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
      index[axis]! += 1;
      from += strides[axis]!;
      if (index[axis]! < shape[axis]!) break;
      from -= strides[axis]! * shape[axis]!;
      index[axis] = 0;
    }
  }
  return out;
}

function reader(type: StorageType, view: DataView): (index: number) => number {
  switch (type) {
    case 'FloatStorage':
      return (index) => view.getFloat32(4 * index, true);
    case 'DoubleStorage':
      return (index) => view.getFloat64(8 * index, true);
    case 'LongStorage':
      return (index) => Number(view.getBigInt64(8 * index, true));
    case 'IntStorage':
      return (index) => view.getInt32(4 * index, true);
    case 'ShortStorage':
      return (index) => view.getInt16(2 * index, true);
    case 'CharStorage':
      return (index) => view.getInt8(index);
    case 'ByteStorage':
    case 'BoolStorage':
      return (index) => view.getUint8(index);
    case 'HalfStorage':
      return (index) => fromHalf(view.getUint16(2 * index, true));
    case 'BFloat16Storage': {
      const bits = new DataView(new ArrayBuffer(4));
      return (index) => {
        bits.setUint16(0, view.getUint16(2 * index, true));
        return bits.getFloat32(0);
      };
    }
  }
}

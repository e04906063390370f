import { writeZip } from '../zip-write.ts';

/** A tensor to save, in row-major order. */
export interface TorchTensor {
  readonly kind: 'tensor';
  readonly dtype: 'float32' | 'float64' | 'int64';
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array | BigInt64Array;
}

/** A value that can be saved. Numbers become Python ints; use `pyFloat` for every float, including floats with an
 *  integer value. */
export type TorchValue =
  | null
  | boolean
  | number
  | string
  | TorchTensor
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'tuple'; readonly items: readonly TorchValue[] }
  | { readonly kind: 'list'; readonly items: readonly TorchValue[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [string | number, TorchValue])[] }
  /** an OrderedDict, as `state_dict()` returns it */
  | { readonly kind: 'ordered'; readonly entries: readonly (readonly [string, TorchValue])[] };

const STORAGE = { float32: 'FloatStorage', float64: 'DoubleStorage', int64: 'LongStorage' } as const;

export const pyFloat = (value: number): TorchValue => ({ kind: 'float', value });
export const tuple = (...items: readonly TorchValue[]): TorchValue => ({ kind: 'tuple', items });
export const list = (items: readonly TorchValue[]): TorchValue => ({ kind: 'list', items });
export const dict = (entries: readonly (readonly [string | number, TorchValue])[]): TorchValue => ({
  kind: 'dict',
  entries,
});
export const ordered = (entries: readonly (readonly [string, TorchValue])[]): TorchValue => ({
  kind: 'ordered',
  entries,
});
/** Creates a tensor. @param shape shape of `data`; absent for a scalar */
export function tensor(data: TorchTensor['data'], shape: readonly number[] = []): TorchTensor {
  const dtype = data instanceof Float32Array ? 'float32' : data instanceof Float64Array ? 'float64' : 'int64';
  return { kind: 'tensor', dtype, shape, data };
}

/** Formats a file for `torch.load`: a zip of a pickle (protocol 2) and one entry per tensor. The format is that of
 *  torch/serialization.py in PyTorch 1.6 and later. @param name folder inside the zip */
export function writeTorch(value: TorchValue, name = 'archive'): Uint8Array<ArrayBuffer> {
  const pickler = new Pickler();
  pickler.save(value);
  const entries = new Map<string, Uint8Array>([[`${name}/data.pkl`, pickler.finish()]]);
  for (const [key, { data }] of pickler.tensors.entries()) {
    entries.set(`${name}/data/${key}`, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  entries.set(`${name}/version`, Buffer.from('3\n'));
  return writeZip(entries);
}

const OP = {
  proto: 0x80,
  stop: 0x2e,
  mark: 0x28,
  emptyDict: 0x7d,
  emptyList: 0x5d,
  emptyTuple: 0x29,
  setItems: 0x75,
  appends: 0x65,
  tuple: 0x74,
  text: 0x58,
  global: 0x63,
  reduce: 0x52,
  persistentId: 0x51,
  none: 0x4e,
  true: 0x88,
  false: 0x89,
  int: 0x4a,
  long: 0x8a,
  float: 0x47,
} as const;

/** Writes Python's pickle format. No memo is needed, because values are not shared. */
class Pickler {
  readonly tensors: TorchTensor[] = [];
  #bytes: Buffer<ArrayBuffer> = Buffer.alloc(1 << 16);
  #used = 0;

  constructor() {
    this.#put(OP.proto, 2);
  }

  finish(): Uint8Array {
    this.#put(OP.stop);
    return this.#bytes.subarray(0, this.#used);
  }

  save(value: TorchValue): void {
    if (value === null) this.#put(OP.none);
    else if (typeof value === 'boolean') this.#put(value ? OP.true : OP.false);
    else if (typeof value === 'number') this.#integer(value);
    else if (typeof value === 'string') this.#text(value);
    else
      switch (value.kind) {
        case 'float':
          this.#room(9);
          this.#bytes[this.#used] = OP.float;
          this.#bytes.writeDoubleBE(value.value, this.#used + 1);
          this.#used += 9;
          break;
        case 'tuple':
          this.#put(OP.mark);
          for (const item of value.items) this.save(item);
          this.#put(OP.tuple);
          break;
        case 'list':
          this.#put(OP.emptyList, OP.mark);
          for (const item of value.items) this.save(item);
          this.#put(OP.appends);
          break;
        case 'dict':
          this.#put(OP.emptyDict);
          this.#items(value.entries);
          break;
        case 'ordered':
          this.#orderedDict();
          this.#items(value.entries);
          break;
        case 'tensor':
          this.#tensor(value);
      }
  }

  #items(entries: readonly (readonly [string | number, TorchValue])[]): void {
    this.#put(OP.mark);
    for (const [key, item] of entries) {
      this.save(key);
      this.save(item);
    }
    this.#put(OP.setItems);
  }

  #tensor(tensor: TorchTensor): void {
    const key = this.tensors.push(tensor) - 1;
    this.#global('torch._utils', '_rebuild_tensor_v2');
    this.#put(OP.mark, OP.mark);
    this.#text('storage');
    this.#global('torch', STORAGE[tensor.dtype]);
    this.#text(String(key));
    this.#text('cpu');
    this.#integer(tensor.data.length);
    this.#put(OP.tuple, OP.persistentId);
    this.#integer(0);
    this.save(tuple(...tensor.shape));
    const strides = tensor.shape.map((_, axis) => tensor.shape.slice(axis + 1).reduce((a, b) => a * b, 1));
    this.save(tuple(...strides));
    this.#put(OP.false);
    this.#orderedDict();
    this.#put(OP.tuple, OP.reduce);
  }

  #orderedDict(): void {
    this.#global('collections', 'OrderedDict');
    this.#put(OP.emptyTuple, OP.reduce);
  }

  #integer(value: number): void {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) {
      this.#room(5);
      this.#bytes[this.#used] = OP.int;
      this.#bytes.writeInt32LE(value, this.#used + 1);
      this.#used += 5;
      return;
    }
    this.#room(10);
    this.#bytes[this.#used] = OP.long;
    this.#bytes[this.#used + 1] = 8;
    this.#bytes.writeBigInt64LE(BigInt(value), this.#used + 2);
    this.#used += 10;
  }

  #text(text: string): void {
    const length = Buffer.byteLength(text);
    this.#room(5 + length);
    this.#bytes[this.#used] = OP.text;
    this.#bytes.writeUInt32LE(length, this.#used + 1);
    this.#bytes.write(text, this.#used + 5);
    this.#used += 5 + length;
  }

  #global(module: string, name: string): void {
    const text = `${module}\n${name}\n`;
    this.#room(1 + text.length);
    this.#bytes[this.#used] = OP.global;
    this.#bytes.write(text, this.#used + 1);
    this.#used += 1 + text.length;
  }

  #put(...bytes: readonly number[]): void {
    this.#room(bytes.length);
    for (const byte of bytes) this.#bytes[this.#used++] = byte;
  }

  #room(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * (this.#used + bytes));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}

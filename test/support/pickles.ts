import { deflateSync } from 'node:zlib';
import { formatNpyHeader } from '../../src/formats/npy-header.ts';
import { rawZip } from './hostile-files.ts';

/** A value to pickle. Numbers that are not integers become floats. */
export type Pickled =
  | null
  | boolean
  | number
  | string
  | NumpyArray
  | PythonCall
  | Tensor
  | readonly Pickled[]
  | { readonly [key: string]: Pickled };

/** An array of numpy in C order. For an array in Fortran order, the data are in Fortran order too. */
export class NumpyArray {
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array;
  readonly fortran: boolean;
  constructor(shape: readonly number[], data: Float32Array | Float64Array, fortran = false) {
    this.shape = shape;
    this.data = data;
    this.fortran = fortran;
  }
}

/** A tensor of torch, which may be a view into a larger storage. */
export class Tensor {
  readonly shape: readonly number[];
  readonly storage: Float32Array;
  readonly offset: number;
  readonly strides: readonly number[];
  constructor(shape: readonly number[], storage: Float32Array, offset = 0, strides?: readonly number[]) {
    this.shape = shape;
    this.storage = storage;
    this.offset = offset;
    this.strides = strides ?? shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  }
}

/** A call of a Python function with positional arguments. */
export class PythonCall {
  readonly module: string;
  readonly name: string;
  readonly args: readonly Pickled[];
  constructor(module: string, name: string, ...args: readonly Pickled[]) {
    this.module = module;
    this.name = name;
    this.args = args;
  }
}

/** Returns an array of float32 with a value for each index. */
export function floats(shape: readonly number[], value: (index: number) => number): NumpyArray {
  const count = shape.reduce((product, size) => product * size, 1);
  return new NumpyArray(
    shape,
    Float32Array.from({ length: count }, (_, index) => value(index)),
  );
}

export interface PickleOptions {
  /** The storages of tensors are added here, in the order of their keys "0", "1" … */
  readonly storages?: Float32Array[];
  readonly protocol?: 2 | 3 | 4 | 5;
  /** how arrays are stored: as numpy does, or as joblib before or since version 1.2 does */
  readonly arrays?: 'numpy' | 'joblib 1.1' | 'joblib 1.2';
}

/** Pickles a value as CPython, numpy and joblib do, without memo and frames. */
export function pickle(
  value: Pickled,
  { protocol = 4, arrays = 'numpy', storages = [] }: PickleOptions = {},
): Buffer<ArrayBuffer> {
  const out: Buffer[] = [];
  let size = 0;
  const put = (...parts: readonly (string | Uint8Array)[]) => {
    for (const part of parts) {
      const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part);
      out.push(bytes);
      size += bytes.length;
    }
  };
  const save = (item: Pickled): void => {
    if (item === null) put('N');
    else if (typeof item === 'boolean') put(item ? '\x88' : '\x89');
    else if (typeof item === 'number') put(Number.isInteger(item) ? integer(item) : double(item));
    else if (typeof item === 'string') put(text(item));
    else if (item instanceof NumpyArray) array(item);
    else if (item instanceof Tensor) tensor(item);
    else if (item instanceof PythonCall) {
      put(`c${item.module}\n${item.name}\n(`);
      item.args.forEach(save);
      put('tR');
    } else if (Array.isArray(item)) {
      put('](');
      item.forEach(save);
      put('e');
    } else {
      put('}(');
      for (const [key, entry] of Object.entries(item)) {
        save(key);
        save(entry);
      }
      put('u');
    }
  };
  const tuple = (items: readonly Pickled[]) => {
    put('(');
    items.forEach(save);
    put('t');
  };
  const dtype = (name: string) =>
    put(
      `cnumpy\ndtype\n`,
      text(name),
      '\x89\x88\x87R(K\x03',
      text(name === 'O8' ? '|' : '<'),
      'NNN',
      integer(-1),
      integer(-1),
      'K\x00tb',
    );
  const tensor = ({ shape, storage, offset, strides }: Tensor) => {
    put('ctorch._utils\n_rebuild_tensor_v2\n((', text('storage'), 'ctorch\nFloatStorage\n');
    put(text(String(storages.push(storage) - 1)), text('cpu'), integer(storage.length), 'tQ', integer(offset));
    tuple(shape);
    tuple(strides);
    put('\x89ccollections\nOrderedDict\n)RtR');
  };
  const array = ({ shape, data, fortran }: NumpyArray) => {
    const content = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const type = data instanceof Float32Array ? 'f4' : 'f8';
    if (arrays === 'numpy') {
      put('cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R(K\x01');
      tuple(shape);
      dtype(type);
      put(fortran ? '\x88' : '\x89', blob(content), 'tb');
      return;
    }
    put('cjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81}(', text('subclass'), 'cnumpy\nndarray\n', text('shape'));
    tuple(shape);
    put(text('order'), text(fortran ? 'F' : 'C'), text('dtype'));
    dtype(type);
    put(text('allow_mmap'), '\x88');
    if (arrays === 'joblib 1.2') put(text('numpy_array_alignment_bytes'), integer(16));
    put('ub');
    if (arrays === 'joblib 1.2') {
      const padding = 16 - ((size + 1) % 16);
      put(Uint8Array.of(padding), new Uint8Array(padding).fill(0xff));
    }
    put(content);
  };
  put('\x80', Uint8Array.of(protocol));
  save(value);
  put('.');
  return Buffer.concat(out);
}

/** Writes `torch.save(value, file)`. @param name folder in the zip file */
export function torchFile(value: Pickled, name = 'archive'): Buffer {
  const storages: Float32Array[] = [];
  const content = pickle(value, { protocol: 2, storages });
  return rawZip([
    { name: `${name}/data.pkl`, content },
    { name: `${name}/byteorder`, content: Buffer.from('little') },
    ...storages.map((data, key) => ({
      name: `${name}/data/${key}`,
      content: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    })),
    { name: `${name}/version`, content: Buffer.from('3\n') },
  ]);
}

/** Pickles a value as `joblib.dump(value, file, compress=True)` does. */
export function joblibFile(value: Pickled): Buffer {
  return deflateSync(pickle(value, { arrays: 'joblib 1.2' }), { level: 3 });
}

/** Writes `numpy.save(file, value)` of a Python object. */
export function objectNpy(value: Pickled): Buffer {
  const inner = pickle(value, { protocol: 4 }).subarray(2, -1);
  const wrapped = Buffer.concat([
    Buffer.from(
      '\x80\x04cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87R(K\x01)cnumpy\ndtype\n',
      'latin1',
    ),
    text('O8'),
    Buffer.from('\x89\x88\x87R(K\x03', 'latin1'),
    text('|'),
    Buffer.from('NNN', 'latin1'),
    integer(-1),
    integer(-1),
    Buffer.from('K?tb\x89](', 'latin1'),
    inner,
    Buffer.from('etb.', 'latin1'),
  ]);
  return Buffer.concat([formatObjectHeader(), wrapped]);
}

function formatObjectHeader(): Buffer {
  // Use the header of a numeric array of the same length and rename the dtype. numpy's padding depends only on the
  // length.
  const header = Buffer.from(formatNpyHeader('|O', [7]));
  return Buffer.from(header.toString('latin1').replace('(7,)', '()  '), 'latin1');
}

function text(value: string): Buffer {
  const content = Buffer.from(value);
  return Buffer.concat([Buffer.from('X'), uint32(content.length), content]);
}

function blob(content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from('B'), uint32(content.length), content]);
}

function integer(value: number): Buffer {
  const out = Buffer.alloc(5);
  out.write('J');
  out.writeInt32LE(value, 1);
  return out;
}

function double(value: number): Buffer {
  const out = Buffer.alloc(9);
  out.write('G');
  out.writeDoubleBE(value, 1);
  return out;
}

function uint32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}

import { badInput } from '../../core/errors.ts';
import { JOBLIB_ARRAY } from './joblib-array.ts';
import {
  COST,
  isList,
  isTuple,
  kindOf,
  type PickleCall,
  type PickleDialect,
  PickleGlobal,
  type PickleValue,
} from './pickle-values.ts';
import { bytesOf, isLatin1, PickledArray, PickledType } from './pickled-array.ts';

const MAX_NAME = 80;

const ndarray = new PickleGlobal('numpy.ndarray', null);

/** Implements `numpy.dtype('f4', False, True)`. */
const dtype: PickleCall = ([descr], budget) => {
  if (typeof descr !== 'string') throw misused('numpy.dtype');
  budget.take(COST.map);
  return new PickledType(descr);
};

/** Implements `_reconstruct(numpy.ndarray, (0,), b'b')`: creates an empty array, which a later BUILD fills. */
const reconstruct: PickleCall = ([type], budget) => {
  if (type !== ndarray) throw misused('numpy…_reconstruct');
  budget.take(COST.map);
  return new PickledArray();
};

/** Implements `_frombuffer(bytes, dtype, shape, order[, axes])`. Order `K` is that of an array whose axes were
 *  permuted, which throws when it is read: motion needs none. */
const fromBuffer: PickleCall = ([content, type, shape, order, axes], budget) => {
  const isPermuted = order === 'K' && isPermutation(axes, shape);
  if (
    !(type instanceof PickledType) ||
    content === undefined ||
    shape === undefined ||
    (order !== 'C' && order !== 'F' && !isPermuted)
  )
    throw misused('numpy…_frombuffer');
  budget.take(COST.map);
  const array = new PickledArray();
  if (isPermuted)
    array.fill(
      'permuted axes',
      (axes as number[]).map((axis) => (shape as PickleValue[])[axis]!),
      false,
      content,
    );
  else array.fill(type.type, shape, order === 'F', content);
  return array;
};

function isPermutation(axes: PickleValue | undefined, shape: PickleValue | undefined): boolean {
  return (
    Array.isArray(axes) &&
    Array.isArray(shape) &&
    axes.length === shape.length &&
    shape.every((_, axis) => axes.includes(axis))
  );
}

/** Implements `scalar(dtype, bytes)`: one number or text. For an unsupported type, returns an array that throws when
 *  it is read. */
const scalar: PickleCall = ([type, content], budget) => {
  if (!(type instanceof PickledType) || content === undefined) throw misused('numpy…scalar');
  const bytes = bytesOf(content);
  budget.take(COST.number + COST.text + 2 * bytes.length);
  const single = new PickledArray();
  single.fill(type.type, [], false, bytes);
  if (typeof type.type === 'string') return single;
  const { dtype, data } = single.elements();
  const value = data[0] as string | number | bigint;
  if (dtype === 'b1') return value !== 0;
  return typeof value === 'bigint' ? narrow(value) : value;
};

/** Implements `_codecs.encode(text, 'latin1')`, with which protocols 0 to 2 write bytes. */
const encode: PickleCall = ([text, encoding], budget) => {
  if (typeof text !== 'string' || encoding !== 'latin1' || !isLatin1(text)) throw misused('_codecs.encode');
  budget.take(COST.bytes + text.length);
  return Buffer.from(text, 'latin1');
};

/** Implements `OrderedDict()` and `OrderedDict([[key, value], …])`. */
const orderedDict: PickleCall = ([pairs], budget) => {
  budget.take(COST.map);
  const map = new Map<PickleValue, PickleValue>();
  if (pairs === undefined) return map;
  if (!isList(pairs)) throw misused('collections.OrderedDict');
  for (const pair of pairs) {
    if (!Array.isArray(pair) || pair.length !== 2) throw misused('collections.OrderedDict');
    budget.take(COST.entry);
    map.set(checkKey(pair[0]!), pair[1]!);
  }
  return map;
};

/** Implements `bytes()`, with which protocols 0 to 2 write empty bytes. */
const noBytes: PickleCall = (args, budget) => {
  if (args.length > 0) throw misused('bytes');
  budget.take(COST.bytes);
  return new Uint8Array(0);
};

/** The classes and functions that a pickle may use. numpy 2 renamed `numpy.core` to `numpy._core`; in Python 2,
 *  `builtins` is named `__builtin__`. */
const GLOBALS: ReadonlyMap<string, PickleGlobal> = new Map(
  [
    ndarray,
    JOBLIB_ARRAY,
    new PickleGlobal('numpy.dtype', dtype),
    ...['numpy.core', 'numpy._core'].flatMap((core) => [
      new PickleGlobal(`${core}.multiarray._reconstruct`, reconstruct),
      new PickleGlobal(`${core}.multiarray.scalar`, scalar),
      new PickleGlobal(`${core}.numeric._frombuffer`, fromBuffer),
    ]),
    new PickleGlobal('_codecs.encode', encode),
    new PickleGlobal('collections.OrderedDict', orderedDict),
    new PickleGlobal('builtins.bytes', noBytes),
    new PickleGlobal('__builtin__.bytes', noBytes),
  ].map((known) => [known.name, known]),
);

/** Returns an allowed global. @throws bad_input naming a global that is not allowed */
export function findGlobal(module: string, name: string): PickleGlobal {
  const known = GLOBALS.get(`${module}.${name}`);
  // Refuse a dot in the name, because it would access attributes. Python itself never writes the module `numpy` with
  // the name `core.multiarray.scalar`.
  if (known && !name.includes('.')) return known;
  const shown = `${module}.${name}`.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_NAME);
  throw badInput(
    `the pickle refers to ${shown}, which is not allowed. Only numbers, texts, lists, dicts and numpy arrays are supported.`,
  );
}

/** The pickle dialect of plain values and numpy arrays. */
export const NUMPY_DIALECT: PickleDialect = {
  find: findGlobal,
  outside() {
    throw badInput('the pickle refers to an object outside of the file, which is not allowed');
  },
  dictAttributes: false,
};

/** Returns the value if a Python dict accepts it as a key. @throws bad_input for any other value */
export function checkKey(key: PickleValue): PickleValue {
  const hashable =
    key === null ||
    ['boolean', 'number', 'bigint', 'string'].includes(typeof key) ||
    key instanceof Uint8Array ||
    isTuple(key);
  if (!hashable) throw badInput(`the pickle contains a dict with ${kindOf(key)} as a key: it is damaged`);
  return key;
}

/** Converts a bigint to a number if the conversion is exact. */
export function narrow(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

function misused(name: string): Error {
  return badInput(`the pickle calls ${name} with arguments that are not supported`);
}

import { badInput } from '../../core/errors.ts';
import { findGlobal } from '../pickle/pickle-globals.ts';
import {
  COST,
  isTuple,
  type PickleCall,
  type PickleDialect,
  PickledObject,
  PickleGlobal,
  type PickleValue,
} from '../pickle/pickle-values.ts';
import { STORAGES, type StorageType, TorchStorage, TorchTensor } from './tensor.ts';

/** Maximum number of axes of a tensor. */
const MAX_AXES = 16;

/** `_rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks)` */
const rebuildTensor: PickleCall = ([storage, offset, shape, strides], budget) => {
  if (!(storage instanceof TorchStorage) || typeof offset !== 'number') throw misused('_rebuild_tensor_v2');
  budget.take(COST.map);
  return new TorchTensor(storage, offset, sizes(shape), sizes(strides));
};

/** `_rebuild_parameter(tensor, requires_grad, hooks)`: returns the tensor. */
const rebuildParameter: PickleCall = ([tensor]) => {
  if (!(tensor instanceof TorchTensor)) throw misused('_rebuild_parameter');
  return tensor;
};

/** `torch.Size([2, 3])` and other calls with a single list: returns the list. */
const itself: PickleCall = ([value]) => value ?? null;

/** `torch.device('cpu')`: ignored. */
const device: PickleCall = (_args, budget) => {
  budget.take(COST.map);
  return new PickledObject('a device');
};

const GLOBALS: ReadonlyMap<string, PickleGlobal> = new Map(
  [
    new PickleGlobal('torch._utils._rebuild_tensor_v2', rebuildTensor),
    new PickleGlobal('torch._utils._rebuild_parameter', rebuildParameter),
    new PickleGlobal('torch.Size', itself),
    new PickleGlobal('torch.device', device),
    ...Object.keys(STORAGES).map((name) => new PickleGlobal(`torch.${name}`, null)),
    ...['float32', 'float64', 'float16', 'bfloat16', 'int64', 'int32', 'bool'].map(
      (name) => new PickleGlobal(`torch.${name}`, null),
    ),
  ].map((known) => [known.name, known]),
);

/** The dialect of `torch.save`: plain values, numpy arrays and tensors. Other globals could be code, so they are
 *  refused by name. */
export const TORCH_DIALECT: PickleDialect = {
  find(module, name) {
    const known = GLOBALS.get(`${module}.${name}`);
    return known && !name.includes('.') ? known : findGlobal(module, name);
  },
  /** Resolves a storage such as `('storage', torch.FloatStorage, '0', 'cpu', 12)`. */
  outside(id: PickleValue) {
    if (!isTuple(id)) throw misused('a storage');
    const [kind, type, key, , length] = id;
    const name = type instanceof PickleGlobal ? type.name.replace(/^torch\./, '') : '';
    if (kind !== 'storage' || typeof key !== 'string' || !/^\w{1,40}$/.test(key)) throw misused('a storage');
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) throw misused('a storage');
    if (!Object.hasOwn(STORAGES, name)) throw badInput(`has tensors of type ${name}, which are not supported`);
    return new TorchStorage(name as StorageType, key, length);
  },
  dictAttributes: true,
};

function sizes(value: PickleValue | undefined): number[] {
  if (!Array.isArray(value) || value.length > MAX_AXES || !value.every((size) => typeof size === 'number'))
    throw misused('_rebuild_tensor_v2');
  return value as number[];
}

function misused(name: string): Error {
  return badInput(`uses ${name} with arguments that torch never writes: it is damaged`);
}

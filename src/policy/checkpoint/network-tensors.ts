import { badInput, StudioError } from '../../core/errors.ts';
import type { PickleValue } from '../../formats/pickle/pickle-values.ts';
import type { TorchFile } from '../../formats/torch/read-torch.ts';
import { TorchTensor } from '../../formats/torch/tensor.ts';
import { checkSizes } from '../check-weights.ts';
import type { DenseLayer } from '../policy.ts';

/** A state dict of torch: tensors by name. */
export type StateDict = ReadonlyMap<PickleValue, PickleValue>;

/** Running statistics of observations. */
export interface Statistics {
  readonly mean: Float32Array;
  readonly std: Float32Array;
  /** number of observations seen; null if the file does not contain it */
  readonly count: number | null;
}

const MAX_ELEMENTS = 1 << 26;

/** Returns the dict at `key`; null if the entry is missing. @param field name of the dict for messages
 *  @throws StudioError bad_input */
export function dictAt(value: PickleValue | undefined, key: string, field = key): StateDict | null {
  if (!(value instanceof Map)) throw badInput(`${field}: must be a dict`);
  const found = value.get(key);
  if (found === undefined || found === null) return null;
  if (!(found instanceof Map)) throw badInput(`${field}: must be a dict`);
  return found;
}

/** Reads the values of a tensor; null if it is missing. @throws StudioError bad_input naming the tensor */
export function valuesAt(file: TorchFile, dict: StateDict, key: string, field: string): Float32Array | null {
  const tensor = dict.get(key);
  if (tensor === undefined) return null;
  const name = `${field}.${key}`;
  if (!(tensor instanceof TorchTensor)) throw badInput(`${name}: must be a tensor`);
  if (tensor.elements > MAX_ELEMENTS) throw badInput(`${name}: is larger than any tensor of a supported network`);
  let values: Float32Array;
  try {
    values = file.values(tensor);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    throw new StudioError(error.code, `${name}: ${error.message}`, { cause: error });
  }
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw badInput(`${name}: value ${bad} is ${values[bad]}; every weight must be a finite number`);
  return values;
}

/** Reads the layers `<prefix><n>.weight` and `.bias` in the order of n.
 *  @throws StudioError bad_input naming a tensor that is missing or does not fit */
export function layersAt(file: TorchFile, dict: StateDict, prefix: string, field: string): DenseLayer[] {
  const numbers = [...dict.keys()]
    .map((key) =>
      typeof key === 'string' && key.startsWith(prefix) ? /^(\d{1,4})\.weight$/.exec(key.slice(prefix.length)) : null,
    )
    .flatMap((match) => (match ? [Number(match[1])] : []))
    .sort((a, b) => a - b);
  if (numbers.length === 0) throw badInput(`${field}: has no layers named ${prefix}0.weight and so on`);
  const sizes = numbers.map((number) => {
    const name = `${prefix}${number}`;
    const tensor = dict.get(`${name}.weight`);
    const shape = tensor instanceof TorchTensor ? tensor.shape : [];
    if (shape.length !== 2)
      throw badInput(
        `${field}.${name}.weight: has ${shape.length} dimensions; only fully connected networks are supported`,
      );
    const [outputs, inputs] = shape as [number, number];
    return { name, inputs, outputs };
  });
  for (const [index, { name, inputs }] of sizes.entries()) {
    const before = sizes[index - 1];
    if (before && before.outputs !== inputs)
      throw badInput(
        `${field}.${name}.weight: has ${inputs} inputs, but the layer before it has ${before.outputs} outputs`,
      );
  }
  checkSizes(sizes);
  return sizes.map(({ name, inputs, outputs }) => {
    const weight = valuesAt(file, dict, `${name}.weight`, field)!;
    const bias = valuesAt(file, dict, `${name}.bias`, field);
    if (!bias) throw badInput(`${field}.${name}.bias: is missing`);
    if (bias.length !== outputs)
      throw badInput(`${field}.${name}.bias: has ${bias.length} numbers, the weight has ${outputs} rows`);
    return { inputs, outputs, weight, bias };
  });
}

/** Reads the statistics `<prefix>_mean`, `_std` (else the square root of `_var`) and `count`; null without them. */
export function statisticsAt(file: TorchFile, dict: StateDict, prefix: string, field: string): Statistics | null {
  const mean = valuesAt(file, dict, `${prefix}_mean`, field) ?? valuesAt(file, dict, `${prefix}mean`, field);
  if (!mean) return null;
  const std = valuesAt(file, dict, `${prefix}_std`, field) ?? valuesAt(file, dict, `${prefix}std`, field);
  const variance = std
    ? null
    : (valuesAt(file, dict, `${prefix}_var`, field) ?? valuesAt(file, dict, `${prefix}var`, field));
  const spread = std ?? variance?.map(Math.sqrt);
  if (!spread) throw badInput(`${field}.${prefix}_std: is missing beside ${prefix}_mean`);
  if (spread.length !== mean.length)
    throw badInput(`${field}.${prefix}_std: has ${spread.length} numbers, ${prefix}_mean has ${mean.length}`);
  const count = valuesAt(file, dict, `${prefix}count`, field);
  return { mean, std: spread, count: count?.[0] ?? null };
}

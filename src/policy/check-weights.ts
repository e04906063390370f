import { badInput } from '../core/errors.ts';
import type { DenseLayer, PolicyWeights } from './policy.ts';

/** Limits of a layer: 8192 inputs or outputs, 16 Mi weights. A larger layer is treated as an error of the file. */
export const MAX_WIDTH = 8192;
const MAX_WEIGHTS = 1 << 24;
const MAX_LAYERS = 32;
/** Limit of the weights of all layers, 128 MiB. Every thread of a session has its own copy. */
const MAX_TOTAL = 1 << 25;

/** Numbers of inputs and outputs of a layer. */
type LayerSize = Pick<DenseLayer, 'inputs' | 'outputs'>;

/** Checks the size of a network before its weights are read. @throws StudioError bad_input naming the layer */
export function checkSizes(layers: readonly LayerSize[]): void {
  if (layers.length === 0 || layers.length > MAX_LAYERS)
    throw badInput(`layers: ${layers.length} layers, expected 1 to ${MAX_LAYERS}`);
  let total = 0;
  for (const [index, { inputs, outputs }] of layers.entries()) {
    const name = `layers[${index}]`;
    if (!isWidth(inputs) || !isWidth(outputs) || inputs * outputs > MAX_WEIGHTS)
      throw badInput(`${name}: ${inputs} inputs and ${outputs} outputs exceed the limit of ${MAX_WIDTH} each`);
    total += inputs * outputs;
    if (total > MAX_TOTAL)
      throw badInput(`${name}: the network has more than ${MAX_TOTAL} weights, which is the limit`);
    const before = layers[index - 1];
    if (before && before.outputs !== inputs)
      throw badInput(`${name}: has ${inputs} inputs, but the layer before it has ${before.outputs} outputs`);
  }
}

/** Checks that layers fit together, arrays have the right sizes, and all numbers are finite.
 *  @throws StudioError bad_input naming the layer, such as `layers[2].weight: …` */
export function checkWeights({ layers, normalizer }: PolicyWeights): void {
  checkSizes(layers);
  for (const [index, layer] of layers.entries()) {
    const name = `layers[${index}]`;
    const { inputs, outputs, weight, bias } = layer;
    if (weight.length !== inputs * outputs)
      throw badInput(`${name}.weight: has ${weight.length} numbers instead of ${outputs} × ${inputs}`);
    if (bias.length !== outputs) throw badInput(`${name}.bias: has ${bias.length} numbers instead of ${outputs}`);
    checkFinite(`${name}.weight`, weight);
    checkFinite(`${name}.bias`, bias);
  }
  if (normalizer === null) return;
  const { inputs } = layers[0]!;
  for (const [name, values] of [
    ['mean', normalizer.mean],
    ['std', normalizer.std],
  ] as const) {
    if (values.length !== inputs)
      throw badInput(`normalizer.${name}: has ${values.length} numbers, but the first layer has ${inputs} inputs`);
    checkFinite(`normalizer.${name}`, values);
  }
  const small = normalizer.std.findIndex((value) => !(Math.fround(value + normalizer.epsilon) > 0));
  if (small >= 0) throw badInput(`normalizer.std: value ${small} is not positive`);
}

function checkFinite(name: string, values: Float32Array): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) throw badInput(`${name}: value ${at} is ${values[at]}; every weight must be a finite number`);
}

function isWidth(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MAX_WIDTH;
}

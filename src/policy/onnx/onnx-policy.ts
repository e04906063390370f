import { badInput } from '../../core/errors.ts';
import { elementsOf, type OnnxModel, type OnnxTensor } from '../../formats/onnx/onnx-model.ts';
import { checkSizes, checkWeights } from '../check-weights.ts';
import type { Activation, DenseLayer, PolicyWeights } from '../policy.ts';
import { floatsOf } from './fold-constants.ts';
import { type NetworkStep, networkSteps } from './network-steps.ts';

/** y = scale · x + shift, or (x − mean) / std if the model is written in that form. */
interface Affine {
  readonly mean: Float32Array;
  readonly std: Float32Array;
}

/** Reads the network of a model that maps observations to actions. Affine steps before the first layer become the
 *  normaliser, affine steps after a layer become its bias.
 *  @throws StudioError bad_input naming an unsupported operator, or the layer that does not fit */
export function onnxPolicy(model: OnnxModel): PolicyWeights {
  const input = model.inputs.find(({ name }) => name === 'obs') ?? model.inputs[0];
  const output = model.outputs.find(({ name }) => name === 'actions') ?? model.outputs[0];
  if (!input || !output) throw badInput('the ONNX model has no input or no output');
  const steps = networkSteps(model, input.name, output.name);
  const first = steps.findIndex(({ kind }) => kind === 'linear');
  if (first < 0) throw badInput('the ONNX model has no layer');
  checkSizes(steps.filter((step) => step.kind === 'linear').map(sizeOf));
  const layers: DenseLayer[] = [];
  let activation: Activation | null = null;
  let activated = true;
  for (const step of steps.slice(first)) {
    if (step.kind === 'linear') {
      if (!activated) throw badInput(`layer ${layers.length} of the ONNX model has no activation before it`);
      layers.push(layerOf(step, layers.length));
      activated = false;
    } else if (step.kind === 'activation') {
      if (activation !== null && activation !== step.activation)
        throw badInput(
          `the ONNX model mixes ${activation} and ${step.activation}: only one kind of activation is supported`,
        );
      if (activated) throw badInput('the ONNX model has two activations in a row');
      activation = step.activation;
      activated = true;
    } else {
      if (activated) throw badInput(`the ONNX model has ${step.op} between an activation and a layer`);
      applyToOutputs(layers.at(-1)!, step, layers.length - 1);
    }
  }
  if (activated) throw badInput(`the ONNX model ends with ${activation}: actions must be the output of the last layer`);
  const normalizer = normalizerOf(steps.slice(0, first), layers[0]!.inputs);
  const weights: PolicyWeights = {
    layers,
    activation: activation ?? 'elu',
    normalizer: normalizer && { ...normalizer, epsilon: 0 },
  };
  checkWeights(weights);
  return weights;
}

/** Returns the numbers of inputs and outputs of a layer, from the shape of its weight. */
function sizeOf({ weight: { shape }, transposed }: NetworkStep & { kind: 'linear' }, index: number) {
  if (shape.length !== 2) throw badInput(`layers[${index}].weight: has ${shape.length} dimensions instead of 2`);
  const [rows, columns] = shape as [number, number];
  const [outputs, inputs] = transposed ? [columns, rows] : [rows, columns];
  return { inputs, outputs };
}

function layerOf(step: NetworkStep & { kind: 'linear' }, index: number): DenseLayer {
  const { inputs, outputs } = sizeOf(step, index);
  const given = floatsOf(step.weight);
  const weight = step.transposed ? new Float32Array(given.length) : given.slice();
  if (step.transposed) {
    for (let i = 0; i < inputs; i += 1)
      for (let o = 0; o < outputs; o += 1) weight[o * inputs + i] = given[i * outputs + o]!;
  }
  return { inputs, outputs, weight, bias: new Float32Array(outputs) };
}

function applyToOutputs(layer: DenseLayer, { op, operand }: NetworkStep & { kind: 'affine' }, index: number): void {
  const values = spread(operand, layer.outputs, `layers[${index}].bias`);
  const { inputs, outputs, weight, bias } = layer;
  for (let o = 0; o < outputs; o += 1) {
    const value = values[o]!;
    if (op === 'Add') bias[o]! += value;
    else if (op === 'Sub') bias[o]! -= value;
    else {
      const factor = op === 'Mul' ? value : 1 / value;
      bias[o]! *= factor;
      for (let i = 0; i < inputs; i += 1) weight[o * inputs + i]! *= factor;
    }
  }
}

function normalizerOf(steps: readonly NetworkStep[], inputs: number): Affine | null {
  if (steps.length === 0) return null;
  const mean = new Float32Array(inputs);
  const std = new Float32Array(inputs).fill(1);
  for (const step of steps) {
    if (step.kind !== 'affine') throw badInput(`the ONNX model has ${step.kind} before its first layer`);
    const values = spread(step.operand, inputs, 'normalizer');
    for (let i = 0; i < inputs; i += 1) {
      const value = values[i]!;
      if (step.op === 'Sub') mean[i]! += value * std[i]!;
      else if (step.op === 'Add') mean[i]! -= value * std[i]!;
      else std[i]! *= step.op === 'Div' ? value : 1 / value;
    }
  }
  return { mean, std };
}

/** Returns the values of a tensor. A single value is repeated `length` times. */
function spread(tensor: OnnxTensor, length: number, where: string): Float32Array {
  const held = elementsOf(tensor);
  if (held !== 1 && held !== length) throw badInput(`${where}: has ${held} numbers instead of ${length}`);
  const values = floatsOf(tensor);
  return held === 1 ? new Float32Array(length).fill(values[0]!) : values;
}

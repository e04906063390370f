import { badInput } from '../../core/errors.ts';
import type { OnnxModel, OnnxNode, OnnxTensor } from '../../formats/onnx/onnx-model.ts';
import type { Activation } from '../policy.ts';
import { Constants } from './fold-constants.ts';

/** One step of a network from observations to actions. */
export type NetworkStep =
  | { readonly kind: 'affine'; readonly op: 'Add' | 'Sub' | 'Mul' | 'Div'; readonly operand: OnnxTensor }
  /** y = W x; `transposed`: W is (inputs, outputs) */
  | { readonly kind: 'linear'; readonly weight: OnnxTensor; readonly transposed: boolean }
  | { readonly kind: 'activation'; readonly activation: Activation };

const PASSING = ['Identity', 'Cast', 'Flatten', 'Dropout', 'Squeeze', 'Unsqueeze', 'Reshape'];
const ACTIVATIONS: Readonly<Record<string, Activation>> = {
  Elu: 'elu',
  Relu: 'relu',
  Tanh: 'tanh',
  Swish: 'silu',
  Silu: 'silu',
};
/** Nodes on the way from the output back to the input, those that change nothing included. A graph may be cyclic. */
const MAX_HOPS = 512;

/** The steps from the graph's input `from` to its value `to`, first step first.
 *  @throws bad_input naming an operator that fully connected networks do not have */
export function networkSteps(model: OnnxModel, from: string, to: string): NetworkStep[] {
  const constants = new Constants(model);
  const producers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const steps: NetworkStep[] = [];
  let value = to;
  for (let hops = 0; value !== from; hops += 1) {
    if (hops === MAX_HOPS)
      throw badInput(
        `"${to}" of the ONNX model is more than ${MAX_HOPS} nodes away from its input "${from}", or its graph is cyclic`,
      );
    const node = producers.get(value);
    if (!node) throw badInput(`"${to}" of the ONNX model is not computed from its input "${from}" layer by layer`);
    value = before(node, constants, producers, steps);
  }
  return steps.reverse();
}

/** Puts what `node` does in front of `steps`, last first. @returns the value it is done to */
function before(
  node: OnnxNode,
  constants: Constants,
  producers: ReadonlyMap<string, OnnxNode>,
  steps: NetworkStep[],
): string {
  const [first, second, third] = node.inputs;
  if (first === undefined) throw unread(node);
  if (PASSING.includes(node.op)) return first;
  const activation = ACTIVATIONS[node.op];
  if (activation !== undefined) {
    if (node.op === 'Elu' && (node.attributes.get('alpha')?.float ?? 1) !== 1) throw unread(node, 'an alpha beside 1');
    steps.push({ kind: 'activation', activation });
    return first;
  }
  if (second === undefined) throw unread(node);
  if (node.op === 'Gemm') {
    const { attributes } = node;
    const weight = constants.get(second);
    const plain =
      (attributes.get('alpha')?.float ?? 1) === 1 &&
      (attributes.get('beta')?.float ?? 1) === 1 &&
      (attributes.get('transA')?.int ?? 0) === 0;
    if (!weight || !plain) throw unread(node, 'other factors than weights and biases');
    if (third !== undefined && third !== '') {
      const bias = constants.get(third);
      if (!bias) throw unread(node, 'a bias that is computed');
      steps.push({ kind: 'affine', op: 'Add', operand: bias });
    }
    steps.push({ kind: 'linear', weight, transposed: (attributes.get('transB')?.int ?? 0) === 0 });
    return first;
  }
  if (node.op === 'MatMul') {
    const weight = constants.get(second);
    if (!weight) throw unread(node, 'a factor that is computed');
    steps.push({ kind: 'linear', weight, transposed: true });
    return first;
  }
  if (node.op === 'Add' || node.op === 'Sub' || node.op === 'Mul' || node.op === 'Div')
    return elementwise(node, node.op, first, second, constants, producers, steps);
  throw unread(node);
}

function elementwise(
  node: OnnxNode,
  op: 'Add' | 'Sub' | 'Mul' | 'Div',
  first: string,
  second: string,
  constants: Constants,
  producers: ReadonlyMap<string, OnnxNode>,
  steps: NetworkStep[],
): string {
  // SiLU is written x · sigmoid(x).
  if (op === 'Mul') {
    for (const [x, gate] of [
      [first, second],
      [second, first],
    ] as const) {
      const sigmoid = producers.get(gate);
      if (sigmoid?.op !== 'Sigmoid' || sigmoid.inputs[0] !== x) continue;
      steps.push({ kind: 'activation', activation: 'silu' });
      return x;
    }
  }
  const operand = constants.get(second);
  if (operand) {
    steps.push({ kind: 'affine', op, operand });
    return first;
  }
  const left = constants.get(first);
  if (!left || op === 'Sub' || op === 'Div') throw unread(node, 'two values that are computed');
  steps.push({ kind: 'affine', op, operand: left });
  return second;
}

function unread({ op, name }: OnnxNode, what?: string): Error {
  const node = name === '' ? op : `${op} "${name}"`;
  return badInput(
    `the ONNX model has ${node}${what === undefined ? '' : ` with ${what}`}: only fully connected networks with ` +
      'ELU, ReLU, tanh or SiLU are read',
  );
}

import { badInput } from '../../core/errors.ts';
import type { OnnxModel, OnnxNode, OnnxTensor } from '../../formats/onnx/onnx-model.ts';
import type { Activation } from '../policy.ts';
import { Constants } from './fold-constants.ts';

/** One step of a network from observations to actions. */
export type NetworkStep =
  | { readonly kind: 'affine'; readonly op: 'Add' | 'Sub' | 'Mul' | 'Div'; readonly operand: OnnxTensor }
  /** y = W x; if `transposed`, W is (inputs, outputs) */
  | { readonly kind: 'linear'; readonly weight: OnnxTensor; readonly transposed: boolean }
  | { readonly kind: 'activation'; readonly activation: Activation };

/** Operators that do not change values. */
const PASSING = ['Identity', 'Cast', 'Flatten', 'Dropout', 'Squeeze', 'Unsqueeze', 'Reshape'];
const ACTIVATIONS: Readonly<Record<string, Activation>> = {
  Elu: 'elu',
  Relu: 'relu',
  Tanh: 'tanh',
  Swish: 'silu',
  Silu: 'silu',
};
/** Maximum number of nodes between output and input. The limit is needed because a graph may be cyclic. */
const MAX_HOPS = 512;

/** State of the walk from the output of a graph back to its input. */
interface Walk {
  readonly constants: Constants;
  /** nodes by the name of their output */
  readonly producers: ReadonlyMap<string, OnnxNode>;
  /** steps found so far; the step nearest to the output comes first */
  readonly steps: NetworkStep[];
}

/** Returns the steps from the graph's input `from` to its value `to`, in the order of computation.
 *  @throws StudioError bad_input naming an operator that fully connected networks do not have */
export function networkSteps(model: OnnxModel, from: string, to: string): NetworkStep[] {
  const producers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const walk: Walk = { constants: new Constants(model), producers, steps: [] };
  let value = to;
  for (let hops = 0; value !== from; hops += 1) {
    if (hops === MAX_HOPS)
      throw badInput(
        `"${to}" of the ONNX model is more than ${MAX_HOPS} nodes away from its input "${from}", or its graph is cyclic`,
      );
    const node = producers.get(value);
    if (!node) throw badInput(`"${to}" of the ONNX model is not computed from its input "${from}" layer by layer`);
    value = addStep(node, walk);
  }
  return walk.steps.reverse();
}

/** Adds the step of `node`. @returns the name of the node's input */
function addStep(node: OnnxNode, walk: Walk): string {
  const { constants, steps } = walk;
  const [first, second] = node.inputs;
  if (first === undefined) throw unread(node);
  if (PASSING.includes(node.op)) return first;
  const activation = ACTIVATIONS[node.op];
  if (activation !== undefined) {
    if (node.op === 'Elu' && (node.attributes.get('alpha')?.float ?? 1) !== 1)
      throw unread(node, 'an alpha other than 1');
    steps.push({ kind: 'activation', activation });
    return first;
  }
  if (second === undefined) throw unread(node);
  if (node.op === 'Gemm') {
    addGemm(node, second, walk);
    return first;
  }
  if (node.op === 'MatMul') {
    const weight = constants.get(second);
    if (!weight) throw unread(node, 'a factor that is not constant');
    steps.push({ kind: 'linear', weight, transposed: true });
    return first;
  }
  if (node.op === 'Add' || node.op === 'Sub' || node.op === 'Mul' || node.op === 'Div')
    return addElementwise(node, node.op, [first, second], walk);
  throw unread(node);
}

/** Adds the steps of a Gemm node, y = W x + b without other factors. @param weightName its second input */
function addGemm(node: OnnxNode, weightName: string, { constants, steps }: Walk): void {
  const { attributes } = node;
  const biasName = node.inputs[2];
  const weight = constants.get(weightName);
  const plain =
    (attributes.get('alpha')?.float ?? 1) === 1 &&
    (attributes.get('beta')?.float ?? 1) === 1 &&
    (attributes.get('transA')?.int ?? 0) === 0;
  if (!weight || !plain) throw unread(node, 'factors other than weights and biases');
  if (biasName !== undefined && biasName !== '') {
    const bias = constants.get(biasName);
    if (!bias) throw unread(node, 'a bias that is not constant');
    steps.push({ kind: 'affine', op: 'Add', operand: bias });
  }
  steps.push({ kind: 'linear', weight, transposed: (attributes.get('transB')?.int ?? 0) === 0 });
}

/** Adds an elementwise step. @returns the name of the operand that is not constant */
function addElementwise(
  node: OnnxNode,
  op: 'Add' | 'Sub' | 'Mul' | 'Div',
  [first, second]: readonly [string, string],
  { constants, producers, steps }: Walk,
): string {
  // Exporters write SiLU as x · sigmoid(x).
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
  if (!left || op === 'Sub' || op === 'Div') throw unread(node, 'two operands that are not constant');
  steps.push({ kind: 'affine', op, operand: left });
  return second;
}

function unread({ op, name }: OnnxNode, what?: string): Error {
  const node = name === '' ? op : `${op} "${name}"`;
  return badInput(
    `the ONNX model has ${node}${what === undefined ? '' : ` with ${what}`}: only fully connected networks with ` +
      'ELU, ReLU, tanh or SiLU are supported',
  );
}

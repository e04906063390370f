import type { OnnxAttribute, OnnxModel, OnnxNode, OnnxTensor } from '../../formats/onnx/onnx-model.ts';
import { writeOnnx } from '../../formats/onnx/write-onnx.ts';
import type { Activation, PolicyWeights } from '../policy.ts';

/** Name of the batch dimension, which may have any size. */
const BATCH = 'batch';
const GEMM: ReadonlyMap<string, OnnxAttribute> = new Map([
  ['alpha', { float: 1 }],
  ['beta', { float: 1 }],
  ['transB', { int: 1 }],
]);
const OPERATORS: Readonly<Record<Exclude<Activation, 'silu'>, string>> = { elu: 'Elu', relu: 'Relu', tanh: 'Tanh' };

/** Exports a policy with its normaliser as ONNX: input `obs` (batch, inputs), output `actions` (batch, outputs).
 *  @param metadata texts to attach, see `onnxMetadata` */
export function exportPolicy(weights: PolicyWeights, metadata: ReadonlyMap<string, string>): Uint8Array<ArrayBuffer> {
  return writeOnnx(policyModel(weights, metadata));
}

/** Builds the model that {@link exportPolicy} writes. */
export function policyModel(
  { layers, normalizer, activation }: PolicyWeights,
  metadata: ReadonlyMap<string, string>,
): OnnxModel {
  const nodes: OnnxNode[] = [];
  const initializers = new Map<string, OnnxTensor>();
  let value = 'obs';
  const then = (
    op: string,
    output: string,
    inputs: readonly string[],
    attributes: OnnxNode['attributes'] = new Map(),
  ) => {
    nodes.push({ name: output, op, inputs, outputs: [output], attributes });
    value = output;
  };
  if (normalizer) {
    const { mean, std, epsilon } = normalizer;
    initializers.set('normalizer.mean', { shape: [1, mean.length], data: mean });
    initializers.set('normalizer.std', { shape: [1, std.length], data: std.map((deviation) => deviation + epsilon) });
    then('Sub', 'centred', [value, 'normalizer.mean']);
    then('Div', 'normalised', [value, 'normalizer.std']);
  }
  for (const [index, { inputs, outputs, weight, bias }] of layers.entries()) {
    const last = index === layers.length - 1;
    initializers.set(`actor.${2 * index}.weight`, { shape: [outputs, inputs], data: weight });
    initializers.set(`actor.${2 * index}.bias`, { shape: [outputs], data: bias });
    then(
      'Gemm',
      last ? 'actions' : `linear_${index}`,
      [value, `actor.${2 * index}.weight`, `actor.${2 * index}.bias`],
      GEMM,
    );
    if (last) break;
    const output = `active_${index}`;
    if (activation === 'silu') {
      const gated = value;
      then('Sigmoid', `gate_${index}`, [gated]);
      then('Mul', output, [gated, value]);
    } else
      then(
        OPERATORS[activation],
        output,
        [value],
        activation === 'elu' ? new Map([['alpha', { float: 1 }]]) : new Map(),
      );
  }
  return {
    nodes,
    initializers,
    inputs: [{ name: 'obs', shape: [BATCH, layers[0]!.inputs] }],
    outputs: [{ name: 'actions', shape: [BATCH, layers.at(-1)!.outputs] }],
    metadata,
  };
}

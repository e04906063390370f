import { badInput } from '../../core/errors.ts';
import { bytesOf, fieldsOf, floatOf, intOf, intsOf, textOf } from '../protobuf/read-message.ts';
import type { OnnxAttribute, OnnxModel, OnnxNode, OnnxTensor, OnnxValue } from './onnx-model.ts';
import { type ExternalData, readPair, readTensor } from './read-tensor.ts';

/** Reads a model: its graph, constants and metadata. Field numbers are those of onnx.proto3.
 *  @throws bad_input for what is no model, and naming the tensor that is damaged */
export function readOnnx(content: Uint8Array, external: ExternalData): OnnxModel {
  let graph: Uint8Array | null = null;
  const metadata = new Map<string, string>();
  for (const [field, value] of fieldsOf(content)) {
    if (field === 7) graph = bytesOf(value);
    else if (field === 14) metadata.set(...readPair(bytesOf(value)));
  }
  if (graph === null) throw badInput('not an ONNX model: it has no graph');
  const nodes: OnnxNode[] = [];
  const initializers = new Map<string, OnnxTensor>();
  const inputs: OnnxValue[] = [];
  const outputs: OnnxValue[] = [];
  for (const [field, value] of fieldsOf(graph)) {
    if (field === 1) nodes.push(readNode(bytesOf(value), external));
    else if (field === 5) {
      const { name, tensor } = readTensor(bytesOf(value), external);
      initializers.set(name, tensor);
    } else if (field === 11) inputs.push(readValue(bytesOf(value)));
    else if (field === 12) outputs.push(readValue(bytesOf(value)));
  }
  for (const node of nodes) {
    const constant = node.op === 'Constant' ? node.attributes.get('value')?.tensor : undefined;
    if (constant && node.outputs[0] !== undefined) initializers.set(node.outputs[0], constant);
  }
  return {
    nodes: nodes.filter((node) => node.op !== 'Constant'),
    initializers,
    // Older files list constants among the inputs.
    inputs: inputs.filter(({ name }) => !initializers.has(name)),
    outputs,
    metadata,
  };
}

function readNode(message: Uint8Array, external: ExternalData): OnnxNode {
  const inputs: string[] = [];
  const outputs: string[] = [];
  const attributes = new Map<string, OnnxAttribute>();
  let name = '';
  let op = '';
  for (const [field, value] of fieldsOf(message)) {
    if (field === 1) inputs.push(textOf(value));
    else if (field === 2) outputs.push(textOf(value));
    else if (field === 3) name = textOf(value);
    else if (field === 4) op = textOf(value);
    else if (field === 5) {
      const [key, attribute] = readAttribute(bytesOf(value), external);
      attributes.set(key, attribute);
    }
  }
  return { name, op, inputs, outputs, attributes };
}

function readAttribute(message: Uint8Array, external: ExternalData): [string, OnnxAttribute] {
  let name = '';
  let attribute: OnnxAttribute = {};
  const ints: number[] = [];
  for (const [field, value] of fieldsOf(message)) {
    if (field === 1) name = textOf(value);
    else if (field === 2) attribute = { ...attribute, float: floatOf(value) };
    else if (field === 3) attribute = { ...attribute, int: intOf(value) };
    else if (field === 4) attribute = { ...attribute, text: textOf(value) };
    else if (field === 5) attribute = { ...attribute, tensor: readTensor(bytesOf(value), external).tensor };
    else if (field === 8) ints.push(...intsOf(value));
  }
  return [name, ints.length > 0 ? { ...attribute, ints } : attribute];
}

/** ValueInfoProto → TypeProto → Tensor → shape. */
function readValue(message: Uint8Array): OnnxValue {
  let name = '';
  let shape: (number | string)[] = [];
  for (const [field, value] of fieldsOf(message)) {
    if (field === 1) name = textOf(value);
    if (field !== 2) continue;
    const tensor = single(bytesOf(value), 1);
    const dims = tensor && single(tensor, 2);
    if (!dims) continue;
    shape = [];
    for (const [, dim] of fieldsOf(dims)) {
      let size: number | string = -1;
      for (const [kind, content] of fieldsOf(bytesOf(dim))) {
        if (kind === 1) size = intOf(content);
        if (kind === 2) size = textOf(content);
      }
      shape.push(size);
    }
  }
  return { name, shape };
}

function single(message: Uint8Array, wanted: number): Uint8Array | null {
  for (const [field, value] of fieldsOf(message)) if (field === wanted) return bytesOf(value);
  return null;
}

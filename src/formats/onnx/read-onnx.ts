import { badInput } from '../../core/errors.ts';
import { bytesOf, fieldsOf, floatOf, intOf, intsOf, textOf } from '../protobuf/read-message.ts';
import type { OnnxAttribute, OnnxModel, OnnxNode, OnnxTensor, OnnxValue } from './onnx-model.ts';
import { type ExternalData, ExternalTensors, readPair, readTensor } from './read-tensor.ts';

/** Maximum numbers of nodes and constants. A policy has some tens; an embedded clip adds a few. */
const MAX_NODES = 4096;
const MAX_CONSTANTS = 4096;
const MAX_ATTRIBUTES = 64;
const MAX_INTS = 64;
/** Limit of all metadata together, bytes. */
const MAX_METADATA_BYTES = 16 << 20;

/** Reads the graph, constants and metadata of a model. The values of a constant are read when they are used. Field
 *  numbers are those of onnx.proto3.
 *  @throws bad_input for a file that is not a model, and for a damaged tensor, naming it */
export function readOnnx(content: Uint8Array, open: ExternalData): OnnxModel {
  const external = new ExternalTensors(open);
  let graph: Uint8Array | null = null;
  const metadata = new Map<string, string>();
  let metadataBytes = 0;
  for (const [field, value] of fieldsOf(content)) {
    if (field === 7) graph = bytesOf(value);
    else if (field === 14) {
      const entry = bytesOf(value);
      metadataBytes += entry.length;
      if (metadataBytes > MAX_METADATA_BYTES)
        throw badInput(
          `the metadata of the ONNX file is larger than ${MAX_METADATA_BYTES >> 20} MiB; export the policy with less metadata`,
        );
      metadata.set(...readPair(entry));
    }
  }
  if (graph === null) throw badInput('not an ONNX model: it has no graph');
  const nodes: OnnxNode[] = [];
  const initializers = new Map<string, OnnxTensor>();
  const inputs: OnnxValue[] = [];
  const outputs: OnnxValue[] = [];
  for (const [field, value] of fieldsOf(graph)) {
    if (field === 1) nodes.push(readNode(bytesOf(value), external));
    if (nodes.length > MAX_NODES || initializers.size > MAX_CONSTANTS || inputs.length + outputs.length > MAX_NODES)
      throw badInput(`the graph has more than ${MAX_NODES} nodes, constants or inputs, which is the limit`);
    if (field === 5) {
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
    // Older files list constants also among the inputs.
    inputs: inputs.filter(({ name }) => !initializers.has(name)),
    outputs,
    metadata,
  };
}

function readNode(message: Uint8Array, external: ExternalTensors): OnnxNode {
  const inputs: string[] = [];
  const outputs: string[] = [];
  const attributes = new Map<string, OnnxAttribute>();
  let name = '';
  let op = '';
  for (const [field, value] of fieldsOf(message)) {
    if (inputs.length + outputs.length + attributes.size > MAX_ATTRIBUTES)
      throw badInput(`a node has more than ${MAX_ATTRIBUTES} inputs, outputs and attributes`);
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

function readAttribute(message: Uint8Array, external: ExternalTensors): [string, OnnxAttribute] {
  let name = '';
  let attribute: OnnxAttribute = {};
  const ints: number[] = [];
  for (const [field, value] of fieldsOf(message)) {
    if (field === 1) name = textOf(value);
    else if (field === 2) attribute = { ...attribute, float: floatOf(value) };
    else if (field === 3) attribute = { ...attribute, int: intOf(value) };
    else if (field === 4) attribute = { ...attribute, text: textOf(value) };
    else if (field === 5) attribute = { ...attribute, tensor: readTensor(bytesOf(value), external).tensor };
    else if (field === 8) ints.push(...intsOf(value, MAX_INTS));
    if (ints.length > MAX_INTS) throw badInput(`an attribute lists more than ${MAX_INTS} numbers`);
  }
  return [name, ints.length > 0 ? { ...attribute, ints } : attribute];
}

/** Reads the name and shape of a value: ValueInfoProto → TypeProto → Tensor → shape. */
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
      if (shape.length === MAX_INTS) throw badInput(`"${name}" has more than ${MAX_INTS} dimensions`);
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

import { MessageWriter } from '../protobuf/write-message.ts';
import type { OnnxAttribute, OnnxModel, OnnxNode, OnnxTensor, OnnxValue } from './onnx-model.ts';

/** The opset version that rsl_rl exports. Runtimes have supported it since 2023. */
const OPSET = 18;
/** Version of the file format that belongs to each opset. Older runtimes refuse newer versions. */
const IR_VERSIONS: Readonly<Record<number, number>> = { 11: 6, 18: 8 };
const PRODUCER = 'motion-studio';
/** ONNX codes of element types. */
const FLOAT = 1;
const INT64 = 7;
const DOUBLE = 11;
const INT32 = 6;

export interface WriteOptions {
  /** inputs and outputs that are int64 instead of float32 */
  readonly int64?: readonly string[];
  /** opset version of the operators, default 18 */
  readonly opset?: 11 | 18;
}

/** Writes a model with its constants. Inputs and outputs are float32, except those named in `int64`.
 *  Field numbers are those of onnx.proto3. */
export function writeOnnx(model: OnnxModel, options: WriteOptions = {}): Uint8Array<ArrayBuffer> {
  const { int64 = [], opset = OPSET } = options;
  const graph = new MessageWriter().bytes(2, 'policy');
  for (const node of model.nodes) graph.bytes(1, nodeMessage(node));
  for (const [name, tensor] of model.initializers) graph.bytes(5, tensorMessage(name, tensor));
  const type = (name: string) => (int64.includes(name) ? INT64 : FLOAT);
  for (const value of model.inputs) graph.bytes(11, valueMessage(value, type(value.name)));
  for (const value of model.outputs) graph.bytes(12, valueMessage(value, type(value.name)));
  const message = new MessageWriter()
    .int(1, IR_VERSIONS[opset]!)
    .bytes(2, PRODUCER)
    .bytes(7, graph)
    .bytes(8, new MessageWriter().bytes(1, '').int(2, opset));
  for (const [key, value] of model.metadata) message.bytes(14, new MessageWriter().bytes(1, key).bytes(2, value));
  return message.done();
}

function nodeMessage({ name, op, inputs, outputs, attributes }: OnnxNode): MessageWriter {
  const node = new MessageWriter();
  for (const input of inputs) node.bytes(1, input);
  for (const output of outputs) node.bytes(2, output);
  node.bytes(3, name).bytes(4, op);
  for (const [key, attribute] of attributes) node.bytes(5, attributeMessage(key, attribute));
  return node;
}

/** Formats an attribute. Codes of attribute types: float 1, int 2, text 3, tensor 4, ints 7. */
function attributeMessage(name: string, { float, int, text, ints, tensor }: OnnxAttribute): MessageWriter {
  const attribute = new MessageWriter().bytes(1, name);
  if (float !== undefined) attribute.float(2, float).int(20, 1);
  else if (int !== undefined) attribute.int(3, int).int(20, 2);
  else if (text !== undefined) attribute.bytes(4, text).int(20, 3);
  else if (tensor !== undefined) attribute.bytes(5, tensorMessage('', tensor)).int(20, 4);
  else if (ints !== undefined) {
    for (const value of ints) attribute.int(8, value);
    attribute.int(20, 7);
  }
  return attribute;
}

function tensorMessage(name: string, { shape, data }: OnnxTensor): MessageWriter {
  const tensor = new MessageWriter();
  for (const size of shape) tensor.int(1, size);
  const type =
    data instanceof Float32Array
      ? FLOAT
      : data instanceof Float64Array
        ? DOUBLE
        : data instanceof Int32Array
          ? INT32
          : INT64;
  return tensor
    .int(2, type)
    .bytes(8, name)
    .bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

function valueMessage({ name, shape }: OnnxValue, type: number): MessageWriter {
  const dims = new MessageWriter();
  for (const size of shape)
    dims.bytes(1, typeof size === 'number' ? new MessageWriter().int(1, size) : new MessageWriter().bytes(2, size));
  const tensor = new MessageWriter().int(1, type).bytes(2, dims);
  return new MessageWriter().bytes(1, name).bytes(2, new MessageWriter().bytes(1, tensor));
}

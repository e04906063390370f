import type { OnnxModel, OnnxTensor } from '../../formats/onnx/onnx-model.ts';

const OPERATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Mul: (a, b) => a * b,
  Div: (a, b) => a / b,
};
const SAME = ['Identity', 'Cast', 'Squeeze', 'Unsqueeze'];

/** All values of the graph that no input reaches: its constants, and what simple operators make of them, such as
 *  the `std + ε` of a normaliser. Nodes are in the order of computation. */
export function constantsOf(model: OnnxModel): Map<string, OnnxTensor> {
  const constants = new Map(model.initializers);
  for (const { op, inputs, outputs } of model.nodes) {
    const [a, b] = inputs.map((name) => constants.get(name));
    const output = outputs[0];
    if (!a || output === undefined) continue;
    if (SAME.includes(op)) constants.set(output, a);
    else if (op === 'Transpose' && a.shape.length === 2) constants.set(output, transposed(a));
    else if (op === 'Sqrt') constants.set(output, { shape: a.shape, data: floatsOf(a).map(Math.sqrt) });
    else if (b && OPERATIONS[op]) {
      const folded = combine(a, b, OPERATIONS[op]);
      if (folded) constants.set(output, folded);
    }
  }
  return constants;
}

/** The numbers of a tensor as float32. */
export function floatsOf({ data }: OnnxTensor): Float32Array {
  if (data instanceof Float32Array) return data;
  return data instanceof BigInt64Array ? Float32Array.from(data, Number) : Float32Array.from(data);
}

function transposed(tensor: OnnxTensor): OnnxTensor {
  const [rows, columns] = tensor.shape as [number, number];
  const from = floatsOf(tensor);
  const data = Float32Array.from(from, (_, k) => from[(k % rows) * columns + Math.floor(k / rows)]!);
  return { shape: [columns, rows], data };
}

/** Equal sizes, or one of them a single number; null otherwise. */
function combine(a: OnnxTensor, b: OnnxTensor, operation: (a: number, b: number) => number): OnnxTensor | null {
  const [x, y] = [floatsOf(a), floatsOf(b)];
  if (x.length !== y.length && x.length !== 1 && y.length !== 1) return null;
  const larger = x.length >= y.length ? a : b;
  const data = Float32Array.from({ length: Math.max(x.length, y.length) }, (_, i) =>
    operation(x[x.length === 1 ? 0 : i]!, y[y.length === 1 ? 0 : i]!),
  );
  return { shape: larger.shape, data };
}

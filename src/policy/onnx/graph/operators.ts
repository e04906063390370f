import { badInput } from '../../../core/errors.ts';
import type { OnnxNode } from '../../../formats/onnx/onnx-model.ts';
import { axisIn, countOf, elementwise, type Tensor, zeros } from './tensor.ts';

/** Computes the only output of a node. An omitted input is undefined. */
export type Operator = (inputs: readonly (Tensor | undefined)[], node: OnnxNode) => Tensor;

const unary =
  (operation: (x: number) => number): Operator =>
  ([x]) => ({ shape: x!.shape, data: x!.data.map(operation) });
const binary =
  (operation: (x: number, y: number) => number): Operator =>
  (inputs) =>
    inputs.slice(1).reduce<Tensor>((left, right) => elementwise(left, right!, operation), inputs[0]!);

const alphaOf = ({ attributes }: OnnxNode, standard: number) => attributes.get('alpha')?.float ?? standard;

/** ONNX operators used by policies and by graphs with an embedded clip, as defined for opset 11 to 21 and float32. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  Identity: ([x]) => x!,
  Dropout: ([x]) => x!,
  Cast: ([x], { attributes }) => ([6, 7].includes(attributes.get('to')?.int ?? 1) ? mapped(x!, Math.trunc) : x!),
  Abs: unary(Math.abs),
  Neg: unary((x) => -x),
  Sqrt: unary(Math.sqrt),
  Exp: unary(Math.exp),
  Sign: unary(Math.sign),
  Floor: unary(Math.floor),
  Relu: unary((x) => Math.max(0, x)),
  Tanh: unary(Math.tanh),
  Sigmoid: unary((x) => 1 / (1 + Math.exp(-x))),
  Softplus: unary((x) => Math.log1p(Math.exp(-Math.abs(x))) + Math.max(0, x)),
  Elu: ([x], node) => mapped(x!, (v) => (v > 0 ? v : alphaOf(node, 1) * Math.expm1(v))),
  LeakyRelu: ([x], node) => mapped(x!, (v) => (v > 0 ? v : alphaOf(node, 0.01) * v)),
  Add: binary((x, y) => x + y),
  Sub: binary((x, y) => x - y),
  Mul: binary((x, y) => x * y),
  Div: binary((x, y) => x / y),
  Min: binary(Math.min),
  Max: binary(Math.max),
  Less: binary((x, y) => Number(x < y)),
  Greater: binary((x, y) => Number(x > y)),
  Equal: binary((x, y) => Number(x === y)),
  Where: ([condition, x, y]) => {
    const kept = elementwise(condition!, x!, (c, v) => (c === 0 ? 0 : v));
    return elementwise(
      kept,
      elementwise(condition!, y!, (c, v) => (c === 0 ? v : 0)),
      (p, q) => p + q,
    );
  },
  Clip: clip,
  Gemm: gemm,
  MatMul: ([a, b]) => product(a!, b!, false),
  Concat: concat,
  Gather: gather,
  GatherND: gatherNd,
  Slice: slice,
  Reshape: ([x, shape]) => reshape(x!, [...shape!.data]),
  Flatten: ([x], { attributes }) => {
    const axis = attributes.get('axis')?.int ?? 1;
    const rows = countOf(x!.shape.slice(0, axis));
    return { shape: [rows, x!.data.length / Math.max(1, rows)], data: x!.data };
  },
  Squeeze: ([x, axes], node) => {
    const asked = axes ? [...axes.data] : node.attributes.get('axes')?.ints;
    const gone = asked?.map((axis) => axisIn(x!.shape, axis));
    return reshape(
      x!,
      x!.shape.filter((size, axis) => (gone ? !gone.includes(axis) : size !== 1)),
    );
  },
  Unsqueeze: ([x, axes], node) => {
    const shape = [...x!.shape];
    for (const axis of axes ? [...axes.data] : (node.attributes.get('axes')?.ints ?? [])) shape.splice(axis, 0, 1);
    return reshape(x!, shape);
  },
  Transpose: transpose,
  ReduceSum: reduceSum,
  ArgMin: ([x], node) => best(x!, node, (a, b) => a < b),
  ArgMax: ([x], node) => best(x!, node, (a, b) => a > b),
};

function mapped({ shape, data }: Tensor, operation: (x: number) => number): Tensor {
  return { shape, data: data.map(operation) };
}

function clip([x, low, high]: readonly (Tensor | undefined)[], { attributes }: OnnxNode): Tensor {
  const least = low?.data[0] ?? attributes.get('min')?.float ?? Number.NEGATIVE_INFINITY;
  const most = high?.data[0] ?? attributes.get('max')?.float ?? Number.POSITIVE_INFINITY;
  return mapped(x!, (value) => Math.min(most, Math.max(least, value)));
}

function gemm([a, b, c]: readonly (Tensor | undefined)[], node: OnnxNode): Tensor {
  const { attributes } = node;
  const plain = (attributes.get('alpha')?.float ?? 1) === 1 && (attributes.get('beta')?.float ?? 1) === 1;
  if (!plain || (attributes.get('transA')?.int ?? 0) !== 0)
    throw badInput('Gemm: only alpha = 1, beta = 1 and transA = 0 are supported; export linear layers');
  const out = product(a!, b!, (attributes.get('transB')?.int ?? 0) === 1);
  return c ? elementwise(out, c, (x, y) => x + y) : out;
}

/** (rows, inner) · (inner, columns), or · (columns, inner)ᵀ. Sums in double precision. */
function product(a: Tensor, b: Tensor, transposed: boolean): Tensor {
  const inner = a.shape.at(-1) ?? 1;
  const [first, second] = b.shape as [number, number];
  const [depth, columns] = transposed ? [second, first] : [first, second];
  if (a.shape.length !== 2 || b.shape.length !== 2 || depth !== inner)
    throw badInput(`a product of ${a.shape.join(' × ')} and ${b.shape.join(' × ')} is not supported`);
  const rows = a.shape[0]!;
  const out = zeros([rows, columns]);
  const [x, w] = [a.data, b.data];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      let sum = 0;
      const from = row * inner;
      if (transposed) for (let k = 0, at = column * inner; k < inner; k += 1) sum += x[from + k]! * w[at + k]!;
      else for (let k = 0; k < inner; k += 1) sum += x[from + k]! * w[k * columns + column]!;
      out.data[row * columns + column] = sum;
    }
  return out;
}

function concat(inputs: readonly (Tensor | undefined)[], { attributes }: OnnxNode): Tensor {
  const parts = inputs as readonly Tensor[];
  const axis = axisIn(parts[0]!.shape, attributes.get('axis')?.int ?? 0);
  const shape = [...parts[0]!.shape];
  shape[axis] = parts.reduce((sum, part) => sum + part.shape[axis]!, 0);
  const out = zeros(shape);
  const blocks = countOf(shape.slice(0, axis));
  for (let block = 0, at = 0; block < blocks; block += 1)
    for (const { data } of parts) {
      const size = data.length / blocks;
      if (!Number.isInteger(size))
        throw badInput('Concat: the shapes of the inputs are incompatible; check the exported model');
      out.data.set(data.subarray(block * size, (block + 1) * size), at);
      at += size;
    }
  return out;
}

function gather([x, indices]: readonly (Tensor | undefined)[], { attributes }: OnnxNode): Tensor {
  const { shape, data } = x!;
  const axis = axisIn(shape, attributes.get('axis')?.int ?? 0);
  const size = shape[axis]!;
  const inner = countOf(shape.slice(axis + 1));
  const outer = countOf(shape.slice(0, axis));
  const out = zeros([...shape.slice(0, axis), ...indices!.shape, ...shape.slice(axis + 1)]);
  let at = 0;
  for (let block = 0; block < outer; block += 1)
    for (const index of indices!.data) {
      const place = index < 0 ? index + size : index;
      if (!(place >= 0 && place < size)) throw badInput(`Gather: index ${index} is outside of ${size} rows`);
      const from = (block * size + place) * inner;
      out.data.set(data.subarray(from, from + inner), at);
      at += inner;
    }
  return out;
}

/** Supports only indices of whole rows: the last dimension of the indices must be 1. */
function gatherNd(inputs: readonly (Tensor | undefined)[], node: OnnxNode): Tensor {
  const [x, indices] = inputs;
  if (indices!.shape.at(-1) !== 1) throw badInput('GatherND: only indices of rows are supported');
  return gather([x, { shape: indices!.shape.slice(0, -1), data: indices!.data }], {
    ...node,
    attributes: new Map([['axis', { int: 0 }]]),
  });
}

function slice([x, starts, ends, axes, steps]: readonly (Tensor | undefined)[]): Tensor {
  let value = x!;
  for (const [k, start] of [...(starts?.data ?? [])].entries()) {
    if ((steps?.data[k] ?? 1) !== 1) throw badInput('Slice: only steps of 1 are supported');
    const axis = axisIn(value.shape, axes?.data[k] ?? k);
    const size = value.shape[axis]!;
    const bound = (at: number) => Math.min(size, Math.max(0, at < 0 ? at + size : at));
    const [from, to] = [bound(start), bound(ends!.data[k]!)];
    const indices = Float32Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
    value = gather([value, { shape: [indices.length], data: indices }], axisNode(axis));
  }
  return value;
}

function axisNode(axis: number): OnnxNode {
  return { name: '', op: 'Gather', inputs: [], outputs: [], attributes: new Map([['axis', { int: axis }]]) };
}

function reshape(x: Tensor, asked: readonly number[]): Tensor {
  const known = asked.map((size, k) => (size === 0 ? (x.shape[k] ?? 0) : size));
  const rest = known.reduce((count, size) => (size === -1 ? count : count * size), 1);
  const shape = known.map((size) => (size === -1 ? x.data.length / Math.max(1, rest) : size));
  if (countOf(shape) !== x.data.length)
    throw badInput(`Reshape: ${x.shape.join(' × ')} does not fill ${asked.join(' × ')}`);
  return { shape, data: x.data };
}

function transpose([x]: readonly (Tensor | undefined)[], { attributes }: OnnxNode): Tensor {
  const { shape, data } = x!;
  const perm = attributes.get('perm')?.ints ?? shape.map((_, k) => shape.length - 1 - k);
  if (shape.length !== 2 || perm.join() !== '1,0') throw badInput('Transpose: only matrices are supported');
  const [rows, columns] = shape as [number, number];
  const out = data.map((_, k) => data[(k % rows) * columns + Math.floor(k / rows)]!);
  return { shape: [columns, rows], data: out };
}

/** Splits a shape at an axis: element (o, k, i) is at (o · size + k) · inner + i. */
function around(shape: readonly number[], axis: number): { outer: number; size: number; inner: number } {
  return { outer: countOf(shape.slice(0, axis)), size: shape[axis] ?? 1, inner: countOf(shape.slice(axis + 1)) };
}

function withoutAxis(shape: readonly number[], axis: number, { attributes }: OnnxNode): number[] {
  const keep = (attributes.get('keepdims')?.int ?? 1) === 1;
  return shape.flatMap((size, k) => (k !== axis ? [size] : keep ? [1] : []));
}

function reduceSum([x, axes]: readonly (Tensor | undefined)[], node: OnnxNode): Tensor {
  const asked = axes ? [...axes.data] : (node.attributes.get('axes')?.ints ?? x!.shape.map((_, axis) => axis));
  const order = asked.map((axis) => axisIn(x!.shape, axis)).sort((a, b) => b - a);
  return order.reduce<Tensor>((value, axis) => {
    const { outer, size, inner } = around(value.shape, axis);
    const out = zeros(withoutAxis(value.shape, axis, node));
    for (let o = 0; o < outer; o += 1)
      for (let i = 0; i < inner; i += 1) {
        let sum = 0;
        for (let k = 0; k < size; k += 1) sum += value.data[(o * size + k) * inner + i]!;
        out.data[o * inner + i] = sum;
      }
    return out;
  }, x!);
}

/** Returns the index of the best element along an axis, the first of equal ones. */
function best(x: Tensor, node: OnnxNode, isBetter: (a: number, b: number) => boolean): Tensor {
  const axis = axisIn(x.shape, node.attributes.get('axis')?.int ?? 0);
  const { outer, size, inner } = around(x.shape, axis);
  const out = zeros(withoutAxis(x.shape, axis, node));
  for (let o = 0; o < outer; o += 1)
    for (let i = 0; i < inner; i += 1) {
      let found = 0;
      for (let k = 1; k < size; k += 1)
        if (isBetter(x.data[(o * size + k) * inner + i]!, x.data[(o * size + found) * inner + i]!)) found = k;
      out.data[o * inner + i] = found;
    }
  return out;
}

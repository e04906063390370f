import { badInput } from '../../core/errors.ts';
import { elementsOf, type OnnxModel, type OnnxNode, type OnnxTensor } from '../../formats/onnx/onnx-model.ts';

const OPERATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Mul: (a, b) => a * b,
  Div: (a, b) => a / b,
};
const SAME = ['Identity', 'Cast', 'Squeeze', 'Unsqueeze'];
/** Maximum number of nodes between a constant and its use. Exporters write two or three. */
const MAX_DEPTH = 32;
/** Limit of all computed constants of a model, bytes. */
const MAX_BYTES = 128 << 20;

/** The values of a graph that do not depend on an input: its constants, and the results of simple operators on
 *  constants, such as `std + ε` of a normaliser. Each value is computed on first use, because a model may contain
 *  unused ones. */
export class Constants {
  readonly #initializers: ReadonlyMap<string, OnnxTensor>;
  readonly #producers = new Map<string, OnnxNode>();
  /** computed values; null if a value is not constant, or while it is being computed */
  readonly #computed = new Map<string, OnnxTensor | null>();
  #bytes = 0;

  constructor({ initializers, nodes }: OnnxModel) {
    this.#initializers = initializers;
    for (const node of nodes) if (node.outputs[0] !== undefined) this.#producers.set(node.outputs[0], node);
  }

  /** Returns the value of a name; undefined if it depends on an input.
   *  @throws StudioError bad_input if the computation needs too many steps or too much memory */
  get(name: string): OnnxTensor | undefined {
    return this.#get(name, 0);
  }

  #get(name: string, depth: number): OnnxTensor | undefined {
    const initializer = this.#initializers.get(name);
    if (initializer) return initializer;
    const known = this.#computed.get(name);
    if (known !== undefined) return known ?? undefined;
    // Set before the computation, so that a value that depends on itself is treated as not constant.
    this.#computed.set(name, null);
    const node = this.#producers.get(name);
    const value = node ? this.#compute(node, depth) : null;
    this.#computed.set(name, value);
    return value ?? undefined;
  }

  #compute({ op, inputs }: OnnxNode, depth: number): OnnxTensor | null {
    const [first, second] = inputs;
    const operation = Object.hasOwn(OPERATIONS, op) ? OPERATIONS[op] : undefined;
    if (first === undefined || !(SAME.includes(op) || op === 'Transpose' || op === 'Sqrt' || operation)) return null;
    if (depth === MAX_DEPTH)
      throw badInput(
        `the ONNX model computes a constant in more than ${MAX_DEPTH} steps: simplify it, then export again`,
      );
    const a = this.#get(first, depth + 1);
    if (!a) return null;
    if (SAME.includes(op)) return a;
    if (op === 'Transpose') return a.shape.length === 2 ? transposed(this.#taken(a)) : null;
    if (op === 'Sqrt') return { shape: a.shape, data: floatsOf(this.#taken(a)).map(Math.sqrt) };
    const b = second === undefined ? undefined : this.#get(second, depth + 1);
    if (!b || !operation) return null;
    const [x, y] = [elementsOf(a), elementsOf(b)];
    if (x !== y && x !== 1 && y !== 1) return null;
    this.#taken(x >= y ? a : b);
    return combine(a, b, operation);
  }

  /** Adds the size of a value with the shape of `tensor` to the memory of the computed constants. */
  #taken(tensor: OnnxTensor): OnnxTensor {
    this.#bytes += 4 * elementsOf(tensor);
    if (this.#bytes > MAX_BYTES)
      throw badInput(
        `the ONNX model computes constants of more than ${MAX_BYTES >> 20} MiB, more than any policy needs`,
      );
    return tensor;
  }
}

/** Returns the values of a tensor as float32. */
export function floatsOf({ data }: Pick<OnnxTensor, 'data'>): Float32Array {
  if (data instanceof Float32Array) return data;
  return data instanceof BigInt64Array ? Float32Array.from(data, Number) : Float32Array.from(data);
}

function transposed(tensor: OnnxTensor): OnnxTensor {
  const [rows, columns] = tensor.shape as [number, number];
  const from = floatsOf(tensor);
  const data = Float32Array.from(from, (_, k) => from[(k % rows) * columns + Math.floor(k / rows)]!);
  return { shape: [columns, rows], data };
}

/** Combines two tensors element by element. @param b of the same length as `a`, or one of both is a single number */
function combine(a: OnnxTensor, b: OnnxTensor, operation: (a: number, b: number) => number): OnnxTensor {
  const [x, y] = [floatsOf(a), floatsOf(b)];
  const larger = x.length >= y.length ? a : b;
  const data = Float32Array.from({ length: Math.max(x.length, y.length) }, (_, i) =>
    operation(x[x.length === 1 ? 0 : i]!, y[y.length === 1 ? 0 : i]!),
  );
  return { shape: larger.shape, data };
}

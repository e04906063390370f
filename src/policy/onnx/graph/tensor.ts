import { badInput } from '../../../core/errors.ts';

/** A value of a graph, row-major. Integers and truth values are stored as numbers. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** Limit of one value, elements: a clip of twenty minutes with 30 bodies. */
const MAX_ELEMENTS = 1 << 24;

/** Returns the number of elements of a shape. @throws StudioError bad_input beyond 16 Mi */
export function countOf(shape: readonly number[]): number {
  const count = shape.reduce((product, size) => product * size, 1);
  if (!(count <= MAX_ELEMENTS) || shape.some((size) => !Number.isInteger(size) || size < 0))
    throw badInput(`a value of shape ${shape.join(' × ')} is larger than any policy needs`);
  return count;
}

/** Creates a tensor of zeros. */
export function zeros(shape: readonly number[]): Tensor & { readonly data: Float32Array } {
  return { shape, data: new Float32Array(countOf(shape)) };
}

/** Applies an operation element by element with numpy's broadcasting.
 *  @throws StudioError bad_input for shapes that do not fit together */
export function elementwise(a: Tensor, b: Tensor, operation: (x: number, y: number) => number): Tensor {
  const shape = broadcastShape(a.shape, b.shape);
  const out = zeros(shape);
  const [x, y] = [a.data, b.data];
  if (x.length === out.data.length && isRepeated(b.shape, shape)) {
    const period = y.length;
    for (let i = 0, k = 0; i < x.length; i += 1) {
      out.data[i] = operation(x[i]!, y[k]!);
      k = k + 1 === period ? 0 : k + 1;
    }
    return out;
  }
  const [xs, ys] = [stridesIn(a.shape, shape), stridesIn(b.shape, shape)];
  const place = new Array<number>(shape.length).fill(0);
  for (let i = 0, p = 0, q = 0; i < out.data.length; i += 1) {
    out.data[i] = operation(x[p]!, y[q]!);
    for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
      place[axis]! += 1;
      p += xs[axis]!;
      q += ys[axis]!;
      if (place[axis]! < shape[axis]!) break;
      p -= xs[axis]! * shape[axis]!;
      q -= ys[axis]! * shape[axis]!;
      place[axis] = 0;
    }
  }
  return out;
}

/** Returns whether repeating the whole data of a value of `shape` fills `out`. */
function isRepeated(shape: readonly number[], out: readonly number[]): boolean {
  const first = shape.findIndex((size) => size !== 1);
  const own = first < 0 ? [] : shape.slice(first);
  return own.every((size, k) => size === out[out.length - own.length + k]);
}

/** Returns the shape of a result with numpy's broadcasting. */
function broadcastShape(a: readonly number[], b: readonly number[]): number[] {
  const length = Math.max(a.length, b.length);
  return Array.from({ length }, (_, k) => {
    const [x, y] = [a[k - length + a.length] ?? 1, b[k - length + b.length] ?? 1];
    if (x !== y && x !== 1 && y !== 1)
      throw badInput(`shapes ${a.join(' × ')} and ${b.join(' × ')} are incompatible; check the exported model`);
    return x === 1 ? y : x;
  });
}

/** Returns the step in the data for each axis of `out`; 0 for an axis that is repeated. */
function stridesIn(shape: readonly number[], out: readonly number[]): number[] {
  const strides = new Array<number>(out.length).fill(0);
  for (let axis = shape.length - 1, step = 1; axis >= 0; axis -= 1) {
    if (shape[axis] !== 1) strides[axis + out.length - shape.length] = step;
    step *= shape[axis]!;
  }
  return strides;
}

/** Returns an axis from 0. @throws StudioError bad_input for an axis that does not exist */
export function axisIn(shape: readonly number[], axis: number): number {
  const at = axis < 0 ? axis + shape.length : axis;
  if (!Number.isInteger(at) || at < 0 || at >= Math.max(1, shape.length))
    throw badInput(`axis ${axis} does not exist in the shape ${shape.join(' × ')}`);
  return at;
}

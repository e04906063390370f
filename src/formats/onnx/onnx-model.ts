/** The parts of an ONNX model that policy networks use. */
export interface OnnxModel {
  readonly nodes: readonly OnnxNode[];
  /** constants by name */
  readonly initializers: ReadonlyMap<string, OnnxTensor>;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly metadata: ReadonlyMap<string, string>;
}

export interface OnnxNode {
  readonly name: string;
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, OnnxAttribute>;
}

export interface OnnxAttribute {
  readonly float?: number;
  readonly int?: number;
  readonly text?: string;
  readonly ints?: readonly number[];
  readonly tensor?: OnnxTensor;
}

/** A tensor in row-major order. int64 values that are read as floats are rounded to float32. */
export interface OnnxTensor {
  readonly shape: readonly number[];
  /** Values of the tensor. For a model from a file, each access reads the values again into a new array. */
  readonly data: Float32Array | Float64Array | BigInt64Array | Int32Array;
}

/** An input or output. A variable dimension is a name or −1. */
export interface OnnxValue {
  readonly name: string;
  readonly shape: readonly (number | string)[];
}

/** Counts the elements of a tensor. */
export function elementsOf({ shape }: Pick<OnnxTensor, 'shape'>): number {
  return shape.reduce((product, size) => product * size, 1);
}

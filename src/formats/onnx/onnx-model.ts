/** The part of an ONNX model that networks of policies are made of. */
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

/** Numbers in row-major order; whole ones of int64 are rounded to what float32 holds where they are read as floats. */
export interface OnnxTensor {
  readonly shape: readonly number[];
  /** Of a model that was read from a file: read anew, with memory of its own, each time. The shape tells the size before. */
  readonly data: Float32Array | Float64Array | BigInt64Array | Int32Array;
}

/** An input or output. A dimension that is free has a name or −1. */
export interface OnnxValue {
  readonly name: string;
  readonly shape: readonly (number | string)[];
}

/** How many numbers a tensor holds. */
export function elementsOf({ shape }: Pick<OnnxTensor, 'shape'>): number {
  return shape.reduce((product, size) => product * size, 1);
}

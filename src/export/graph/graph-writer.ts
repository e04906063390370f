import type { OnnxAttribute, OnnxNode, OnnxTensor } from '../../formats/onnx/onnx-model.ts';

/** Collects the nodes and constants of a graph. Each node has the name of its output. */
export class GraphWriter {
  readonly nodes: OnnxNode[] = [];
  readonly constants = new Map<string, OnnxTensor>();

  node(
    op: string,
    inputs: readonly string[],
    output: string,
    attributes: Readonly<Record<string, OnnxAttribute>> = {},
  ): void {
    this.nodes.push({ name: output, op, inputs, outputs: [output], attributes: new Map(Object.entries(attributes)) });
  }

  /** Adds a float32 constant. */
  constant(name: string, shape: readonly number[], values: readonly number[]): void {
    this.constants.set(name, { shape, data: Float32Array.from(values) });
  }

  /** Adds a constant of integer indices. */
  indices(name: string, values: readonly number[]): void {
    this.constants.set(name, { shape: [values.length], data: BigInt64Array.from(values, BigInt) });
  }

  /** Selects columns of a value of shape (1, n). */
  pick(from: string, output: string, columns: readonly number[]): void {
    this.indices(`${output}.columns`, columns);
    this.node('Gather', [from, `${output}.columns`], output, { axis: { int: 1 } });
  }
}

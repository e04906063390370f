import type { OnnxAttribute, OnnxNode, OnnxTensor } from '../../formats/onnx/onnx-model.ts';

/** Collects nodes and constants of a graph. The name of a node is that of its output. */
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

  /** Adds a constant of float32. */
  constant(name: string, shape: readonly number[], values: readonly number[]): void {
    this.constants.set(name, { shape, data: Float32Array.from(values) });
  }

  /** Adds a constant of indices. */
  indices(name: string, values: readonly number[]): void {
    this.constants.set(name, { shape: [values.length], data: BigInt64Array.from(values, BigInt) });
  }

  /** Picks columns of a value (1, n). */
  pick(from: string, output: string, columns: readonly number[]): void {
    this.indices(`${output}.columns`, columns);
    this.node('Gather', [from, `${output}.columns`], output, { axis: { int: 1 } });
  }
}

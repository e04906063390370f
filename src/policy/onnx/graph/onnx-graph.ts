import { badInput, StudioError } from '../../../core/errors.ts';
import type { OnnxModel, OnnxNode } from '../../../formats/onnx/onnx-model.ts';
import { floatsOf } from '../fold-constants.ts';
import { OPERATORS } from './operators.ts';
import type { Tensor } from './tensor.ts';

/** Evaluates the graph of a policy file node by node, as a robot's runtime does. It also evaluates graphs that are not
 *  a plain network, such as one with an embedded clip. Use `createPolicy` where speed matters. */
export class OnnxGraph {
  readonly #outputs: readonly string[];
  /** nodes that depend on an input, in the order of computation */
  readonly #nodes: readonly OnnxNode[];
  /** constants and values that depend only on constants */
  readonly #constants = new Map<string, Tensor>();

  /** @param outputs names of the values to compute
   *  @throws StudioError bad_input for an output that does not exist or an operator that is not supported */
  constructor(model: OnnxModel, outputs: readonly string[]) {
    this.#outputs = outputs;
    const inputs = new Set(model.inputs.map(({ name }) => name));
    const variable: OnnxNode[] = [];
    for (const node of needed(model, outputs)) {
      const given = node.inputs.filter((name) => name !== '');
      for (const name of given) this.#load(model, name);
      const isConstant = given.every((name) => this.#constants.has(name));
      if (isConstant) this.#constants.set(node.outputs[0]!, compute(node, this.#constants));
      else variable.push(node);
    }
    for (const name of outputs) this.#load(model, name);
    const known = (name: string) =>
      inputs.has(name) || this.#constants.has(name) || variable.some((node) => node.outputs[0] === name);
    const lost = outputs.find((name) => !known(name));
    if (lost !== undefined) throw badInput(`the ONNX model has no output "${lost}"`);
    this.#nodes = variable;
  }

  /** Computes the outputs. @param inputs values by name
   *  @throws StudioError bad_input naming the node that cannot be computed */
  run(inputs: Readonly<Record<string, Tensor>>): Record<string, Tensor> {
    const values = new Map([...this.#constants, ...Object.entries(inputs)]);
    for (const node of this.#nodes) values.set(node.outputs[0]!, compute(node, values));
    return Object.fromEntries(this.#outputs.map((name) => [name, values.get(name)!]));
  }

  #load({ initializers }: OnnxModel, name: string): void {
    const tensor = initializers.get(name);
    if (tensor && !this.#constants.has(name))
      this.#constants.set(name, { shape: tensor.shape, data: floatsOf(tensor) });
  }
}

/** Returns the nodes that the outputs need, each after those that it needs. */
function needed(model: OnnxModel, outputs: readonly string[]): OnnxNode[] {
  const producers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const order: OnnxNode[] = [];
  const seen = new Map<OnnxNode, 'open' | 'done'>();
  // Use a separate stack, because the graph of a hostile file is deeper than the call stack allows.
  const stack = outputs.flatMap((name) => producers.get(name) ?? []);
  while (stack.length > 0) {
    const node = stack.at(-1)!;
    const before = node.inputs
      .flatMap((name) => producers.get(name) ?? [])
      .filter((other) => seen.get(other) !== 'done');
    if (seen.get(node) === 'done' || before.length === 0) {
      stack.pop();
      if (seen.get(node) !== 'done') order.push(node);
      seen.set(node, 'done');
      continue;
    }
    if (seen.get(node) === 'open') throw badInput('the ONNX model has a cycle');
    seen.set(node, 'open');
    stack.push(...before.filter((other) => other !== node));
    if (before.includes(node)) throw badInput('the ONNX model has a cycle');
  }
  return order;
}

function compute(node: OnnxNode, values: ReadonlyMap<string, Tensor>): Tensor {
  const operator = Object.hasOwn(OPERATORS, node.op) ? OPERATORS[node.op] : undefined;
  if (!operator) throw badInput(`the ONNX model has ${node.op}, which the service cannot evaluate`);
  const inputs = node.inputs.map((name) => {
    if (name === '') return undefined;
    const value = values.get(name);
    if (!value) throw badInput(`${node.op} "${node.name}" of the ONNX model needs "${name}", which is not computed`);
    return value;
  });
  if (!inputs[0]) throw badInput(`${node.op} "${node.name}" of the ONNX model has no input`);
  try {
    return operator(inputs, node);
  } catch (error) {
    if (error instanceof StudioError)
      throw new StudioError(error.code, `${node.op} "${node.name}" of the ONNX model: ${error.message}`, {
        cause: error,
      });
    // An input that the operator needs is missing: the file is damaged.
    if (error instanceof TypeError)
      throw new StudioError('bad_input', `${node.op} "${node.name}" of the ONNX model lacks an input`, {
        cause: error,
      });
    throw error;
  }
}

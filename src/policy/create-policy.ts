import { checkWeights } from './check-weights.ts';
import { ACTIVATION, KernelMemory, type Kernels, type Pointer, padded } from './kernels/kernels.ts';
import type { Policy, PolicyWeights } from './policy.ts';

/** Number of rows computed together. Their activations fit into the second-level cache. A multiple of the kernel's 6
 *  rows. */
const CHUNK = 96;

interface PlacedLayer {
  readonly inputs: number;
  readonly outputs: number;
  readonly weight: Pointer;
  readonly bias: Pointer;
}

/** Creates a policy with kernels in their own memory, which is freed with the policy.
 *  @param maxBatch maximum rows per call; memory for activations is allocated for min(maxBatch, 96) rows
 *  @throws StudioError bad_input for weights that do not fit together or are not finite */
export function createPolicy(weights: PolicyWeights, maxBatch: number): Policy {
  checkWeights(weights);
  const { layers, normalizer } = weights;
  const inputs = layers[0]!.inputs;
  const outputs = layers.at(-1)!.outputs;
  const chunk = Math.min(maxBatch, CHUNK);
  const memory = new KernelMemory();
  const placed: PlacedLayer[] = layers.map((layer) => ({
    inputs: layer.inputs,
    outputs: layer.outputs,
    weight: memory.take(layer.inputs * padded(layer.outputs)),
    bias: memory.take(padded(layer.outputs)),
  }));
  const mean = memory.take(inputs);
  const std = memory.take(inputs);
  const staged = memory.take(chunk * inputs);
  const widest = Math.max(padded(inputs), ...layers.map((layer) => padded(layer.outputs)));
  const blocks: Blocks = [memory.take(chunk * widest), memory.take(chunk * widest)];
  const unpacked = memory.take(Math.max(...layers.map((layer) => layer.inputs * layer.outputs)));
  const kernels = memory.open();

  for (const [index, layer] of layers.entries()) {
    const at = placed[index]!;
    memory.view(unpacked, layer.weight.length).set(layer.weight);
    // The matrix B (inputs, outputs) is the transposed weight.
    kernels.packB(layer.inputs, layer.outputs, unpacked, 4, layer.inputs * 4, at.weight);
    memory.view(at.bias, layer.outputs).set(layer.bias);
  }
  memory.view(mean, inputs).set(normalizer?.mean ?? new Float32Array(inputs));
  memory.view(std, inputs).set(normalizer ? normalizer.std.map((value) => value + normalizer.epsilon) : ones(inputs));

  const staging = memory.view(staged, chunk * inputs);
  const last = memory.view(blocks[layers.length % 2]!, chunk * widest);
  const rowFloats = padded(outputs);
  return {
    inputs,
    outputs,
    evaluate(observations, out, n) {
      for (let first = 0; first < n; first += chunk) {
        const rows = Math.min(chunk, n - first);
        staging.set(observations.subarray(first * inputs, (first + rows) * inputs));
        kernels.normalise(rows, inputs, staged, mean, std, blocks[0], padded(inputs) * 4);
        forward(kernels, placed, ACTIVATION[weights.activation], rows, blocks);
        for (let row = 0; row < rows; row += 1) {
          const to = (first + row) * outputs;
          for (let i = 0; i < outputs; i += 1) out[to + i] = last[row * rowFloats + i]!;
        }
      }
    },
  };
}

/** Two blocks of activations. Layers alternately read from one and write to the other. */
type Blocks = readonly [Pointer, Pointer];

/** Computes the layers. The input must be in the first block. */
function forward(
  kernels: Kernels,
  layers: readonly PlacedLayer[],
  activation: number,
  rows: number,
  blocks: Blocks,
): void {
  let [from, to] = blocks;
  for (let index = 0; index < layers.length; index += 1) {
    const { inputs, outputs, weight, bias } = layers[index]!;
    const width = padded(outputs);
    kernels.gemm(rows, width, inputs, from, padded(inputs) * 4, weight, bias, to, width * 4);
    if (index < layers.length - 1) kernels.activate(activation, rows * width, to);
    [from, to] = [to, from];
  }
}

function ones(length: number): Float32Array {
  return new Float32Array(length).fill(1);
}

import type { PolicyWeights } from './policy.ts';

/** The same network for observations and actions in another order: nothing is moved when it computes.
 *  @param inputs for each new input, which of the old it is  @param outputs likewise */
export function permutePolicy(
  { layers, normalizer, activation }: PolicyWeights,
  inputs: readonly number[],
  outputs: readonly number[],
): PolicyWeights {
  const permuted = layers.map((layer, index) => {
    const columns = index === 0 ? inputs : null;
    const rows = index === layers.length - 1 ? outputs : null;
    if (!columns && !rows) return layer;
    const weight = new Float32Array(layer.weight.length);
    for (let row = 0; row < layer.outputs; row += 1)
      for (let column = 0; column < layer.inputs; column += 1)
        weight[row * layer.inputs + column] =
          layer.weight[(rows?.[row] ?? row) * layer.inputs + (columns?.[column] ?? column)]!;
    return { ...layer, weight, bias: layer.bias.map((_, row) => layer.bias[rows?.[row] ?? row]!) };
  });
  const picked = (values: Float32Array) => Float32Array.from(inputs, (old) => values[old]!);
  return {
    layers: permuted,
    activation,
    normalizer: normalizer && { ...normalizer, mean: picked(normalizer.mean), std: picked(normalizer.std) },
  };
}

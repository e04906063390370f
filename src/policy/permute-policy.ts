import type { PolicyWeights } from './policy.ts';

/** Permutes the weights of a network for another order of observations and actions.
 *  @param inputs for each new input, the index of the old input  @param outputs the same for outputs */
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

export type Activation = 'elu' | 'relu' | 'tanh' | 'silu';

/** A fully connected layer: y = W x + b. */
export interface DenseLayer {
  readonly inputs: number;
  readonly outputs: number;
  /** (outputs, inputs) row-major */
  readonly weight: Float32Array;
  /** (outputs) */
  readonly bias: Float32Array;
}

/** The network of a policy as plain data: crosses threads. The activation is applied between layers, not after the last. */
export interface PolicyWeights {
  /** (inputs) subtracted, then divided by `std + epsilon`; null: raw observations go in */
  readonly normalizer: { readonly mean: Float32Array; readonly std: Float32Array; readonly epsilon: number } | null;
  readonly layers: readonly DenseLayer[];
  readonly activation: Activation;
}

/** A network that computes actions, synchronously and in batches. */
export interface Policy {
  readonly inputs: number;
  readonly outputs: number;
  /** Computes the mean actions of `n` observations. The result of a row does not depend on other rows, bit for bit.
   *  @param observations (n, inputs) @param out (n, outputs) */
  evaluate(observations: Float32Array, out: Float32Array, n: number): void;
}

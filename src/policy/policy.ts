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

/** The network of a policy as plain data, so that it can be sent to other threads. The activation is applied between
 *  layers, not after the last one. */
export interface PolicyWeights {
  /** (inputs) `mean` is subtracted, then the result is divided by `std + epsilon`; null: observations are not
   *  normalised */
  readonly normalizer: { readonly mean: Float32Array; readonly std: Float32Array; readonly epsilon: number } | null;
  readonly layers: readonly DenseLayer[];
  readonly activation: Activation;
}

/** A network that computes actions synchronously and in batches. */
export interface Policy {
  readonly inputs: number;
  readonly outputs: number;
  /** Computes the mean actions of `n` observations. The result of a row is bit-identical whatever the other rows are.
   *  @param observations (n, inputs) @param out (n, outputs) */
  evaluate(observations: Float32Array, out: Float32Array, n: number): void;
}

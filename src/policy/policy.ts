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

/** A policy's network as plain data: crosses threads. Between layers the activation, after the last none. */
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
  /** The mean action of `n` observations. A row's result does not depend on the rows beside it, bit for bit.
   *  @param observations (n, inputs) @param out (n, outputs) */
  evaluate(observations: Float32Array, out: Float32Array, n: number): void;
}

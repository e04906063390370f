import type { LossGradients, LossRows, NetworkOutputs } from './ppo-loss.ts';

/** Labels of the rows of a minibatch. */
export interface Labels {
  /** (rows, A) */
  readonly actions: Float32Array;
  /** (rows) 1 for a row with a label */
  readonly given: Uint8Array;
}

/** Replaces the gradients of the policy by those of imitation: the mean over all rows of Σ (μ − a)² / 2σ², the negative
 *  log-likelihood of the labels a. The gradient of an unlabelled row is 0. The standard deviations keep their values.
 *  @param total rows of the whole minibatch, over which the mean is taken  @param out `means` and `std` are
 *  overwritten */
export function imitationLoss(
  { rows, actionDim: dim }: Pick<LossRows, 'rows' | 'actionDim'>,
  { actions, given }: Labels,
  { means, std }: Pick<NetworkOutputs, 'means' | 'std'>,
  total: number,
  out: Pick<LossGradients, 'means' | 'std'>,
): void {
  out.std.fill(0);
  out.means.fill(0, 0, rows * dim);
  for (let row = 0; row < rows; row++) {
    if (given[row] === 0) continue;
    for (let j = 0; j < dim; j++) {
      const at = row * dim + j;
      out.means[at] = (means[at]! - actions[at]!) / (std[j]! * std[j]! * total);
    }
  }
}

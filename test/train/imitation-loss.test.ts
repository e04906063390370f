import { expect, test } from 'vitest';
import { imitationLoss } from '../../src/train/ppo/imitation-loss.ts';
import { logNormaliser, logProbability } from '../../src/train/ppo/ppo-loss.ts';

test('the gradient of the imitation loss is that of the log-likelihood of the labels, only for labelled rows', () => {
  const [rows, dim] = [3, 2];
  const means = Float32Array.of(0.1, -0.2, 0.3, 0.4, -0.5, 0.6);
  const actions = Float32Array.of(0.5, 0.1, 9, 9, -0.4, 0.2);
  const std = Float32Array.of(0.4, 0.7);
  const out = { means: new Float32Array(rows * dim).fill(7), std: new Float32Array(dim).fill(7) };
  imitationLoss({ rows, actionDim: dim }, { actions, given: Uint8Array.of(1, 0, 1) }, { means, std }, rows, out);
  const loss = (changed: Float32Array) => {
    const normaliser = logNormaliser(std);
    return -[0, 2].reduce((sum, row) => sum + logProbability(actions, changed, std, normaliser, row * dim), 0) / rows;
  };
  const step = 1e-2;
  for (let k = 0; k < rows * dim; k++) {
    const at = (change: number) => loss(means.map((mean, i) => (i === k ? mean + change : mean)));
    expect(out.means[k]).toBeCloseTo((at(step) - at(-step)) / (2 * step), 3);
  }
  expect([...out.means.subarray(2, 4)]).toEqual([0, 0]);
  expect([...out.std]).toEqual([0, 0]);
});

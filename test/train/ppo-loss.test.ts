import { expect, test } from 'vitest';
import type { PpoConfig } from '../../src/mdp/task-config.ts';
import {
  adaptedRate,
  addEntropyGradient,
  entropyOf,
  type LossRows,
  logNormaliser,
  logProbability,
  ppoLoss,
} from '../../src/train/ppo/ppo-loss.ts';

const config: PpoConfig = {
  learning_rate: 1e-3,
  schedule: 'adaptive',
  desired_kl: 0.02,
  gamma: 0.99,
  lam: 0.95,
  clip_param: 0.2,
  entropy_coef: 0.005,
  value_loss_coef: 1,
  use_clipped_value_loss: true,
  num_learning_epochs: 5,
  num_mini_batches: 4,
  max_grad_norm: 1,
};

/** Noise that is the same in every run. */
function noise(length: number, scale: number, seed: number): Float32Array {
  return Float32Array.from({ length }, (_, k) => scale * Math.sin(12.9898 * (k + 1) * (seed + 1)));
}

const rows = 9;
const dim = 3;
const oldMeans = noise(rows * dim, 0.5, 1);
const oldStd = Float32Array.of(0.4, 0.6, 0.9);
const actions = oldMeans.map((mean, k) => mean + noise(rows * dim, 0.7, 2)[k]!);
const batch: LossRows = {
  rows,
  actionDim: dim,
  actions,
  oldMeans,
  oldStd,
  oldLogProb: Float32Array.from({ length: rows }, (_, row) =>
    logProbability(actions, oldMeans, oldStd, logNormaliser(oldStd), row * dim),
  ),
  advantages: noise(rows, 1.3, 3),
  returns: noise(rows, 2, 4),
  oldValues: noise(rows, 1, 5),
};
const means = oldMeans.map((mean, k) => mean + noise(rows * dim, 0.15, 6)[k]!);
const std = Float32Array.of(0.45, 0.55, 0.8);
const values = batch.oldValues.map((value, k) => value + noise(rows, 0.4, 7)[k]!);

function loss(m: Float32Array, s: Float32Array, v: Float32Array): number {
  const out = { means: new Float32Array(rows * dim), std: new Float32Array(dim), values: new Float32Array(rows) };
  const sums = ppoLoss(batch, { means: m, std: s, values: v }, config, rows, out);
  return sums.surrogate / rows + sums.value / rows - config.entropy_coef * entropyOf(s);
}

test('the gradients of the PPO loss agree with finite differences', () => {
  const out = { means: new Float32Array(rows * dim), std: new Float32Array(dim), values: new Float32Array(rows) };
  ppoLoss(batch, { means, std, values }, config, rows, out);
  addEntropyGradient(out.std, std, config.entropy_coef);
  const slope = (array: Float32Array, k: number, at: (moved: Float32Array) => number) => {
    const h = 1e-3;
    const [up, down] = [array.slice(), array.slice()];
    up[k]! += h;
    down[k]! -= h;
    return (at(up) - at(down)) / (up[k]! - down[k]!);
  };
  for (let k = 0; k < rows * dim; k++) {
    expect(out.means[k]).toBeCloseTo(
      slope(means, k, (m) => loss(m, std, values)),
      3,
    );
  }
  for (let j = 0; j < dim; j++)
    expect(out.std[j]).toBeCloseTo(
      slope(std, j, (s) => loss(means, s, values)),
      2,
    );
  for (let row = 0; row < rows; row++) {
    expect(out.values[row]).toBeCloseTo(
      slope(values, row, (v) => loss(means, std, v)),
      3,
    );
  }
});

test('for the policy that collected the data the ratio is 1, the divergence 0, and the gradient the plain policy gradient', () => {
  const out = { means: new Float32Array(rows * dim), std: new Float32Array(dim), values: new Float32Array(rows) };
  const sums = ppoLoss(batch, { means: oldMeans, std: oldStd, values: batch.oldValues }, config, rows, out);
  expect(sums.kl).toBeCloseTo(0, 5);
  expect(sums.surrogate).toBeCloseTo(-batch.advantages.reduce((a, b) => a + b), 5);
  expect(out.means[0]).toBeCloseTo((-batch.advantages[0]! * (actions[0]! - oldMeans[0]!)) / oldStd[0]! ** 2 / rows, 5);
});

test('an action whose probability ratio exceeds the clip bound adds no gradient', () => {
  const one: LossRows = {
    rows: 1,
    actionDim: 1,
    actions: Float32Array.of(1),
    oldMeans: Float32Array.of(0),
    oldStd: Float32Array.of(1),
    oldLogProb: Float32Array.of(-0.5 - 0.5 * Math.log(2 * Math.PI)),
    advantages: Float32Array.of(1),
    returns: Float32Array.of(0),
    oldValues: Float32Array.of(0),
  };
  const out = { means: new Float32Array(1), std: new Float32Array(1), values: new Float32Array(1) };
  // Mean 1 instead of 0: the ratio e^0.5 = 1.65 exceeds the limit of 1.2.
  const now = { means: Float32Array.of(1), std: Float32Array.of(1), values: Float32Array.of(0) };
  const sums = ppoLoss(one, now, config, 1, out);
  expect(sums.surrogate).toBeCloseTo(-1.2, 6);
  expect(out.means[0]).toBe(0);
});

test('the adaptive learning rate moves toward the desired divergence, by at most a third, within 1e-5 and 2e-3', () => {
  expect(adaptedRate(1e-3, 0.1, config)).toBeCloseTo(1e-3 / 1.5, 12);
  expect(adaptedRate(1e-3, 0.001, config)).toBeCloseTo(1.3e-3, 12);
  expect(adaptedRate(1e-3, 0.0242, config)).toBeCloseTo(1e-3 / 1.1, 12);
  expect(adaptedRate(1e-3, 0.02, config)).toBe(1e-3);
  expect(adaptedRate(1.2e-5, 1, config)).toBe(1e-5);
  expect(adaptedRate(1.9e-3, 1e-4, config)).toBe(2e-3);
  expect(adaptedRate(1e-3, 0, config)).toBe(1e-3);
  expect(adaptedRate(1e-3, 1, { ...config, schedule: 'fixed' })).toBe(1e-3);
});

import { expect, test } from 'vitest';
import { bootstrapTruncated, computeReturns } from '../../src/train/ppo/advantages.ts';

const returnsOf = (length: number) => ({ advantages: new Float32Array(length), returns: new Float32Array(length) });

test('the advantages of a three-step rollout equal those computed by hand', () => {
  const out = returnsOf(3);
  // γ = 0.5, λ = 0.5: δ₂ = 3 + 0.5·8 − 4 = 3, δ₁ = 2 + 0.5·4 − 2 = 2, δ₀ = 1 + 0.5·2 − 1 = 1.
  computeReturns(
    out,
    {
      rewards: Float32Array.of(1, 2, 3),
      values: Float32Array.of(1, 2, 4),
      dones: new Uint8Array(3),
      lastValues: Float32Array.of(8),
    },
    0.5,
    0.5,
  );
  // A₂ = 3, A₁ = 2 + 0.25·3 = 2.75, A₀ = 1 + 0.25·2.75 = 1.6875.
  expect([...out.advantages]).toEqual([1.6875, 2.75, 3]);
  expect([...out.returns]).toEqual([2.6875, 4.75, 7]);
});

test('rewards of an episode do not change the advantages of the episode before it', () => {
  const out = returnsOf(4);
  // Two environments; the first one ends at its first step.
  computeReturns(
    out,
    {
      rewards: Float32Array.of(1, 1, 5, 5),
      values: Float32Array.of(2, 2, 3, 3),
      dones: Uint8Array.of(1, 0, 0, 0),
      lastValues: Float32Array.of(0, 0),
    },
    1,
    1,
  );
  expect([...out.advantages]).toEqual([-1, 4, 2, 2]);
});

test('a truncation adds the discounted value of the state to the last reward', () => {
  const rewards = Float32Array.of(1, 1);
  bootstrapTruncated(rewards, Float32Array.of(10, 10), Uint8Array.of(0, 1), 0.5);
  expect([...rewards]).toEqual([1, 6]);
});

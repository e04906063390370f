import { expect, test } from 'vitest';
import { EnvRandom } from '../../../src/mdp/random/env-random.ts';
import { unequalReward } from '../../../src/train/symmetry/unequal-reward.ts';

const STEPS = 400;

/** Compares a reward whose values on both sides are given by `values`, beside one that is equal on both sides. */
function compared(values: (draw: (low: number, high: number) => number, step: number) => readonly [number, number]) {
  const random = new EnvRandom(1, { first: 0, stride: 1, seed: 3, purpose: 9 });
  const pairs = Array.from({ length: STEPS }, (_, step) => values((low, high) => random.uniform(0, low, high), step));
  const rows = (side: 0 | 1) => Float32Array.from(pairs.flatMap((pair) => [1, pair[side]]));
  return unequalReward(['upright', 'penalty'], rows(0), rows(1));
}

test('a penalty that varies in the same way on both sides is equal, although a heavier side changes its values', () => {
  // The difference is 0.08 of the mean square, and 0.2 of the variance.
  expect(
    compared((draw) => {
      const own = draw(0, 2);
      return [own, own + draw(-0.6, 0.6)];
    }),
  ).toBeNull();
});

test('a penalty on one side only differs, also if its size is similar on both sides', () => {
  // Independent values around the same mean: the difference is 0.15 of the mean square, and twice the variance.
  expect(compared((draw) => [draw(0.5, 1.5), draw(0.5, 1.5)])).toBe('penalty');
  expect(compared((draw) => [draw(0.9, 1.1), 0])).toBe('penalty');
});

test('small differences and rare values do not count', () => {
  expect(compared((draw) => [draw(0.9, 1.1), draw(0.9, 1.1)])).toBeNull();
  expect(compared((draw, step) => [step % 40 === 0 ? draw(0, 1) : 0, 0])).toBeNull();
  expect(compared((draw, step) => [step % 10 === 0 ? draw(0, 1) : 0, 0])).toBe('penalty');
});

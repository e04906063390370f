import { expect, test } from 'vitest';
import { EnvRandom } from '../../../src/mdp/random/env-random.ts';
import { unequalReward } from '../../../src/train/symmetry/unequal-sides.ts';

const STEPS = 400;

/** Compares a reward whose values on both sides are given by `values`, beside one that is equal on both sides. */
function compared(values: (draw: (low: number, high: number) => number, step: number) => readonly [number, number]) {
  const random = new EnvRandom(1, { first: 0, stride: 1, seed: 3, purpose: 9 });
  const pairs = Array.from({ length: STEPS }, (_, step) => values((low, high) => random.uniform(0, low, high), step));
  const rows = (side: 0 | 1) => Float32Array.from(pairs.flatMap((pair) => [1, pair[side]]));
  return unequalReward(['upright', 'penalty'], rows(0), rows(1));
}

test('a penalty is equal on both sides, although a heavier side changes its values', () => {
  expect(
    compared((draw) => {
      const own = draw(0, 2);
      return [own, own + draw(-0.6, 0.6)];
    }),
  ).toBeNull();
});

test('a penalty that is larger on one side differs, unless it is rare', () => {
  expect(compared((draw) => [draw(0.9, 1.1), draw(0, 0.2)])).toBe('penalty');
  expect(compared((draw, step) => [step % 10 === 0 ? draw(0, 1) : 0, 0])).toBe('penalty');
  expect(compared((draw, step) => [step % 40 === 0 ? draw(0, 1) : 0, 0])).toBeNull();
});

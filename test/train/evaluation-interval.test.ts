import { expect, test } from 'vitest';
import { evaluationInterval } from '../../src/train/evaluation-interval.ts';

test('the longer the policy lasts, the rarer are evaluations, so that they use at most 15 % of the steps', () => {
  const collected = 128 * 24;
  expect(evaluationInterval(25, 0, collected)).toBe(25);
  expect(evaluationInterval(25, 64 * 100, collected)).toBe(25);
  expect(evaluationInterval(25, 64 * 500, collected)).toBe(75);
  for (const steps of [10, 100, 200, 300, 400, 500]) {
    const interval = evaluationInterval(25, 64 * steps, collected);
    expect((64 * steps) / (interval * collected)).toBeLessThanOrEqual(0.15);
    expect(interval % 25).toBe(0);
  }
});

import { expect, test } from 'vitest';
import { tidyWeight, weightRange } from '../../../../web/src/features/play/weight-range.ts';

test('the slider of a weight ranges from zero to twice its value in the run, with its sign', () => {
  expect(weightRange(1, 1)).toEqual({ min: 0, max: 2, step: 0.02 });
  expect(weightRange(-0.1, -0.1)).toEqual({ min: -0.2, max: 0, step: 0.002 });
  // a weight outside that range extends it; a weight of the other sign opens both sides
  expect(weightRange(5, 1).max).toBe(5);
  expect(weightRange(-3, 1)).toMatchObject({ min: -3, max: 3 });
  expect(weightRange(0, 0)).toMatchObject({ min: -1, max: 1 });
});

test('a weight set by its slider has few digits', () => {
  expect(tidyWeight(0.1 + 0.2, 0.01)).toBe(0.3);
  expect(tidyWeight(0.06 - 0.02 - 0.04, 0.02)).toBe(0);
  expect(tidyWeight(-0.002, 0.002)).toBe(-0.002);
});

import { expect, test } from 'vitest';
import { stepProblem } from '../../../../web/src/features/data/edit/step-problem.ts';

const STEPS = [{ smooth: { cutoff_hz: 400 } }, { split: { at: 'pauses' as const } }, { stand_in: 0 }];

test('a message that names a field is shown at its step, with the label of the field', () => {
  expect(stepProblem('steps[0].smooth.cutoff_hz: 400 Hz is too high', STEPS)).toEqual({
    step: 0,
    text: 'Cutoff: 400 Hz is too high',
  });
});

test('a message that names only a step is shown at this step', () => {
  expect(stepProblem('steps[1].split: every part is shorter than 1 s', STEPS)).toEqual({
    step: 1,
    text: 'Every part is shorter than 1 s',
  });
  expect(stepProblem('steps[2].stand_in: must be a number above 0', STEPS)).toEqual({
    step: 2,
    text: 'Must be a number above 0',
  });
});

test('other messages, and messages of removed steps, are not shown at a step', () => {
  expect(stepProblem('steps: has two split steps: split once', STEPS)).toEqual({
    step: null,
    text: 'Has two split steps: split once',
  });
  expect(stepProblem('steps[7].loop: too short', STEPS)).toEqual({ step: null, text: 'steps[7].loop: too short' });
  expect(stepProblem('clip: dataset "a" has no clip "b"', STEPS).step).toBe(null);
});

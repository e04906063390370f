import { expect, test } from 'vitest';
import { setupProblem } from '../../../src/app/play/setup-problem.ts';
import { badInput, messageOf, StudioError } from '../../../src/core/errors.ts';

test('problems of a run are reported at the field that chose it', () => {
  const told = (text: string, checkpoint = 'model_1.pt') =>
    messageOf(setupProblem(badInput(text), 'wbc_g1/one', checkpoint));
  expect(told('model_1.pt: not a checkpoint')).toBe('checkpoint: model_1.pt: not a checkpoint');
  expect(told('model_1.pt: not a checkpoint', '')).toBe(
    'run: "wbc_g1/one" cannot be played: model_1.pt: not a checkpoint',
  );
  expect(told('params/env.yaml: is missing')).toBe('run: "wbc_g1/one" cannot be played: params/env.yaml: is missing');
  expect(told('checkpoint: the policy gives 3 actions')).toBe('checkpoint: the policy gives 3 actions');
  expect(told('run: its task has no group')).toBe('run: its task has no group');
});

test('errors other than bad input pass unchanged', () => {
  const bug = new TypeError('model_1.pt: x');
  const full = new StudioError('disk_full', 'model_1.pt: no space');
  expect(setupProblem(bug, 'a/b', 'model_1.pt')).toBe(bug);
  expect(setupProblem(full, 'a/b', 'model_1.pt')).toBe(full);
});

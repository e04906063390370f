import { expect, test } from 'vitest';
import { newerCheckpoint } from '../../../../web/src/features/play/newer-checkpoint.ts';

const run = (...iterations: (number | null)[]) => {
  const checkpoints = iterations.map((iteration) => ({
    name: iteration === null ? 'policy.onnx' : `model_${iteration}.pt`,
    iteration,
    modified: '2026-01-01T00:00:00.000Z',
  }));
  return { checkpoints, latest: checkpoints.at(-1)?.name ?? null };
};

test('the newest checkpoint is offered while an older one plays', () => {
  expect(newerCheckpoint(run(0, 50, 100), 'model_50.pt')).toBe('model_100.pt');
  expect(newerCheckpoint(run(9, 10), 'model_9.pt')).toBe('model_10.pt');
});

test('no checkpoint is offered for the newest, for zero action, for a deleted one, and for names without numbers', () => {
  expect(newerCheckpoint(run(0, 50), 'model_50.pt')).toBeNull();
  expect(newerCheckpoint(run(0, 50), '')).toBeNull();
  expect(newerCheckpoint(run(50), 'model_0.pt')).toBeNull();
  expect(newerCheckpoint(run(null), 'policy.onnx')).toBeNull();
  expect(newerCheckpoint(run(), 'model_0.pt')).toBeNull();
});

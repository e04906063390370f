import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadMotionLibrary } from '../../src/motion/library/load-motion-library.ts';
import { readRunIdentity } from '../../src/runs/params/read-identity.ts';
import type { Evaluation } from '../../src/train/evaluate.ts';
import { RunFolder } from '../../src/train/run-folder.ts';
import { TrainingRecorder } from '../../src/train/training-recorder.ts';
import { trainingOrder } from '../support/training-order.ts';

const evaluation: Evaluation = {
  ...{ episodes: 4, meanLength: 50, full: 0.5, tracking: 0.5, bodyError: 0.1, jointError: 0.1 },
};

test('a run names the run of its networks only after they were copied; a resumed run names their origin', async () => {
  const { order, folder } = await trainingOrder();
  const library = await loadMotionLibrary(order.clips, order.robot.facts);
  const recorder = (options: { readonly startFrom: string | null; readonly origin: string | null }) =>
    new TrainingRecorder(new RunFolder(order, order.config, library), { stepS: 0.02, horizonS: 10, ...options });
  const startedFrom = async () => (await readRunIdentity(order.runFolder)).training.startedFrom;

  const started = recorder({ startFrom: 'a/base', origin: null });
  started.baseline(evaluation, 0);
  expect(await startedFrom()).toBeNull();
  started.started(evaluation);
  expect((await readRunIdentity(order.runFolder)).training).toMatchObject({ scored: 'model_0.pt' });
  expect(await startedFrom()).toBe('a/base');
  started.dropped(evaluation, evaluation);
  expect((await readRunIdentity(order.runFolder)).training).toMatchObject({ startedFrom: null, scored: null });

  recorder({ startFrom: null, origin: 'a/origin' }).baseline(evaluation, 0);
  expect(await startedFrom()).toBe('a/origin');
  rmSync(folder, { recursive: true });
});

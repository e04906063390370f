import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtinAgent } from '../../../src/mdp/tasks/agent-profile.ts';
import { readTrainingCheckpoint } from '../../../src/runs/checkpoint/read-training-checkpoint.ts';
import { type Checkpoint, formatCheckpoint } from '../../../src/runs/checkpoint/write-checkpoint.ts';
import { createActorCritic } from '../../../src/train/ppo/actor-critic.ts';
import { takeSnapshot } from '../../../src/train/ppo/snapshot.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'training-checkpoint-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A checkpoint whose moments of Adam are not 0. */
function someCheckpoint(): Checkpoint {
  const agent = builtinAgent('x', 3);
  const networks = createActorCritic({ agent, actorDim: 5, criticDim: 7, actionDim: 3, maxRows: 4, seed: 1 });
  for (const network of [networks.actor, networks.critic]) {
    network.steps = 40;
    for (const moment of network.moments) moment.fill(0.5);
  }
  return takeSnapshot(networks, { iteration: 7, envSteps: 21_504, learningRate: 2e-4 });
}

function read(checkpoint: Checkpoint): Promise<Checkpoint> {
  const file = path.join(folder, 'model_7.pt');
  writeFileSync(file, formatCheckpoint(checkpoint));
  return readTrainingCheckpoint(file);
}

test('what was written is read', async () => {
  const written = someCheckpoint();
  const found = await read(written);
  expect(found).toMatchObject({ iteration: 7, envSteps: 21_504, optimizer: { steps: 40 } });
  expect(found.optimizer.learningRate).toBeCloseTo(2e-4, 10);
  expect(found.actor.layers).toEqual(written.actor.layers);
  expect(found.optimizer.critic.layers).toEqual(written.optimizer.critic.layers);
});

test('standard deviations that are not positive are refused', async () => {
  const written = someCheckpoint();
  await expect(read({ ...written, actor: { ...written.actor, std: Float32Array.of(1, 0, 1) } })).rejects.toThrow(
    'resume_checkpoint: the file has standard deviations of actions that are not positive',
  );
});

test.each([
  ['a second moment is negative', -1, 40],
  ['a second moment is not a number', Number.NaN, 40],
  ['the number of steps is negative', 0.5, -1],
])('the optimiser starts anew if %s', async (_, second, steps) => {
  const { optimizer, ...rest } = someCheckpoint();
  optimizer.critic.layers[1][0]!.weight[3] = second;
  const found = await read({ ...rest, optimizer: { ...optimizer, steps } });
  expect(found.optimizer.steps).toBe(0);
  const moments = [...found.optimizer.actor.layers.flat(), ...found.optimizer.critic.layers.flat()];
  expect(moments.every(({ weight }) => weight.every((value) => value === 0))).toBe(true);
});

test('counts that are not counts are read as 0', async () => {
  expect(await read({ ...someCheckpoint(), iteration: -3, envSteps: -1 })).toMatchObject({ iteration: 0, envSteps: 0 });
});

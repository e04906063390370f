import { expect, test } from 'vitest';
import type { LaunchPlan } from '../../../src/app/training/launch-plan.ts';
import { chooseStart } from '../../../src/app/training/launch-start.ts';
import type { TrainingDeps } from '../../../src/app/training/training-deps.ts';
import type { Trial } from '../../../src/train/dry-run/try-training.ts';

const NARROW = [128, 128, 64];
const WIDE = [256, 256, 128];
const trial = { actor: { inputs: 160, outputs: 29 }, critic: { inputs: 286, outputs: 1 } } as unknown as Trial;

/** A plan whose motion has networks of these widths. */
function planWith(hidden: readonly number[], networksByMotion = true): LaunchPlan {
  const network = { hidden_dims: hidden, activation: 'elu', obs_normalization: true };
  const agent = { actor: network, critic: network };
  return {
    ...{ networksByMotion, startFrom: 'best', task: 'Wbc', robot: { facts: { id: 'g1' } } },
    ...{ config: { agent }, trained: { agent, observations: {} } },
  } as unknown as LaunchPlan;
}

/** Runs in the order of their scores, by the widths of their hidden layers. */
function depsWith(...runs: (readonly number[])[]): TrainingDeps {
  const records = runs.map((_, k) => ({
    ...{ path: `wbc/${k}`, folder: `/runs/${k}`, checkpoints: [{ name: 'model_1.pt' }] },
    training: { score: { tracked_s: 9 - k, horizon_s: 10 } },
  }));
  return {
    startable: () => Promise.resolve(records),
    checkpointShape: (file: string) => {
      const hidden = runs[Number(file.split('/')[2])]!;
      const normalizes = { actor: true, critic: true };
      return Promise.resolve({
        ...{ actor: [160, ...hidden, 29], critic: [286, ...hidden, 1], normalizes, iteration: 1 },
        activation: { actor: 'elu', critic: 'elu' },
        observations: { actor: null, critic: null },
      });
    },
  } as unknown as TrainingDeps;
}

test.each([
  ['the best run as wide as new networks, although another run is better', WIDE, [NARROW, WIDE, WIDE], 1, WIDE],
  ['the best run with other widths, if none is as wide as new networks', WIDE, [[32, 32], NARROW, NARROW], 1, NARROW],
  ['the only run, although it is wider than the motion needs', NARROW, [WIDE], 0, WIDE],
])('start "best" uses %s', async (_, own, runs, chosen, widths) => {
  const { from, plan, check } = await chooseStart(depsWith(...runs), planWith(own), trial);
  expect(from!.run.path).toBe(`wbc/${chosen}`);
  expect(plan.trained.agent.actor.hidden_dims).toEqual(widths);
  expect(plan.config.agent).toEqual(plan.trained.agent);
  expect(check).toMatchObject({ name: 'start', ok: true });
  if (widths === own) expect(check!.text).not.toContain('hidden layers');
  else
    expect(check!.text).toContain(
      `hidden layers ${widths.join('-')}, new networks for this motion would have ${own.join('-')}`,
    );
});

test('a start uses the checkpoint with the score of the run, which a later one need not be', async () => {
  const startOf = async (scored: string | null) => {
    const deps = depsWith(WIDE);
    const [run] = await deps.startable('Wbc');
    const checkpoints = ['model_1.pt', 'model_2.pt'].map((name) => ({ name, iteration: null, modifiedMs: 0 }));
    const killed = { ...run!, checkpoints, training: { ...run!.training, scored } };
    const { from } = await chooseStart({ ...deps, startable: () => Promise.resolve([killed]) }, planWith(WIDE), trial);
    return from!.checkpoint;
  };
  expect(await startOf('model_1.pt')).toBe('model_1.pt');
  expect(await startOf(null)).toBe('model_2.pt');
  expect(await startOf('deleted.pt')).toBe('model_2.pt');
});

test('runs with other widths do not fit a task that sets its widths', async () => {
  const { from, plan, note } = await chooseStart(depsWith(WIDE, [32, 32]), planWith(NARROW, false), trial);
  expect(from).toBeNull();
  expect(plan.trained.agent.actor.hidden_dims).toEqual(NARROW);
  expect(note).toMatch(/^starts with new networks: the networks of the earlier runs of Wbc on g1 do not fit/);
});

import { describe, expect, test } from 'vitest';
import { networksLike, withNetworks } from '../../../src/app/training/launch-networks.ts';
import type { LaunchPlan } from '../../../src/app/training/launch-plan.ts';
import type { TrainingDeps } from '../../../src/app/training/training-deps.ts';
import { StudioError } from '../../../src/core/errors.ts';
import type { CheckpointShape } from '../../../src/train/dry-run/checkpoint-shape.ts';
import type { Trial } from '../../../src/train/dry-run/try-training.ts';

const NARROW = [128, 128, 64];
const WIDE = [256, 256, 128];

function planOf(networksByMotion: boolean, hidden: readonly number[] = NARROW, resume = false): LaunchPlan {
  const agent = { widen_networks: true, actor: { hidden_dims: hidden }, critic: { hidden_dims: hidden } };
  return {
    ...{ networksByMotion, config: { agent }, trained: { agent } },
    resume: resume ? { run: { folder: '/runs/one' }, checkpoint: 'model_5.pt' } : null,
  } as unknown as LaunchPlan;
}

const trial = (motionS: number | null) => ({ motionS }) as unknown as Trial;
const shapeOf = (actor: readonly number[], critic: readonly number[] = actor): CheckpointShape => ({
  ...{ actor: [160, ...actor, 29], critic: [286, ...critic, 1], iteration: 5 },
  normalizes: { actor: true, critic: true },
  activation: { actor: null, critic: null },
  observations: { actor: null, critic: null },
});
const deps = (checkpointShape: TrainingDeps['checkpointShape']) => ({ checkpointShape }) as TrainingDeps;
const noCheckpoint = deps(() => Promise.reject(new Error('no checkpoint is read')));

function widthsOf({ config, trained }: LaunchPlan) {
  const { actor, critic } = trained.agent;
  expect(config.agent).toEqual(trained.agent);
  expect(critic.hidden_dims).toEqual(actor.hidden_dims);
  return actor.hidden_dims;
}

describe('a new training', () => {
  test('has wide networks for a motion of at least a minute', async () => {
    expect(widthsOf(await withNetworks(noCheckpoint, planOf(true), trial(59)))).toEqual(NARROW);
    expect(widthsOf(await withNetworks(noCheckpoint, planOf(true), trial(60)))).toEqual(WIDE);
  });

  test('keeps the widths that the task sets, and those of a motion whose duration is unknown', async () => {
    expect(widthsOf(await withNetworks(noCheckpoint, planOf(false, [32, 32]), trial(1000)))).toEqual([32, 32]);
    expect(widthsOf(await withNetworks(noCheckpoint, planOf(true), trial(null)))).toEqual(NARROW);
  });
});

describe('a training with the networks of a checkpoint', () => {
  test.each([
    [NARROW, 1000],
    [WIDE, 10],
  ])('resumes with widths %j, although the motion lasts %d s', async (widths, motionS) => {
    const files: string[] = [];
    const reading = deps((file) => {
      files.push(file);
      return Promise.resolve(shapeOf(widths));
    });
    expect(widthsOf(await withNetworks(reading, planOf(true, NARROW, true), trial(motionS)))).toEqual(widths);
    expect(files).toEqual(['/runs/one/model_5.pt']);
  });

  test('a checkpoint that cannot be read is left to its check', async () => {
    const damaged = deps(() => Promise.reject(new StudioError('bad_input', 'model_5.pt is damaged')));
    expect(widthsOf(await withNetworks(damaged, planOf(true, NARROW, true), trial(10)))).toEqual(NARROW);
    const broken = deps(() => Promise.reject(new Error('the pool is closed')));
    await expect(withNetworks(broken, planOf(true, NARROW, true), trial(10))).rejects.toThrow('closed');
  });

  test('only widths that the trainer chooses itself are copied, and only if the task does not set others', () => {
    expect(widthsOf(networksLike(planOf(true), shapeOf(WIDE)))).toEqual(WIDE);
    expect(widthsOf(networksLike(planOf(true), shapeOf([512, 256, 128])))).toEqual(NARROW);
    expect(widthsOf(networksLike(planOf(true), shapeOf(WIDE, NARROW)))).toEqual(NARROW);
    expect(widthsOf(networksLike(planOf(false, [32, 32]), shapeOf(WIDE)))).toEqual([32, 32]);
  });
});

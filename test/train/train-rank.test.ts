import { readFileSync, rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { loadMotionLibrary } from '../../src/motion/library/load-motion-library.ts';
import type { Checkpoint } from '../../src/runs/checkpoint/write-checkpoint.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';
import { groupFloats } from '../../src/train/create-training.ts';
import { createGroupMemory } from '../../src/train/ppo/worker-group.ts';
import { trainRank } from '../../src/train/train-rank.ts';
import type { TrainingListener } from '../../src/train/training-listener.ts';
import { trainingOrder } from '../support/training-order.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const KILLED = new Error('killed');
const kill = () => {
  throw KILLED;
};

/** Trains in this thread until a function of the listener throws.
 *  @returns the checkpoints that were saved before */
async function savedBeforeKill(
  listener: Partial<TrainingListener>,
  {
    resume = null,
    start = null,
    iterations = 400,
  }: { readonly resume?: Checkpoint | null; readonly start?: Checkpoint | null; readonly iterations?: number } = {},
): Promise<Checkpoint[]> {
  const { order, folder } = await trainingOrder({
    ...{ iterations, envs: 2 },
    evaluation: { every: 1, episodes: 1, finalEpisodes: 1 },
  });
  folders.push(folder);
  const saved: Checkpoint[] = [];
  const ignore = () => {};
  const rank = {
    order: { ...order, config: { ...order.config, episode_length_s: 1 } },
    mj: await loadMujoco(),
    physics: readFileSync(order.robot.physicsPath),
    library: await loadMotionLibrary(order.clips, order.robot.facts),
    memory: createGroupMemory(1, groupFloats(order, 1024, 1024)),
    ...{ rank: 0, resume, levels: null, start },
    listener: {
      ...{ baseline: ignore, symmetry: ignore, started: ignore, dropped: ignore, compared: ignore, resumed: ignore },
      ...{ iteration: ignore, finished: ignore },
      checkpoint: (checkpoint: Checkpoint) => void saved.push(checkpoint),
      ...listener,
    },
  };
  expect(() => trainRank(rank)).toThrow(KILLED);
  return saved;
}

test('a resumed training that is killed has saved the policy whose score it recorded', async () => {
  const [begun] = await savedBeforeKill({ iteration: kill });
  const resume = { ...begun!, iteration: 7 };
  expect(await savedBeforeKill({ resumed: kill }, { resume })).toEqual([resume]);
});

test('a training that is killed after its last iteration has saved the policy whose score it recorded', async () => {
  let best: boolean | null = null;
  const saved = await savedBeforeKill(
    {
      iteration: ({ isBest }) => {
        best = isBest;
        kill();
      },
    },
    { iterations: 1 },
  );
  expect(best).toBe(true);
  // The networks before and after the iteration.
  expect(saved.map(({ envSteps }) => envSteps)).toEqual([0, 48]);
});

test('copied networks that track less than zero action are dropped: the training is that of new networks', async () => {
  // The checkpoints before and after the first iteration.
  const saved = await savedBeforeKill({ iteration: kill });
  expect(saved).toHaveLength(2);
  const [fresh] = saved;
  // Large constant actions of opposite sign make the robot fall at once.
  const layers = fresh!.actor.layers.map((layer, k, all) =>
    k === all.length - 1 ? { ...layer, bias: layer.bias.map((_, joint) => (joint % 2 === 0 ? 5 : -5)) } : layer,
  );
  const start = { ...fresh!, actor: { ...fresh!.actor, layers } };
  let lengths: number[] = [];
  const dropped = await savedBeforeKill(
    {
      dropped: (copied, zeroAction) => {
        lengths = [copied.meanLength, zeroAction.meanLength];
      },
      iteration: kill,
    },
    { start },
  );
  expect(lengths[0]).toBeLessThan(lengths[1]!);
  expect(dropped).toEqual(saved);
});

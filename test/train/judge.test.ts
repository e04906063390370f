import { readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadMotionLibrary } from '../../src/motion/library/load-motion-library.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';
import { horizonOf } from '../../src/train/evaluation-horizon.ts';
import { Judge } from '../../src/train/judge.ts';
import { createGroupMemory, WorkerGroup } from '../../src/train/ppo/worker-group.ts';
import { trainingOrder } from '../support/training-order.ts';

test('the episodes of evaluations are as long as those of the task, at most 20 s', () => {
  expect([0.4, 10, 20, 1e9].map((episodeS) => horizonOf({ episode_length_s: episodeS }))).toEqual([0.4, 10, 20, 20]);
});

test('the evaluation of a robot that never fails ends, also if the episodes of its task are endless', async () => {
  const { order, folder } = await trainingOrder({ evaluation: { every: 1, episodes: 1, finalEpisodes: 1 } });
  const memory = createGroupMemory(1, 8);
  const rank = {
    order,
    mj: await loadMujoco(),
    physics: readFileSync(order.robot.physicsPath),
    library: await loadMotionLibrary(order.clips, order.robot.facts),
    memory,
    rank: 0,
    ...{ resume: null, levels: null, start: null, listener: null },
  };
  const task = { ...order.config, episode_length_s: 1e9, terminations: {} };
  const judge = new Judge({ rank, group: new WorkerGroup(memory, 0), task, keybodies: [0] });
  expect(judge.closingMs(0)).toBe(0);
  const began = performance.now();
  const baseline = judge.zeroAction();
  const tookMs = performance.now() - began;
  expect(baseline).toMatchObject({ meanLength: 1000, full: 1 }); // 20 s at 50 steps per second
  expect(judge.valueOf(baseline).share).toBe(1);
  // At the end, one episode with these contacts and one with all contacts follow.
  expect(judge.closingMs(0)).toBeGreaterThan(1.5 * tookMs);
  expect(judge.closingMs(0)).toBeLessThanOrEqual(2.5 * tookMs);
  judge.delete();
  rmSync(folder, { recursive: true });
});

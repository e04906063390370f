import { expect, test } from 'vitest';
import type { TaskConfig } from '../../src/mdp/task-config.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import { evaluationConfig, trainedTask } from '../../src/train/builtin-profile.ts';
import { evaluate } from '../../src/train/evaluate.ts';
import { createGroupMemory, WorkerGroup } from '../../src/train/ppo/worker-group.ts';
import { builtinClip } from '../support/clips.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { environmentsOf, libraryOf } from '../support/tracking.ts';

const ENVS = 6;
const STEPS = 100;
const group = new WorkerGroup(createGroupMemory(1, 8), 0);

/** Evaluates zero action on a squat. */
async function evaluated(change: (task: TaskConfig) => TaskConfig, steps = STEPS) {
  const robot = await preparedHumanoid();
  const config = change(evaluationConfig(trainedTask(baseTasks(robot.facts)[0]!.config, 'builtin')));
  const library = await libraryOf(robot, { squat: builtinClip('squat') });
  const envs = await environmentsOf(robot, { config, library, n: ENVS });
  const result = evaluate(envs, null, [0, 1, 2], steps, group);
  envs.delete();
  return result;
}

test('episodes without a failure have the full length, also beyond the end of a clip', async () => {
  const result = await evaluated((task) => ({ ...task, terminations: {} }), 400);
  expect(result).toMatchObject({ episodes: ENVS, meanLength: 400, full: 1 });
  expect(result.tracking).toBeGreaterThan(0);
  expect(result.tracking).toBeLessThan(1);
});

test('an episode ends with its first failure, and its last state counts', async () => {
  const fails = (task: TaskConfig): TaskConfig => ({
    ...task,
    terminations: { height: { func: 'bad_anchor_pos_z_only', time_out: false, params: { threshold: -1 } } },
  });
  // Every state exceeds a negative threshold, so each episode has one step.
  const result = await evaluated(fails);
  expect(result).toMatchObject({ episodes: ENVS, meanLength: 1, full: 0 });
  expect(result.bodyError).toBeGreaterThan(0);
  expect(result.jointError).toBeGreaterThan(0);
});

test('a longer episode is not counted after its failure', async () => {
  const all = await evaluated((task) => task, 400);
  const cut = await evaluated((task) => task, 20);
  // Zero action falls between these numbers of steps.
  expect(cut).toMatchObject({ meanLength: 20, full: 1 });
  expect(all.meanLength).toBeGreaterThan(20);
  expect(all.meanLength).toBeLessThan(400);
  expect(all.full).toBe(0);
});

import { expect, test } from 'vitest';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import { trainedTask } from '../../src/train/builtin-profile.ts';
import { Rollout } from '../../src/train/ppo/rollout.ts';
import { builtinClip, cutClip } from '../support/clips.ts';
import { actorCriticFor } from '../support/networks.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { environmentsOf, libraryOf } from '../support/tracking.ts';

test('the return of the last action of a clip does not depend on the frame that follows', async () => {
  const robot = await preparedHumanoid();
  const config = { ...trainedTask(baseTasks(robot.facts)[0]!.config, 'builtin'), terminations: {} };
  const { agent } = config;
  const clip = cutClip(builtinClip('squat'), 0, 5);
  const envs = await environmentsOf(robot, { config, library: await libraryOf(robot, { clip }), n: 2 });
  const networks = actorCriticFor(envs, agent);
  const rollout = new Rollout(envs, agent, 0, 1, 64);
  const rewards: number[] = [];
  const ends: number[] = [];
  rollout.collect(networks, () => {
    rewards.push(...envs.rewards);
    ends.push(...envs.clipEnded);
  });
  const last = ends.flatMap((ended, row) => (ended === 1 ? [row] : []));
  expect(last.length).toBeGreaterThan(2);
  for (const row of last) {
    const expected = rewards[row]! + agent.algorithm.gamma * rollout.values[row]!;
    expect(rollout.returns[row]).toBeCloseTo(expected, 5);
  }
  // Other returns sum several rewards.
  const other = ends.findIndex((ended, row) => ended === 0 && ends[row + 2] === 0);
  expect(rollout.returns[other]).not.toBeCloseTo(rewards[other]! + agent.algorithm.gamma * rollout.values[other]!, 3);
  envs.delete();
});

test('advantages use advantage_lam, value targets use lam', async () => {
  const robot = await preparedHumanoid();
  const task = trainedTask(baseTasks(robot.facts)[0]!.config, 'builtin');
  const config = { ...task, terminations: {} };
  const algorithm = { ...task.agent.algorithm, lam: 1, advantage_lam: 0 };
  const agent = { ...task.agent, num_steps_per_env: 3, algorithm };
  const envs = await environmentsOf(robot, {
    config,
    library: await libraryOf(robot, { clip: builtinClip('squat') }),
    n: 1,
  });
  const networks = actorCriticFor(envs, agent);
  const rollout = new Rollout(envs, agent, 0, 1, 64);
  const rewards: number[] = [];
  rollout.collect(networks, () => rewards.push(...envs.rewards));
  const { advantages, returns, values } = rollout;
  const { gamma } = algorithm;
  for (const t of [0, 1]) {
    expect(advantages[t]).toBeCloseTo(rewards[t]! + gamma * values[t + 1]! - values[t]!, 5);
    expect(returns[t]).toBeCloseTo(rewards[t]! + gamma * returns[t + 1]!, 5);
  }
  envs.delete();
});

test('a labeller sees each state before its step, and its labels are kept in the order of the rows', async () => {
  const robot = await preparedHumanoid();
  const config = trainedTask(baseTasks(robot.facts)[0]!.config, 'builtin');
  const agent = { ...config.agent, num_steps_per_env: 3 };
  const library = await libraryOf(robot, { clip: builtinClip('squat') });
  const envs = await environmentsOf(robot, { config, library, n: 2 });
  const networks = actorCriticFor(envs, agent);
  const rollout = new Rollout(envs, agent, 0, 1, 64);
  let calls = 0;
  rollout.collect(networks, () => {}, {
    label(_envs, labels, given) {
      given[1] = 1;
      labels.fill(calls++, envs.actionDim);
    },
  });
  expect([...rollout.labels!.given]).toEqual([0, 1, 0, 1, 0, 1]);
  expect([1, 3, 5].map((row) => rollout.labels!.actions[row * envs.actionDim])).toEqual([0, 1, 2]);
  rollout.collect(networks, () => {});
  expect(rollout.labels).toBe(null);
  envs.delete();
});

test('a rollout ends before the step at which it is stopped', async () => {
  const robot = await preparedHumanoid();
  const config = trainedTask(baseTasks(robot.facts)[0]!.config, 'builtin');
  const agent = { ...config.agent, num_steps_per_env: 5 };
  const envs = await environmentsOf(robot, {
    config,
    library: await libraryOf(robot, { clip: builtinClip('squat') }),
    n: 1,
  });
  const rollout = new Rollout(envs, agent, 0, 1, 64);
  let steps = 0;
  rollout.collect(
    actorCriticFor(envs, agent),
    () => {
      steps++;
    },
    null,
    () => steps === 2,
  );
  expect(steps).toBe(2);
  expect([...rollout.returns]).toEqual([0, 0, 0, 0, 0]);
  envs.delete();
});

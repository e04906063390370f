import { describe, expect, test } from 'vitest';
import { createEnvironments } from '../../../src/mdp/env/create-environments.ts';
import { baseTasks } from '../../../src/mdp/tasks/base-tasks.ts';
import type { PreparedRobot } from '../../../src/robots/prepared-robot.ts';
import { type Profile, trainedTask } from '../../../src/train/builtin-profile.ts';
import { createActorCritic } from '../../../src/train/ppo/actor-critic.ts';
import { ACTOR_GROUP, CRITIC_GROUP, groupOf, Rollout } from '../../../src/train/ppo/rollout.ts';
import { findSymmetry } from '../../../src/train/symmetry/find-symmetry.ts';
import { MirroredRollout } from '../../../src/train/symmetry/mirrored-rollout.ts';
import { mirrorValues, type SignedPermutation, type Symmetry } from '../../../src/train/symmetry/signed-permutation.ts';
import { builtinClip, kitClip } from '../../support/clips.ts';
import { hasKit } from '../../support/kit.ts';
import { preparedG1, preparedHumanoid } from '../../support/robots.ts';
import { libraryOf, optionsOf } from '../../support/tracking.ts';

async function options(robot: PreparedRobot, profile: Profile, n = 1) {
  const config = trainedTask(baseTasks(robot.facts)[0]!.config, profile);
  const library = await libraryOf(robot, { walk: builtinClip('walk_forward') });
  return optionsOf(robot, { config, library, n });
}

/** Mirrors twice. */
function twice(rows: Float32Array, permutation: SignedPermutation): Float32Array {
  const [once, again] = [new Float32Array(rows.length), new Float32Array(rows.length)];
  mirrorValues(rows, permutation, once);
  mirrorValues(once, permutation, again);
  return again;
}

describe.each(['builtin', 'robust', 'task'] as const)('the built-in robot with profile %s', (profile) => {
  test('mirroring swaps the sides, and mirroring twice changes nothing', async () => {
    const robot = await preparedHumanoid();
    const given = await options(robot, profile, 8);
    const found = findSymmetry(given) as Symmetry;
    expect(typeof found).toBe('object');
    const joints = robot.facts.joints.map(({ name }) => name);
    for (const [k, name] of joints.entries())
      expect(joints[found.action.from[k]!]).toBe(
        name.replace(/left|right/, (side) => (side === 'left' ? 'right' : 'left')),
      );
    const envs = createEnvironments(given);
    for (const [group, permutation] of [
      [ACTOR_GROUP, found.actor],
      [CRITIC_GROUP, found.critic],
    ] as const) {
      const { values } = groupOf(envs, group);
      expect([...permutation.sign].some((sign) => sign < 0)).toBe(true);
      for (const [k, value] of twice(values, permutation).entries()) expect(value).toBeCloseTo(values[k]!, 5);
    }
    envs.delete();
  });
});

test('uneven ground and joints without a partner are given as reasons', async () => {
  const given = await options(await preparedHumanoid(), 'builtin');
  const { facts, config } = given;
  const hill = { ...config, scene: { ...config.scene, terrain: { ...config.scene.terrain, type: 'rough' as const } } };
  expect(findSymmetry({ ...given, config: hill })).toBe('the ground is uneven');
  const joints = facts.joints.map((joint) => ({ ...joint, name: joint.name.replace('right', 'starboard') }));
  expect(findSymmetry({ ...given, facts: { ...facts, joints } })).toMatch(/has no partner/);
});

test('mirrored rows have the returns of their rows, and bad actions count less the less likely they are', async () => {
  const given = await options(await preparedHumanoid(), 'builtin', 4);
  const envs = createEnvironments(given);
  const agent = { ...given.config.agent, num_steps_per_env: 6 };
  const networks = createActorCritic({
    agent,
    actorDim: groupOf(envs, ACTOR_GROUP).dim,
    criticDim: groupOf(envs, CRITIC_GROUP).dim,
    actionDim: envs.actionDim,
    maxRows: 64,
    seed: 1,
  });
  const rollout = new Rollout(envs, agent, 0, 1, 64);
  rollout.collect(networks, () => {});
  // As the learner does, so that some are negative.
  const mean = rollout.advantages.reduce((sum, value) => sum + value, 0) / rollout.rows;
  for (const row of rollout.advantages.keys()) rollout.advantages[row]! -= mean;
  const mirrored = new MirroredRollout(rollout, findSymmetry(given) as Symmetry, agent, 64);
  mirrored.fill(rollout, networks);
  const signs = new Set<number>();
  for (const [row, advantage] of rollout.advantages.entries()) {
    const taken = Math.exp(mirrored.logProb[row]! - rollout.logProb[row]!);
    const wanted = advantage > 0 ? advantage : Math.min(1, taken) * advantage;
    expect(mirrored.advantages[row]).toBeCloseTo(wanted, 5);
    signs.add(Math.sign(advantage));
  }
  expect(signs).toEqual(new Set([1, -1]));
  expect(mirrored.actorInput).not.toEqual(rollout.actorInput);
  envs.delete();
});

describe.skipIf(!hasKit)('the G1', () => {
  test('its slightly unequal sides are symmetric enough', async () => {
    const robot = await preparedG1();
    const config = trainedTask(baseTasks(robot.facts)[0]!.config, 'builtin');
    const library = await libraryOf(robot, { walk: kitClip('walk1_subject1') });
    const found = findSymmetry(await optionsOf(robot, { config, library, n: 1 })) as Symmetry;
    expect(typeof found).toBe('object');
    const at = robot.facts.joints.findIndex(({ name }) => name === 'left_hip_roll_joint');
    expect(robot.facts.joints[found.action.from[at]!]!.name).toBe('right_hip_roll_joint');
    expect(found.action.sign[at]).toBe(-1);
  });
});

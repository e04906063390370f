import { expect, test } from 'vitest';
import { createEnvironments } from '../../src/mdp/env/create-environments.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import { trainedTask } from '../../src/train/builtin-profile.ts';
import { Learner } from '../../src/train/ppo/learner.ts';
import { Rollout } from '../../src/train/ppo/rollout.ts';
import { createGroupMemory, WorkerGroup } from '../../src/train/ppo/worker-group.ts';
import { findSymmetry } from '../../src/train/symmetry/find-symmetry.ts';
import { SymmetricNetworks } from '../../src/train/symmetry/network-symmetry.ts';
import { mirrorValues } from '../../src/train/symmetry/signed-permutation.ts';
import { builtinClip } from '../support/clips.ts';
import { actorCriticFor } from '../support/networks.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { libraryOf, optionsOf } from '../support/tracking.ts';

/** A rollout of the built-in robot, and its learner. @param symmetric whether it keeps the networks symmetric */
async function learning(symmetric: boolean) {
  const robot = await preparedHumanoid();
  const config = trainedTask(baseTasks(robot.facts)[0]!.config, 'builtin');
  const library = await libraryOf(robot, { walk: builtinClip('walk_forward') });
  const given = await optionsOf(robot, { config, library, n: 4 });
  const envs = createEnvironments(given);
  const symmetry = findSymmetry(given, envs);
  if (typeof symmetry === 'string') throw new Error(symmetry);
  const agent = { ...config.agent, num_steps_per_env: 24 };
  const networks = actorCriticFor(envs, agent);
  const symmetries = new SymmetricNetworks(networks, symmetry);
  symmetries.makeSymmetric();
  const rollout = new Rollout(envs, agent, 0, 1, 64);
  rollout.collect(networks, () => {});
  const group = new WorkerGroup(createGroupMemory(1, Learner.summedFloats(networks.actor, networks.critic)), 0);
  const { rows } = rollout;
  const learner = new Learner({ networks, agent, group, rows, seed: 1, symmetry: symmetric ? symmetries : null });
  envs.delete();
  return { learner, rollout, symmetry, symmetries, networks };
}

/** Makes a joint's actions above their mean good, learns, and returns the mean change of that joint's action in the
 *  states of the rollout, and of its partner's in their mirror images, mirrored back. */
async function changesOf(symmetric: boolean, joint: number) {
  const { learner, rollout, symmetry, symmetries, networks } = await learning(symmetric);
  const { actor } = networks;
  const dim = rollout.std.length;
  const { from, sign } = symmetry.action;
  const partner = from[joint]!;
  for (const row of rollout.advantages.keys())
    rollout.advantages[row] = rollout.actions[row * dim + joint]! - rollout.means[row * dim + joint]!;
  const images = new Float32Array(rollout.actorInput.length);
  mirrorValues(rollout.actorInput, symmetry.actor, images);
  const mean = (input: Float32Array, column: number) => {
    const out = new Float32Array(dim);
    let sum = 0;
    for (let row = 0; row < rollout.rows; row++) {
      actor.forward(input.subarray(row * actor.inputs, (row + 1) * actor.inputs), out, 1);
      sum += out[column]!;
    }
    return sum / rollout.rows;
  };
  const means = () => ({ own: mean(rollout.actorInput, joint), image: sign[partner]! * mean(images, partner) });
  const before = means();
  learner.learn(rollout);
  const after = means();
  return { own: after.own - before.own, image: after.image - before.image, isSymmetric: symmetries.isSymmetric };
}

test('what is good in a state is learned for the mirror image of the state, too', async () => {
  for (const joint of [0, 1, 2]) {
    const [plain, symmetric] = [await changesOf(false, joint), await changesOf(true, joint)];
    expect(plain.own).toBeGreaterThan(0.05);
    expect(Math.abs(plain.image)).toBeLessThan(0.3 * plain.own);
    expect(plain.isSymmetric).toBe(false);
    expect(symmetric.own).toBeGreaterThan(0.05);
    expect(symmetric.image).toBeCloseTo(symmetric.own, 5);
    expect(symmetric.isSymmetric).toBe(true);
  }
});

test('normalisers of symmetric networks have the moments of both sides', async () => {
  const { learner, rollout, networks, symmetry } = await learning(true);
  learner.updateNormalizers(rollout);
  for (const [{ mean, variance }, { from, sign }] of [
    [networks.actorNormalizer!, symmetry.actor],
    [networks.criticNormalizer!, symmetry.critic],
  ] as const)
    for (const [i, j] of from.entries()) {
      expect(mean[i]).toBeCloseTo(sign[i]! * mean[j]!, 6);
      expect(variance[i]).toBeCloseTo(variance[j]!, 6);
    }
});

test('with a fixed schedule the learning rate is that of the settings, also after a start from other networks', async () => {
  const { learner, rollout } = await learning(false);
  const { learning_rate: given } = learner.algorithm;
  learner.learningRate = 0.1 * given;
  expect(learner.learningRate).toBe(0.1 * given);
  learner.algorithm = { ...learner.algorithm, schedule: 'fixed' };
  expect(learner.learn(rollout).learningRate).toBe(given);
});

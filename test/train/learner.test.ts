import { expect, test } from 'vitest';
import { createEnvironments } from '../../src/mdp/env/create-environments.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import { trainedTask } from '../../src/train/builtin-profile.ts';
import { Learner } from '../../src/train/ppo/learner.ts';
import { Rollout } from '../../src/train/ppo/rollout.ts';
import { createGroupMemory, WorkerGroup } from '../../src/train/ppo/worker-group.ts';
import { findSymmetry } from '../../src/train/symmetry/find-symmetry.ts';
import { MirroredRollout } from '../../src/train/symmetry/mirrored-rollout.ts';
import { builtinClip } from '../support/clips.ts';
import { actorCriticFor } from '../support/networks.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { libraryOf, optionsOf } from '../support/tracking.ts';

/** A rollout of the built-in robot, its mirror image, and a learner that uses the latter if `mirrors`. */
async function learning(mirrors: boolean) {
  const robot = await preparedHumanoid();
  const config = trainedTask(baseTasks(robot.facts)[0]!.config, 'builtin');
  const library = await libraryOf(robot, { walk: builtinClip('walk_forward') });
  const given = await optionsOf(robot, { config, library, n: 4 });
  const envs = createEnvironments(given);
  const symmetry = findSymmetry(given, envs);
  if (typeof symmetry === 'string') throw new Error(symmetry);
  const agent = { ...config.agent, num_steps_per_env: 24 };
  const networks = actorCriticFor(envs, agent);
  const rollout = new Rollout(envs, agent, 0, 1, 64);
  rollout.collect(networks, () => {});
  const mirrored = new MirroredRollout(rollout, symmetry, agent, 64);
  const { actor, critic } = networks;
  const group = new WorkerGroup(createGroupMemory(1, Learner.summedFloats(actor, critic)), 0);
  const { rows } = rollout;
  const learner = new Learner({ networks, agent, group, rows, seed: 1, mirrored: mirrors ? mirrored : null });
  envs.delete();
  return { learner, rollout, mirrored, symmetry, networks };
}

/** Makes a joint's actions above their mean good, learns, and returns the mean change of that joint's action in the
 *  states of the rollout, and of its partner's in their mirror images, mirrored back. */
async function changesOf(mirrors: boolean, joint: number) {
  const { learner, rollout, mirrored, symmetry, networks } = await learning(mirrors);
  const dim = rollout.std.length;
  const { from, sign } = symmetry.action;
  const partner = from.indexOf(joint);
  for (const row of rollout.advantages.keys())
    rollout.advantages[row] = rollout.actions[row * dim + joint]! - rollout.means[row * dim + joint]!;
  mirrored.fill(rollout, networks);
  const before = { own: rollout.means.slice(), images: mirrored.means.slice() };
  const images = mirrored.actorInput.slice();
  learner.learn(rollout);
  const change = (input: Float32Array, means: Float32Array, column: number) => {
    let sum = 0;
    for (let row = 0; row < rollout.rows; row++) {
      const out = new Float32Array(dim);
      networks.actor.forward(input.subarray(row * networks.actor.inputs, (row + 1) * networks.actor.inputs), out, 1);
      sum += out[column]! - means[row * dim + column]!;
    }
    return sum / rollout.rows;
  };
  return {
    own: change(rollout.actorInput, before.own, joint),
    image: sign[partner]! * change(images, before.images, partner),
  };
}

test('what is good in a state is learned for the mirror image of the state, too', async () => {
  for (const joint of [0, 1, 2]) {
    const [plain, both] = [await changesOf(false, joint), await changesOf(true, joint)];
    expect(plain.own).toBeGreaterThan(0.05);
    expect(Math.abs(plain.image)).toBeLessThan(0.3 * plain.own);
    expect(both.own).toBeGreaterThan(0.05);
    expect(both.image).toBeGreaterThan(0.7 * both.own);
  }
});

test('normalisers of networks that learn from mirror images have the moments of both sides', async () => {
  const { learner, rollout, networks, symmetry } = await learning(true);
  learner.updateNormalizers(rollout);
  for (const [{ mean, variance }, { from, sign }] of [
    [networks.actorNormalizer, symmetry.actor],
    [networks.criticNormalizer, symmetry.critic],
  ] as const)
    for (const [i, j] of from.entries()) {
      expect(mean[i]).toBeCloseTo(sign[i]! * mean[j]!, 6);
      expect(variance[i]).toBeCloseTo(variance[j]!, 6);
    }
});

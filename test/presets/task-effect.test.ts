import { expect, test } from 'vitest';
import { mergeOverrides } from '../../src/presets/knobs/merge-overrides.ts';
import { taskTree } from '../../src/presets/knobs/task-tree.ts';
import { taskEffect, termWidths } from '../../src/presets/task-effect.ts';
import { vocabularyOf } from '../../src/presets/vocabulary-of.ts';
import { hasKit } from '../support/kit.ts';
import { preparedG1, preparedHumanoid } from '../support/robots.ts';

/** Returns the effect of overrides on the robot's plain task. */
async function effectOf(overrides: object) {
  const { facts } = await preparedHumanoid();
  const words = vocabularyOf(facts);
  const { config } = words.bases[0]!;
  return taskEffect(mergeOverrides(taskTree(config, words), config, overrides), facts, words.library);
}

test.skipIf(!hasKit)('the base tasks of G1 have upstream’s dimensions', async () => {
  const { facts } = await preparedG1();
  const { bases, library } = vocabularyOf(facts);
  const effects = bases.map(({ config }) => taskEffect(config, facts, library));
  expect(effects.map(({ observations }) => observations['actor'])).toEqual([132, 134, 132, 134, 161]);
  // The upstream critic has 623 values; this one also has one contact force for each of 14 key bodies.
  expect(new Set(effects.map(({ observations }) => observations['critic']))).toEqual(new Set([665]));
  expect(new Set(effects.map(({ action }) => action))).toEqual(new Set([29]));
});

test('an added term adds its number of values to the observation, multiplied by its history', async () => {
  const plain = await effectOf({});
  const actor = (effect: Awaited<ReturnType<typeof effectOf>>) => effect.observations['actor']!;
  const added = await effectOf({ observations: { actor: { terms: { torso_ang_vel: {} } } } });
  expect(actor(added)).toBe(actor(plain) + 3);
  expect(added.env_bytes).toBe(plain.env_bytes + 3 * 4);
  const remembered = await effectOf({ observations: { actor: { history_length: 5 } } });
  expect(actor(remembered)).toBe(5 * actor(plain));
  const own = await effectOf({
    observations: { actor: { history_length: null, terms: { base_ang_vel: { history_length: 4 } } } },
  });
  expect(actor(own)).toBe(actor(plain) + 3 * 3);
});

test('a delay is included in the estimated memory', async () => {
  const plain = await effectOf({});
  const late = await effectOf({ observations: { actor: { terms: { base_ang_vel: { delay_max_lag: 2 } } } } });
  expect(late.env_bytes).toBe(plain.env_bytes + 4 * 3 * 3); // three values for each of three steps
});

test.each([
  [{ rewards: { motion_body_pos: { params: { body_names: ['nose'] } } } }, 'rewards.motion_body_pos.params.body_names'],
  [{ observations: { actor: { terms: { base_ang_vel: { scale: [1, 2] } } } } }, 'must be one number or 3'],
  [
    { observations: { actor: { terms: { base_ang_vel: { noise: { n_min: [-1, -1] } } } } } },
    'base_ang_vel.noise.n_min',
  ],
  [{ actions: { joint_pos: { scale: [1, 2, 3] } } }, 'actions.joint_pos.scale: must have 21 numbers'],
])('the override %j does not fit the robot and is refused by name', async (overrides, message) => {
  await expect(effectOf(overrides)).rejects.toThrow(message);
});

test('every observation of the library can be created for the built-in robot and has a dimension', async () => {
  const { facts } = await preparedHumanoid();
  const { bases, library } = vocabularyOf(facts);
  const widths = termWidths(bases[0]!.config, facts, library);
  expect([...widths.keys()].sort()).toEqual(Object.keys(library.observations).sort());
  expect(widths.get('joint_pos_rel')).toBe(21);
});

import { expect, test } from 'vitest';
import { LIBRARY } from '../../src/mdp/library.ts';
import type { TaskConfig } from '../../src/mdp/task-config.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import { mergeOverrides } from '../../src/presets/knobs/merge-overrides.ts';
import { taskTree } from '../../src/presets/knobs/task-tree.ts';
import { taskEffect } from '../../src/presets/task-effect.ts';
import { vocabularyOf } from '../../src/presets/vocabulary-of.ts';
import { evaluationConfig, type Profile, trainedTask } from '../../src/train/builtin-profile.ts';
import { discardedSettings } from '../../src/train/discarded-settings.ts';
import { preparedHumanoid } from '../support/robots.ts';

test("the profile of the built-in trainer removes noise and disturbances, narrows kernels, and keeps the actor's observations of the task", async () => {
  const { facts } = await preparedHumanoid();
  for (const { name, config } of baseTasks(facts)) {
    const profile = trainedTask(config, 'builtin');
    expect(profile.sim.contacts, name).toBe('light');
    expect(profile.events).toEqual({});
    expect(Object.values(profile.rewards).every(({ params }) => !('kappa' in params) || params['kappa'] === 1)).toBe(
      true,
    );
    const [asItStands, light] = [config, profile].map((task) => taskEffect(task, facts, LIBRARY).observations);
    const added = name.endsWith('-SE')
      ? ['projected_gravity', 'motion_anchor_pos_b', 'motion_anchor_ori_b', 'ref_joint_vel']
      : [];
    expect(light!['actor']! - asItStands!['actor']!).toBe(added.length > 0 ? 3 + 3 + 6 + facts.joints.length : 0);
    expect(Object.keys(profile.observations['actor']!.terms)).toEqual([
      ...Object.keys(config.observations['actor']!.terms),
      ...added,
    ]);
    expect(Object.values(profile.observations['actor']!.terms).every(({ noise }) => noise === null)).toBe(true);
    expect(light!['critic']).toBeLessThan(0.6 * asItStands!['critic']!);
    expect(profile.observations['critic']!.terms).toHaveProperty('motion_segment_phase');
    expect(profile.observations['critic']!.terms).not.toHaveProperty('keybody_contact_forces');
  }
});

test('the robust profile keeps disturbances, the task profile keeps all but contacts that the task leaves open', async () => {
  const { facts } = await preparedHumanoid();
  const [{ config }] = baseTasks(facts) as [ReturnType<typeof baseTasks>[number]];
  const builtin = trainedTask(config, 'builtin');
  const robust = trainedTask(config, 'robust');
  expect(robust.sim.contacts).toBe('light');
  expect(robust.rewards).toEqual(builtin.rewards);
  expect(robust.events).toEqual(config.events);
  expect(robust.commands).toEqual(config.commands);
  expect(robust.observations['actor']).toEqual(config.observations['actor']);
  expect(Object.keys(robust.observations['critic']!.terms)).toEqual(Object.keys(builtin.observations['critic']!.terms));
  for (const profile of ['builtin', 'robust', 'task'] as const) {
    const contacts = (['profile', 'all', 'light', 'soles'] as const).map(
      (set) => trainedTask({ ...config, sim: { ...config.sim, contacts: set } }, profile).sim.contacts,
    );
    expect(contacts, profile).toEqual(['light', 'all', 'light', 'soles']);
  }
  expect(trainedTask(config, 'task')).toEqual({ ...config, sim: { ...config.sim, contacts: 'light' } });
});

test('an actor with a state estimate also observes it in the frame of the robot, with noise in the robust profile', async () => {
  const { facts } = await preparedHumanoid();
  const { config } = baseTasks(facts).find(({ name }) => name.endsWith('-SE'))!;
  const { terms } = trainedTask(config, 'robust').observations['actor']!;
  expect(terms['projected_gravity']!.noise).toEqual({ n_min: -0.05, n_max: 0.05 });
  expect(terms['ref_joint_vel']!.noise).toBeNull();
  const { actor } = config.observations;
  const own = {
    ...actor!,
    terms: { ...actor!.terms, gravity: { ...actor!.terms['base_ang_vel']!, func: 'projected_gravity' } },
  };
  const kept = trainedTask({ ...config, observations: { ...config.observations, actor: own } }, 'builtin');
  expect(kept.observations['actor']!.terms).toHaveProperty('gravity');
  expect(kept.observations['actor']!.terms).not.toHaveProperty('projected_gravity');
});

test('a policy is evaluated with all contacts and all failures', async () => {
  const { facts } = await preparedHumanoid();
  const [{ config }] = baseTasks(facts) as [ReturnType<typeof baseTasks>[number]];
  const judged = evaluationConfig(trainedTask(config, 'builtin'));
  expect(judged.sim.contacts).toBe('all');
  expect(Object.keys(judged.observations)).toEqual(['actor']);
  expect(Object.keys(judged.terminations)).toEqual(
    Object.keys(config.terminations).filter((name) => name !== 'time_out'),
  );
  expect(judged.commands.motion.rsi.sampling_mode).toBe('uniform');
});

test('settings of a preset that a profile discards are found; those of the base task are not', async () => {
  const { facts } = await preparedHumanoid();
  const [{ config: base }] = baseTasks(facts) as [ReturnType<typeof baseTasks>[number]];
  const changed = mergeOverrides(taskTree(base, vocabularyOf(facts)), base, {
    rewards: { motion_body_pos: { weight: 3, params: { kappa: 0.5 } }, motion_body_ori: { params: { kappa: 1 } } },
    events: { push_robot: { interval_range_s: [5, 10] } },
    observations: {
      actor: { terms: { joint_pos: { noise_scale: 2, delay_max_lag: 3 }, joint_vel: { noise: null } } },
      critic: { terms: { keybody_contact_forces: { scale: 0.5 } } },
    },
    commands: { motion: { joint_position_range: [-0.2, 0.2], rsi: { alpha: 0.01 } } },
    sim: { contacts: 'profile' },
  });
  const found = (profile: 'builtin' | 'robust' | 'task') =>
    discardedSettings(base, changed, trainedTask(changed, profile));
  expect(found('builtin')).toEqual([
    'observations.actor.terms.joint_pos.noise_scale',
    'observations.actor.terms.joint_pos.delay_max_lag',
    'observations.critic.terms.keybody_contact_forces',
    'commands.motion.joint_position_range',
    'events.push_robot',
  ]);
  expect(found('robust')).toEqual(['observations.critic.terms.keybody_contact_forces']);
  expect(found('task')).toEqual([]);
  const { rewards } = trainedTask(changed, 'builtin');
  expect(rewards['motion_body_pos']).toMatchObject({ weight: 3, params: { kappa: 0.5 } });
  expect(rewards['motion_joint_pos']!.params['kappa']).toBe(1);
  for (const { config } of baseTasks(facts))
    for (const profile of ['builtin', 'robust', 'task'] as const)
      expect(discardedSettings(config, config, trainedTask(config, profile))).toEqual([]);
});

test('episodes of the builtin profile start shortly before failures, unless the task samples its starts differently from the base tasks', async () => {
  const { facts } = await preparedHumanoid();
  const isUsed = (config: TaskConfig, profile: Profile) =>
    trainedTask(config, profile).commands.motion.rsi.before_failures === true;
  for (const { name, config } of baseTasks(facts)) {
    const used = (['builtin', 'robust', 'task'] as const).map((profile) => isUsed(config, profile));
    expect(used, name).toEqual([true, false, false]);
    const { rsi } = config.commands.motion;
    const changed = (change: object) => {
      const task = structuredClone(config);
      Object.assign(task.commands.motion.rsi, change);
      return isUsed(task, 'builtin');
    };
    const asked = structuredClone(config);
    Object.assign(asked.commands.motion.rsi, { before_failures: true });
    expect((['builtin', 'robust', 'task'] as const).map((profile) => isUsed(asked, profile))).toEqual(used);
    expect(changed({ persist_failure_levels: !rsi.persist_failure_levels })).toBe(true);
    for (const change of [{ bin_width_s: 2 }, { sampling_mode: 'uniform' }, { before_failures: false }])
      expect(changed(change), JSON.stringify(change)).toBe(false);
  }
});

import { expect, test } from 'vitest';
import { LIBRARY } from '../../src/mdp/library.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import { taskEffect } from '../../src/presets/task-effect.ts';
import { builtinProfile, evaluationConfig } from '../../src/train/builtin-profile.ts';
import { preparedHumanoid } from '../support/robots.ts';

test('the profile of the built-in trainer is quiet, sharp and light, and leaves what the actor sees alone', async () => {
  const { facts } = await preparedHumanoid();
  for (const { name, config } of baseTasks(facts)) {
    const profile = builtinProfile(config);
    expect(profile.sim.contacts, name).toBe('soles');
    expect(profile.events).toEqual({});
    expect(Object.values(profile.rewards).every(({ params }) => !('kappa' in params) || params['kappa'] === 1)).toBe(
      true,
    );
    const [asItStands, light] = [config, profile].map((task) => taskEffect(task, facts, LIBRARY).observations);
    expect(light!['actor']).toBe(asItStands!['actor']);
    expect(Object.keys(profile.observations['actor']!.terms)).toEqual(Object.keys(config.observations['actor']!.terms));
    expect(Object.values(profile.observations['actor']!.terms).every(({ noise }) => noise === null)).toBe(true);
    expect(light!['critic']).toBeLessThan(0.6 * asItStands!['critic']!);
    expect(profile.observations['critic']!.terms).toHaveProperty('motion_segment_phase');
    expect(profile.observations['critic']!.terms).not.toHaveProperty('keybody_contact_forces');
  }
});

test('a policy is judged with all contacts and all failures, by the steps alone', async () => {
  const { facts } = await preparedHumanoid();
  const [{ config }] = baseTasks(facts) as [ReturnType<typeof baseTasks>[number]];
  const judged = evaluationConfig(builtinProfile(config));
  expect(judged.sim.contacts).toBe('all');
  expect(Object.keys(judged.observations)).toEqual(['actor']);
  expect(Object.keys(judged.terminations)).toEqual(
    Object.keys(config.terminations).filter((name) => name !== 'time_out'),
  );
  expect(judged.commands.motion.rsi.sampling_mode).toBe('uniform');
});

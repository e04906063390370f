import { describe, expect, test } from 'vitest';
import { createState } from '../../src/mdp/env/state-arrays.ts';
import { LIBRARY } from '../../src/mdp/library.ts';
import type { ObservationGroupConfig, TaskConfig } from '../../src/mdp/task-config.ts';
import { baseTasks } from '../../src/mdp/tasks/base-tasks.ts';
import type { RobotFacts } from '../../src/robots/robot-facts.ts';
import { hasKit } from '../support/kit.ts';
import { preparedG1, preparedHumanoid } from '../support/robots.ts';
import { contextOf, TINY_ROBOT } from '../support/terms.ts';

/** Returns the widths of the terms of a group for a robot. */
function widths(facts: RobotFacts, config: TaskConfig, { terms }: ObservationGroupConfig): Record<string, number> {
  const { body_names } = config.commands.motion;
  const sizes = { n: 1, joints: facts.joints.length, bodies: facts.bodies.length, keybodies: body_names.length };
  const context = contextOf(facts, body_names, createState({ ...sizes, feet: facts.wiring.feet.length }));
  return Object.fromEntries(
    Object.entries(terms).map(([name, { func, params }]) => [
      name,
      LIBRARY.observations[func]!.make(context, params).dim,
    ]),
  );
}

const total = (all: Record<string, number>) => Object.values(all).reduce((sum, dim) => sum + dim, 0);
const task = (facts: RobotFacts, suffix = '') => baseTasks(facts).find(({ name }) => name.endsWith(suffix))!.config;
const weights = (config: TaskConfig) =>
  Object.fromEntries(Object.entries(config.rewards).map(([name, { weight }]) => [name, weight]));

describe.skipIf(!hasKit)('the tasks of the G1', () => {
  const g1 = async () => (await preparedG1()).facts;

  test('the G1 has five tasks, the plain task first', async () => {
    expect(baseTasks(await g1()).map(({ name }) => name)).toEqual([
      'Wbc-G1',
      'Wbc-G1-SE',
      'Wbc-G1-Zest',
      'Wbc-G1-Zest-SE',
      'Wbc-G1-BinaryFailure',
    ]);
  });

  test("the tasks of the G1 have the same observations as upstream's tasks", async () => {
    const facts = await g1();
    const dims = baseTasks(facts).map(({ config }) =>
      ['actor', 'critic'].map((group) => total(widths(facts, config, config.observations[group]!))),
    );
    // one contact force per body: 623 + 3 · 14
    expect(dims).toEqual([
      [132, 665],
      [134, 665],
      [132, 665],
      [134, 665],
      [161, 665],
    ]);
  });

  test("the tasks of the G1 list observation terms in upstream's order, which is the order of a policy's inputs", async () => {
    const facts = await g1();
    const actor = (suffix: string) => {
      const config = task(facts, suffix);
      return widths(facts, config, config.observations['actor']!);
    };
    expect(Object.entries(actor('G1'))).toEqual([
      ['ref_base_height', 1],
      ['ref_base_lin_vel_b', 3],
      ['ref_base_ang_vel_b', 3],
      ['ref_gravity_b', 3],
      ['ref_joint_pos', 29],
      ['base_ang_vel', 3],
      ['projected_gravity', 3],
      ['joint_pos', 29],
      ['joint_vel', 29],
      ['actions', 29],
    ]);
    expect(Object.keys(actor('G1-SE'))).toEqual([
      'ref_base_lin_vel_b',
      'ref_base_ang_vel_b',
      'ref_joint_pos',
      'base_ang_vel',
      'joint_pos',
      'joint_vel',
      'actions',
      'motion_anchor_pos_error_w',
      'motion_anchor_ori_error',
      'base_lin_vel',
    ]);
    expect(Object.keys(actor('BinaryFailure'))[5]).toBe('ref_joint_vel');
    const critic = widths(facts, task(facts), task(facts).observations['critic']!);
    expect(Object.values(critic)).toEqual([
      ...[1, 3, 3, 3, 29, 29, 3, 3, 29, 29, 29],
      ...[3, 6, 3, 3, 42, 84, 42, 84, 42, 42, 42, 42, 3, 3, 3, 3, 3, 1, 1, 10, 42],
    ]);
  });

  test("the tasks of the G1 have the same reward weights as upstream's tasks", async () => {
    const facts = await g1();
    expect(weights(task(facts, 'Wbc-G1'))).toEqual({
      motion_global_root_pos: 1,
      motion_global_root_ori: 1,
      motion_root_lin_vel_b: 1,
      motion_root_ang_vel_b: 1,
      motion_body_pos: 1,
      motion_body_ori: 1,
      motion_body_lin_vel: 0.5,
      motion_body_ang_vel: 0.5,
      motion_joint_pos: 1,
      motion_joint_vel: 0,
      action_rate_l1: -0.1,
      joint_acc: -5e-6,
      joint_limit: -1,
      survival: 1,
      actuator_torque_soft_limit: -0.1,
      foot_slip: 0,
      angular_momentum: 0,
      neg_regen_power: 0,
      anti_shake: 0,
    });
    expect(weights(task(facts, 'Zest'))).toEqual({
      ...weights(task(facts, 'Wbc-G1')),
      motion_body_lin_vel: 0,
      motion_body_ang_vel: 0,
    });
    expect(weights(task(facts, 'BinaryFailure'))).toMatchObject({
      motion_global_root_pos: 0.5,
      motion_global_root_ori: 0.5,
      motion_body_pos: 1,
      motion_joint_pos: 0,
      action_rate_l1: -0.1,
      joint_acc: -2e-6,
      joint_limit: -10,
      survival: 0,
      actuator_torque_soft_limit: 0,
    });
    expect(task(facts, 'Wbc-G1').rewards['motion_body_pos']!.params).toEqual({
      sigma_per_keybody: 0.2,
      body_error_aggregate: 'sum',
      body_names: null,
      kappa: 0.25,
    });
    expect(task(facts, 'Zest').rewards['motion_body_pos']!.params['body_names']).toEqual(facts.endEffectors);
    expect(task(facts).rewards['neg_regen_power']!.params['joint_names']).toEqual([
      'left_knee_joint',
      'right_knee_joint',
    ]);
  });

  test("the tasks of the G1 have the same terminations as upstream's tasks", async () => {
    const facts = await g1();
    const ends = (suffix: string) =>
      Object.entries(task(facts, suffix).terminations).map(([name, { params }]) => [
        name,
        params['threshold'] ?? params['force_threshold'],
      ]);
    const wbc = [
      ['time_out', undefined],
      ['anchor_pos', 0.35],
      ['anchor_ori', 0.8],
      ['ee_body_pos', 0.25],
      ['keybody_ground_contact_force', 2000],
    ];
    expect(ends('Wbc-G1')).toEqual(wbc);
    expect(ends('Zest')).toEqual(wbc.filter(([name]) => name !== 'ee_body_pos'));
    expect(ends('BinaryFailure')).toEqual([['time_out', undefined], ['anchor_pos', 0.25], ...wbc.slice(2, 4)]);
    expect(task(facts).terminations['time_out']!.time_out).toBe(true);
  });

  test('tasks of robots with many joints use more iterations and more environments', async () => {
    const { agent } = task(await g1());
    expect(agent.max_iterations).toBe(900);
    expect(agent.actor).toMatchObject({ hidden_dims: [128, 128, 64], init_std: 0.4, last_layer_scale: 0.1 });
    expect(agent.algorithm).toMatchObject({ num_learning_epochs: 3, desired_kl: 0.03, lam: 0.95, advantage_lam: 0.7 });
  });
});

test('the built-in robot has the same tasks with its own bodies, and a profile for learning on a CPU', async () => {
  const { facts } = await preparedHumanoid();
  const tasks = baseTasks(facts);
  expect(tasks.map(({ name }) => name)).toContain('Wbc-Humanoid-Zest-SE');
  expect(tasks.map(({ config }) => total(widths(facts, config, config.observations['actor']!)))).toEqual([
    1 + 9 + 3 + 3 + 4 * 21,
    6 + 3 + 9 + 4 * 21,
    1 + 9 + 3 + 3 + 4 * 21,
    6 + 3 + 9 + 4 * 21,
    1 + 9 + 3 + 3 + 5 * 21,
  ]);
  const { agent, scene } = tasks[0]!.config;
  expect(scene.num_envs).toBe(128);
  expect(agent).toMatchObject({
    num_steps_per_env: 24,
    max_iterations: 300,
    actor: { hidden_dims: [128, 128, 64], activation: 'elu', init_std: 0.4, last_layer_scale: 0.1 },
    algorithm: { desired_kl: 0.02, num_learning_epochs: 5, num_mini_batches: 4 },
  });
});

test('the limits of failures fit the size of a robot; those of the G1 and the built-in robot are those of upstream', async () => {
  const limits = (facts: RobotFacts, suffix = '') =>
    ['anchor_pos', 'ee_body_pos', 'keybody_ground_contact_force'].map((name) => {
      const params = task(facts, suffix).terminations[name]?.params;
      return params?.['threshold'] ?? params?.['force_threshold'] ?? null;
    });
  for (const facts of [(await preparedHumanoid()).facts, ...(hasKit ? [(await preparedG1()).facts] : [])]) {
    expect(limits(facts)).toEqual([0.35, 0.25, 2000]);
    expect(limits(facts, '-Zest')).toEqual([0.35, null, 2000]);
    expect(limits(facts, '-BinaryFailure')).toEqual([0.25, 0.25, null]);
  }
  // A dog of 12 kg that falls drops by less than 0.25 m; the weight of a humanoid of 200 kg alone is 1962 N.
  expect(limits({ ...TINY_ROBOT, rootHeight: 0.27, height: 0.4, mass: 12 })).toEqual([0.189, 0.135, 2000]);
  expect(limits({ ...TINY_ROBOT, rootHeight: 1.1, height: 1.9, mass: 200 })).toEqual([0.35, 0.25, 11_700]);
  // a root on the floor
  expect(limits({ ...TINY_ROBOT, rootHeight: 0, height: 1.2, mass: 30 })).toEqual([0.35, 0.25, 2000]);
});

test('end effectors that are not keybodies are tracked, too', () => {
  const facts = { ...TINY_ROBOT, endEffectors: ['hand', 'root'] };
  const { motion } = task(facts).commands;
  expect(motion.body_names).toEqual(['torso', 'hand', 'root']);
  expect(motion.ee_body_names).toEqual(['hand', 'root']);
});

test('a robot without hands and feet can reach the full reward in every task', () => {
  const rolling = { ...TINY_ROBOT, endEffectors: [], wiring: { ...TINY_ROBOT.wiring, feet: [] } };
  const { keybodies } = rolling.wiring;
  const state = createState({ n: 1, joints: 2, bodies: 3, keybodies: keybodies.length, feet: 0 });
  const context = contextOf(rolling, keybodies, state);
  for (const { name, config } of baseTasks(rolling))
    for (const [term, { func, weight, params }] of Object.entries(config.rewards))
      if (weight > 0) expect(LIBRARY.rewards[func]!.make(context, params)(0), `${name} ${term}`).toBe(1);
});

test('every term of every task is in the library, has only known parameters, and can be written as JSON', () => {
  for (const { name, config } of baseTasks(TINY_ROBOT)) {
    expect(JSON.parse(JSON.stringify(config)), name).toEqual(config);
    const used = [
      ...Object.values(config.observations).flatMap(({ terms }) =>
        Object.values(terms).map((term) => [LIBRARY.observations[term.func], term] as const),
      ),
      ...Object.values(config.rewards).map((term) => [LIBRARY.rewards[term.func], term] as const),
      ...Object.values(config.terminations).map((term) => [LIBRARY.terminations[term.func], term] as const),
    ];
    for (const [term, { func, params }] of used) {
      expect(term, `${name}: ${func}`).toBeDefined();
      expect(Object.keys(term!.params), `${name}: ${func}`).toEqual(expect.arrayContaining(Object.keys(params)));
    }
  }
});

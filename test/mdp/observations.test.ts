import { describe, expect, test } from 'vitest';
import { LIBRARY } from '../../src/mdp/library.ts';
import type { Params } from '../../src/mdp/task-config.ts';
import { ENV, type TinyValues, tinyContext } from '../support/terms.ts';

/** Computes a term for environment 1, written at an offset as in the row of a group. */
function observe(name: string, params: Params = {}, changes: TinyValues = {}): number[] {
  const { dim, compute } = LIBRARY.observations[name]!.make(tinyContext(changes), params);
  const out = new Float32Array(dim + 2).fill(-99);
  compute(ENV, out, 1);
  expect([out[0], out[dim + 1]], 'nothing is written beside the term').toEqual([-99, -99]);
  return [...out.subarray(1, dim + 1)];
}

function expectNear(actual: readonly number[], wanted: readonly number[]) {
  expect(actual.length).toBe(wanted.length);
  for (const [i, value] of wanted.entries()) expect(actual[i], `value ${i}`).toBeCloseTo(value, 5);
}

/** A rotation by a third of a turn about (1, 1, −1) maps the quarter turn about z to the quarter turn about x. */
const THIRD = (2 * Math.PI) / 3 / Math.sqrt(3);

describe('command observations', () => {
  test.each<[string, readonly number[]]>([
    ['ref_base_height', [1.1]],
    ['ref_anchor_pos_w', [1.5, 0.2, 1.1]],
    // quarter turn about x: rows (1 0 0), (0 0 −1), (0 1 0)
    ['ref_anchor_ori_6d', [1, 0, 0, 0, 0, 1]],
    // in a frame turned about x, the local y is the world's z, and the local z the world's −y
    ['ref_base_lin_vel_b', [1, 3, -2]],
    ['ref_base_ang_vel_b', [4, 6, -5]],
    ['ref_gravity_b', [0, -1, 0]],
    ['ref_joint_pos', [0.4, 0.1]],
    ['ref_joint_vel', [2, 0]],
    ['generated_commands', [0.4, 0.1, 2, 0]],
    ['ref_base_lin_acc_b', [1, 3, -2]],
    ['ref_base_ang_acc_b', [4, 6, -5]],
    ['motion_segment_phase', [1]],
  ])('the command observation %s', (name, wanted) => expectNear(observe(name), wanted));
});

describe('proprioceptive observations', () => {
  test.each<[string, Params, readonly number[]]>([
    ['base_lin_vel', {}, [1, 3, -2]],
    ['base_ang_vel', {}, [4, 6, -5]],
    ['builtin_sensor', { sensor_name: 'robot/imu_ang_vel' }, [4, 6, -5]],
    ['builtin_sensor', { sensor_name: 'imu_lin_vel' }, [1, 3, -2]],
    // ω × (0.1, 0, 0) = (0, −0.5, −0.6)
    ['builtin_sensor', { sensor_name: 'imu_lin_vel', offset: [0.1, 0, 0] }, [1, 2.5, -2.6]],
    // ω × (0, 0, 0.1) = (0.6, −0.4, 0)
    ['builtin_sensor', { sensor_name: 'imu_lin_vel', offset: [0, 0, 0.1] }, [1.6, 2.6, -2]],
    ['builtin_sensor', { sensor_name: 'root_angmom' }, [1, 2, 3]],
    ['projected_gravity', {}, [0, -1, 0]],
    ['joint_pos_rel', {}, [0.2, -0.3]],
    ['joint_vel_rel', {}, [1, -2]],
    ['last_action', {}, [0.5, -1]],
    ['torso_ang_vel', {}, [0, 0, 2]],
    ['torso_ang_vel', { body_name: 'hand' }, [3, 4, 0]],
    ['torso_projected_gravity', {}, [0, 0, -1]],
    ['torso_projected_gravity', { body_name: 'root' }, [0, -1, 0]],
  ])('the proprioceptive observation %s %j', (name, params, wanted) => expectNear(observe(name, params), wanted));

  test('gravity in the frame of a body tilted by 30° about y', () => {
    const tilted = [Math.cos(Math.PI / 12), 0, Math.sin(Math.PI / 12), 0];
    const { bodyQuatW } = { bodyQuatW: [...tilted, 1, 0, 0, 0, 1, 0, 0, 0] };
    expectNear(observe('projected_gravity', {}, { bodyQuatW }), [0.5, 0, -Math.sqrt(3) / 2]);
  });
});

describe('observations of the anchor error', () => {
  test.each<[string, readonly number[]]>([
    // (0.5, 0.2, 0.1) in a frame turned about z
    ['motion_anchor_pos_b', [0.2, -0.5, 0.1]],
    ['motion_anchor_pos_z_b', [0.1]],
    // Rz(−90°) Rx(90°): rows (0 0 −1), (−1 0 0), (0 1 0)
    ['motion_anchor_ori_b', [0, 0, -1, 0, 0, 1]],
    ['motion_anchor_pos_error_w', [0.5, 0.2, 0.1]],
    ['motion_anchor_ori_error', [THIRD, THIRD, -THIRD]],
  ])('the observation of the anchor error %s', (name, wanted) => expectNear(observe(name), wanted));
});

describe('keybody observations', () => {
  test.each<[string, Params, readonly number[]]>([
    ['robot_body_pos_b', {}, [0, 0, 0, 2, 0, -0.3]],
    ['ref_body_pos_b', {}, [0.2, -0.5, 0.1, 2, -1, -0.5]],
    ['ref_body_pos_b', { body_names: ['hand'] }, [2, -1, -0.5]],
    ['ref_body_pos_b', { body_names: ['hand', 'torso'] }, [2, -1, -0.5, 0.2, -0.5, 0.1]],
    ['robot_body_ori_b', {}, [1, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0]],
    ['ref_body_ori_b', {}, [0, 0, -1, 0, 0, 1, 1, 0, 0, 1, 0, 0]],
    ['ref_body_ori_b', { body_names: ['hand'] }, [1, 0, 0, 1, 0, 0]],
    ['motion_body_lin_vel', {}, [0, -1, 0, 1, 0, 0]],
    ['motion_body_ang_vel', {}, [0, 0, 2, 4, -3, 0]],
    ['ref_body_lin_vel', {}, [2, -1, 3, 0, 0, 1]],
    ['ref_body_ang_vel', {}, [5, -4, 6, 1, 0, 0]],
  ])('the keybody observation %s %j', (name, params, wanted) => expectNear(observe(name, params), wanted));
});

describe('privileged observations of the critic', () => {
  test.each<[string, Params, readonly number[]]>([
    // −ln(1 + (e − 1)) = −1, ln(1 + (e² − 1)) = 2
    ['keybody_contact_forces', {}, [0, 0, -1, 2, 0, 0]],
    ['assistive_wrench_force', {}, [7, 8, 9]],
    ['assistive_wrench_torque', {}, [0.7, 0.8, 0.9]],
    ['assistive_wrench_gain', {}, [0.25]],
    ['motion_tracking_step_rewards', {}, [0, 0, 0, 0, 0.75, 0, 0, 0, 0, 0]],
    ['motion_tracking_step_rewards', { reward_names: ['survival', 'motion_body_pos'] }, [0, 0.75]],
    ['joint_mechanical_power', {}, [9, 100]],
    // 9 of 10 Nm, 50 of 100 Nm
    ['joint_torque_envelope_ratio', {}, [0.9, 0.5]],
  ])('the privileged observation %s %j', (name, params, wanted) => expectNear(observe(name, params), wanted));

  test('a fast motor gives less torque: half of 10 Nm midway between x1 and x2', () => {
    expectNear(observe('joint_torque_envelope_ratio', {}, { jointVel: [-3, 0] }), [1.8, 0.5]);
  });
});

test('parameters of the wrong type and unknown names are refused by name', () => {
  expect(() => observe('builtin_sensor', { sensor_name: 'lidar' })).toThrow(
    'params.sensor_name: there is no sensor lidar',
  );
  expect(() => observe('builtin_sensor', { offset: [1, 2] })).toThrow('params.offset: must be 3 numbers, not [1,2]');
  expect(() => observe('torso_ang_vel', { body_name: 'tail' })).toThrow('Tiny has no body tail');
  expect(() => observe('ref_body_pos_b', { body_names: 'hand' })).toThrow('params.body_names: must be a list of names');
});

import { describe, expect, test } from 'vitest';
import { LIBRARY } from '../../src/mdp/library.ts';
import type { Params } from '../../src/mdp/task-config.ts';
import { ABOUT_X, ENV, type TinyValues, tinyContext } from '../support/terms.ts';

const reward = (name: string, params: Params = {}, changes: TinyValues = {}) =>
  LIBRARY.rewards[name]!.make(tinyContext(changes), params)(ENV);
const { exp, PI } = Math;

test('the slip of a foot is measured at its sole, whatever the axes of its frame are', () => {
  // The frame of the hand is turned about x, so down is its −y axis: the sole is 0.1 m below in the world, as above.
  const hand = { bodyQuatW: [1, 0, 0, 0, 1, 0, 0, 0, ...ABOUT_X] };
  const context = tinyContext(hand, [0, -1, 0]);
  expect(LIBRARY.rewards['feet_slip']!.make(context, {})(ENV)).toBeCloseTo(1.85, 9);
});

describe('tracking', () => {
  test.each<[string, Params, number]>([
    // |(0.5, 0.2, 0.1)|² = 0.3
    ['motion_global_anchor_position_error_exp', {}, exp(-0.3 / 0.25)],
    ['motion_global_anchor_position_error_exp', { std: 0.4, kappa: 0.25 }, exp((-0.25 * 0.3) / 0.16)],
    // quarter turns about x and z differ by a third of a turn
    ['motion_global_anchor_orientation_error_exp', { std: 2 }, exp(-(((2 * PI) / 3) ** 2) / 4)],
    // |(0, 2, 3)|² = 13, |(4, 5, 4)|² = 57
    ['motion_anchor_linear_velocity_error_exp', { std: 5 }, exp(-13 / 25)],
    ['motion_anchor_linear_velocity_body_error_exp', { std: 5 }, exp(-13 / 25)],
    ['motion_anchor_angular_velocity_error_exp', { std: 10 }, exp(-57 / 100)],
    ['motion_anchor_angular_velocity_body_error_exp', { std: 10, kappa: 2 }, exp(-1.14)],
    // torso 0.1 m and hand 0.3 m off: squared errors 0.01 and 0.09
    ['motion_relative_body_position_error_exp', {}, exp(-0.05 / 0.0225)],
    ['motion_relative_body_position_error_exp', { body_names: ['torso'] }, exp(-0.01 / 0.0225)],
    ['motion_relative_body_position_error_exp', { body_error_aggregate: 'sum', std: 1 }, exp(-0.1)],
    // s² = 0.2² · 2
    [
      'motion_relative_body_position_error_exp',
      { sigma_per_keybody: 0.2, body_error_aggregate: 'sum', kappa: 0.25 },
      exp((-0.25 * 0.1) / 0.08),
    ],
    [
      'motion_relative_body_position_error_exp',
      { sigma_per_keybody: 0.2, per_keybody: true },
      (exp(-0.25) + exp(-2.25)) / 2,
    ],
    // hand a quarter turn off, torso without error
    ['motion_relative_body_orientation_error_exp', { std: 1 }, exp(-(PI ** 2) / 8)],
    ['motion_relative_body_orientation_error_exp', { std: 1, body_names: ['hand'] }, exp(-(PI ** 2) / 4)],
    // 13 and |(0, 1, −1)|² = 2; 57 and |(3, 3, 0)|² = 18
    ['motion_global_body_linear_velocity_error_exp', { std: 5 }, exp(-7.5 / 25)],
    ['motion_global_body_angular_velocity_error_exp', { std: 10 }, exp(-0.375)],
    // 0.1² + 0.3² = 0.1
    ['motion_joint_position_error_exp', {}, exp(-0.1 / 0.25)],
    ['motion_joint_position_error_exp', { sigma_per_joint: 0.3, kappa: 0.25 }, exp(-0.025 / 0.18)],
    ['motion_joint_position_error_exp', { sigma_per_joint: 0.3, per_joint: true }, (exp(-1 / 9) + exp(-1)) / 2],
    ['motion_joint_position_error_exp', { joint_names: ['elbow'] }, exp(-0.09 / 0.25)],
    // 1² + 2² = 5
    ['motion_joint_velocity_error_exp', {}, exp(-1.25)],
  ])('the tracking reward %s %j', (name, params, wanted) => expect(reward(name, params)).toBeCloseTo(wanted, 9));

  test('a tracking reward is 1 on the reference, and 0 without bodies', () => {
    const on = { refBodyPosW: [0, 0, 0, 1, 2, 3, 0, 0, 0], bodyPosW: [9, 9, 9, 1, 2, 3, 9, 9, 9] };
    expect(reward('motion_global_anchor_position_error_exp', {}, on)).toBe(1);
    expect(reward('motion_relative_body_position_error_exp', { body_names: [] })).toBe(0);
  });

  test('a kernel of width 0 gives 1 only at zero error and never NaN', () => {
    expect(reward('motion_global_anchor_position_error_exp', { std: 0 })).toBe(0);
  });

  test('a kernel per joint requires its width', () => {
    expect(() => reward('motion_joint_position_error_exp', { per_joint: true })).toThrow('sigma_per_joint');
    expect(() => reward('motion_joint_position_error_exp', { std: 'wide' })).toThrow(
      'params.std: must be a number, not "wide"',
    );
    expect(() => reward('motion_relative_body_position_error_exp', { body_error_aggregate: 'median' })).toThrow(
      'params.body_error_aggregate: must be one of mean, sum',
    );
  });
});

describe('penalties', () => {
  test.each<[string, Params, TinyValues, number]>([
    ['action_rate_l1', {}, {}, 1.8],
    ['action_rate_l2', {}, {}, 2.34],
    ['joint_acc_l1', {}, {}, 30],
    ['joint_acc_l1', { joint_names: ['elbow'] }, {}, 20],
    ['joint_acc_l2', {}, {}, 500],
    // The knee is 0.1 rad above its upper limit of 0.2, the elbow 0.1 rad below its lower limit of −0.1.
    ['joint_pos_limits', {}, {}, 0.2],
    ['joint_pos_limits', { joint_names: ['knee'] }, {}, 0.1],
    ['joint_pos_limits', {}, { jointPos: [0.2, -0.1] }, 0],
    ['is_alive', {}, {}, 1],
    ['is_alive', {}, { terminated: [1] }, 0],
    ['is_alive', {}, { timedOut: [1] }, 1],
    ['is_terminated', {}, {}, 0],
    ['is_terminated', {}, { terminated: [1] }, 1],
    // the sole is 0.1 m below the hand: v + ω × r = (−0.4, 1 + 0.3)
    ['feet_slip', {}, {}, 1.85],
    ['feet_slip', {}, { footContact: [0] }, 0],
    // turned about x, the sole is at (0, 0.1, 0): ω × r with ω = (0, 0, 2) is (−0.2, 0, 0)
    [
      'feet_slip',
      {},
      {
        bodyQuatW: [1, 0, 0, 0, 1, 0, 0, 0, ...ABOUT_X],
        bodyAngVelW: [0, 0, 0, 0, 0, 0, 0, 0, 2],
        bodyLinVelW: [0, 0, 0, 0, 0, 0, 0.5, 0, 9],
      },
      0.09,
    ],
    ['angular_momentum_penalty', {}, {}, 5],
    ['angular_momentum_penalty', { axes: 'xyz' }, {}, 14],
    // |ω| 2 and 5
    ['anti_shake_ang_vel_l2', {}, {}, 0],
    ['anti_shake_ang_vel_l2', { threshold: 1 }, {}, 8.5],
    ['anti_shake_ang_vel_l2', { threshold: 1, body_names: ['hand'] }, {}, 16],
    ['flat_orientation_l2', {}, {}, 1],
  ])('the penalty %s %j %j', (name, params, changes, wanted) =>
    expect(reward(name, params, changes)).toBeCloseTo(wanted, 9),
  );
});

describe('effort', () => {
  test.each<[string, Params, TinyValues, number]>([
    // 9 of the motor's y2 = 10 Nm, 50 of 100 Nm
    ['actuator_torque_soft_limit', { soft_ratio: 0.5 }, {}, 0.4],
    ['actuator_torque_soft_limit', {}, {}, 0],
    ['actuator_torque_soft_limit', {}, { torque: [10, -120] }, 0.3],
    ['joint_torques_l2', {}, {}, 2581],
    ['mechanical_power_l1', {}, {}, 109],
    ['mechanical_power_l1', {}, { jointVel: [-1, -2] }, 100],
    ['electrical_power_cost', {}, {}, 109],
    ['negative_mechanical_power_l2', {}, {}, 0],
    ['negative_mechanical_power_l2', {}, { jointVel: [-1, 2] }, 9 ** 2 + 100 ** 2],
    // (9 − 1) / 4 = 2
    [
      'negative_mechanical_power_l2',
      { power_deadband: 1, penalty_scale: 4, joint_names: ['knee'] },
      { jointVel: [-1, 2] },
      4,
    ],
    // driving at 1 rad/s: 9 exceeds y1 = 8 Nm; braking: within y2 = 10 Nm; at 3 rad/s, half of the limit
    ['torque_envelope_violation_l2', {}, {}, 1],
    ['torque_envelope_violation_l2', {}, { jointVel: [-1, 0] }, 0],
    ['torque_envelope_violation_l2', {}, { jointVel: [-3, 0] }, 16],
    ['torque_envelope_violation_l2', {}, { jointVel: [3, 0], torque: [9, 130] }, 25 + 900],
  ])('the effort reward %s %j %j', (name, params, changes, wanted) =>
    expect(reward(name, params, changes)).toBeCloseTo(wanted, 9),
  );

  test('a joint that the robot does not have is refused', () => {
    expect(() => reward('joint_acc_l1', { joint_names: ['tail'] })).toThrow('Tiny has no joint tail');
  });
});

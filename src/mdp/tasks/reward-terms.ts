import type { RobotFacts } from '../../robots/robot-facts.ts';
import type { Params, RewardTermConfig } from '../task-config.ts';

type Rewards = Readonly<Record<string, RewardTermConfig>>;

const reward = (func: string, weight: number, params: Params = {}): RewardTermConfig => ({ func, weight, params });

/** Steepness of Zest's kernels (arXiv:2602.00401, table S4). */
export const ZEST_KAPPA = 0.25;

/** Rewards that all tasks share. */
export function baseRewards(facts: RobotFacts): Rewards {
  const knees = facts.joints.map((joint) => joint.name).filter((name) => /knee/i.test(name));
  return {
    motion_global_root_pos: reward('motion_global_anchor_position_error_exp', 0.5, { std: 0.5 }),
    motion_global_root_ori: reward('motion_global_anchor_orientation_error_exp', 1, { std: 0.4 }),
    motion_root_lin_vel_b: reward('motion_anchor_linear_velocity_body_error_exp', 1, { std: 1 }),
    motion_root_ang_vel_b: reward('motion_anchor_angular_velocity_body_error_exp', 1, { std: 1.5 }),
    motion_body_pos: reward('motion_relative_body_position_error_exp', 1.5, { std: 0.15 }),
    motion_body_ori: reward('motion_relative_body_orientation_error_exp', 1, { std: 0.4 }),
    motion_body_lin_vel: reward('motion_global_body_linear_velocity_error_exp', 1, { std: 1 }),
    motion_body_ang_vel: reward('motion_global_body_angular_velocity_error_exp', 1, { std: 3.14 }),
    motion_joint_pos: reward('motion_joint_position_error_exp', 1, { std: 0.5 }),
    motion_joint_vel: reward('motion_joint_velocity_error_exp', 0.5, { std: 2 }),
    action_rate_l1: reward('action_rate_l1', -0.08),
    joint_acc: reward('joint_acc_l1', -2e-6),
    joint_limit: reward('joint_pos_limits', -10),
    survival: reward('is_alive', 1),
    actuator_torque_soft_limit: reward('actuator_torque_soft_limit', 0, { soft_ratio: 0.95 }),
    foot_slip: reward('feet_slip', 0),
    angular_momentum: reward('angular_momentum_penalty', 0),
    neg_regen_power: reward('negative_mechanical_power_l2', 0, { joint_names: knees.length > 0 ? knees : null }),
    anti_shake: reward('anti_shake_ang_vel_l2', 0, { threshold: 5 }),
  };
}

/** @param bodies bodies whose poses are tracked; null: all keybodies */
function zestTracking(base: Rewards, bodies: readonly string[] | null): Rewards {
  const kappa = ZEST_KAPPA;
  const changed = (name: string, weight: number, params: Params) => reward(base[name]!.func, weight, params);
  const perBody = { body_error_aggregate: 'sum', body_names: bodies, kappa };
  return {
    ...base,
    motion_global_root_pos: changed('motion_global_root_pos', 1, { std: 0.4, kappa }),
    motion_global_root_ori: changed('motion_global_root_ori', 1, { std: 0.5, kappa }),
    motion_root_lin_vel_b: changed('motion_root_lin_vel_b', 1, { std: 0.6, kappa }),
    motion_root_ang_vel_b: changed('motion_root_ang_vel_b', 1, { std: 1.5, kappa }),
    motion_body_pos: changed('motion_body_pos', 1, { sigma_per_keybody: 0.2, ...perBody }),
    motion_body_ori: changed('motion_body_ori', 1, { sigma_per_keybody: 0.4, ...perBody }),
    motion_joint_pos: changed('motion_joint_pos', 1, { sigma_per_joint: 0.3, kappa }),
    motion_joint_vel: changed('motion_joint_vel', 0, { std: 2 }),
    action_rate_l1: changed('action_rate_l1', -0.1, {}),
    joint_acc: changed('joint_acc', -5e-6, {}),
    joint_limit: changed('joint_limit', -1, {}),
    actuator_torque_soft_limit: changed('actuator_torque_soft_limit', -0.1, { soft_ratio: 0.9 }),
  };
}

/** Terms with Zest's kernels over all key bodies, and terms for the velocities of these bodies. */
export function wbcRewards(facts: RobotFacts): Rewards {
  const rewards = zestTracking(baseRewards(facts), null);
  return {
    ...rewards,
    motion_body_lin_vel: { ...rewards['motion_body_lin_vel']!, weight: 0.5 },
    motion_body_ang_vel: { ...rewards['motion_body_ang_vel']!, weight: 0.5 },
  };
}

/** Zest's kernels over hands and feet only; over all key bodies for a robot that has neither, because a kernel over no
 *  body is always 0 and would look like a failure to track. */
export function zestRewards(facts: RobotFacts, endEffectors: readonly string[]): Rewards {
  const rewards = zestTracking(baseRewards(facts), endEffectors.length > 0 ? endEffectors : null);
  return {
    ...rewards,
    motion_body_lin_vel: { ...rewards['motion_body_lin_vel']!, weight: 0 },
    motion_body_ang_vel: { ...rewards['motion_body_ang_vel']!, weight: 0 },
  };
}

/** BeyondMimic's rewards, which track bodies instead of joints. */
export function binaryFailureRewards(facts: RobotFacts): Rewards {
  const weights: Readonly<Record<string, number>> = {
    motion_global_root_ori: 0.5,
    motion_body_pos: 1,
    motion_joint_pos: 0,
    motion_joint_vel: 0,
    action_rate_l1: -0.1,
    survival: 0,
  };
  return Object.fromEntries(
    Object.entries(baseRewards(facts)).map(([name, term]) => [name, { ...term, weight: weights[name] ?? term.weight }]),
  );
}

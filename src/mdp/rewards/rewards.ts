import type { RewardTerm } from '../term.ts';
import { named } from '../term-names.ts';
import * as effort from './effort.ts';
import * as penalties from './penalties.ts';
import * as tracking from './tracking.ts';

const FUNCTIONS: Readonly<Record<string, RewardTerm>> = {
  motion_global_anchor_position_error_exp: tracking.motionGlobalAnchorPositionErrorExp,
  motion_global_anchor_orientation_error_exp: tracking.motionGlobalAnchorOrientationErrorExp,
  motion_anchor_linear_velocity_error_exp: tracking.motionAnchorLinearVelocityErrorExp,
  motion_anchor_angular_velocity_error_exp: tracking.motionAnchorAngularVelocityErrorExp,
  motion_anchor_linear_velocity_body_error_exp: tracking.motionAnchorLinearVelocityErrorExp,
  motion_anchor_angular_velocity_body_error_exp: tracking.motionAnchorAngularVelocityErrorExp,
  motion_relative_body_position_error_exp: tracking.motionRelativeBodyPositionErrorExp,
  motion_relative_body_orientation_error_exp: tracking.motionRelativeBodyOrientationErrorExp,
  motion_global_body_linear_velocity_error_exp: tracking.motionGlobalBodyLinearVelocityErrorExp,
  motion_global_body_angular_velocity_error_exp: tracking.motionGlobalBodyAngularVelocityErrorExp,
  motion_joint_position_error_exp: tracking.motionJointPositionErrorExp,
  motion_joint_velocity_error_exp: tracking.motionJointVelocityErrorExp,
  action_rate_l1: penalties.actionRateL1,
  action_rate_l2: penalties.actionRateL2,
  joint_acc_l1: penalties.jointAccL1,
  joint_acc_l2: penalties.jointAccL2,
  joint_pos_limits: penalties.jointPosLimits,
  is_alive: penalties.isAlive,
  is_terminated: penalties.isTerminated,
  feet_slip: penalties.feetSlip,
  angular_momentum_penalty: penalties.angularMomentumPenalty,
  anti_shake_ang_vel_l2: penalties.antiShakeAngVelL2,
  flat_orientation_l2: penalties.flatOrientationL2,
  actuator_torque_soft_limit: effort.actuatorTorqueSoftLimit,
  joint_torques_l2: effort.jointTorquesL2,
  mechanical_power_l1: effort.mechanicalPowerL1,
  electrical_power_cost: effort.mechanicalPowerL1,
  negative_mechanical_power_l2: effort.negativeMechanicalPowerL2,
  torque_envelope_violation_l2: effort.torqueEnvelopeViolationL2,
};

/** Names that upstream's tasks use for a function. */
const TASK_NAMES: Readonly<Record<string, string>> = {
  motion_global_root_pos: 'motion_global_anchor_position_error_exp',
  motion_global_root_ori: 'motion_global_anchor_orientation_error_exp',
  motion_root_lin_vel_b: 'motion_anchor_linear_velocity_body_error_exp',
  motion_root_ang_vel_b: 'motion_anchor_angular_velocity_body_error_exp',
  motion_body_pos: 'motion_relative_body_position_error_exp',
  motion_body_ori: 'motion_relative_body_orientation_error_exp',
  motion_body_lin_vel: 'motion_global_body_linear_velocity_error_exp',
  motion_body_ang_vel: 'motion_global_body_angular_velocity_error_exp',
  motion_joint_pos: 'motion_joint_position_error_exp',
  motion_joint_vel: 'motion_joint_velocity_error_exp',
  joint_acc: 'joint_acc_l1',
  joint_limit: 'joint_pos_limits',
  survival: 'is_alive',
  foot_slip: 'feet_slip',
  angular_momentum: 'angular_momentum_penalty',
  neg_regen_power: 'negative_mechanical_power_l2',
  anti_shake: 'anti_shake_ang_vel_l2',
};

/** Every reward, by the name of upstream's function and by the names that tasks use. */
export const REWARDS: Readonly<Record<string, RewardTerm>> = named(FUNCTIONS, TASK_NAMES);

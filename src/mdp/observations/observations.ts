import type { ObservationTerm } from '../term.ts';
import { named } from '../term-names.ts';
import * as anchor from './anchor.ts';
import * as keybodies from './keybodies.ts';
import * as privileged from './privileged.ts';
import * as proprioception from './proprioception.ts';
import * as reference from './reference.ts';

const FUNCTIONS: Readonly<Record<string, ObservationTerm>> = {
  ref_base_height: reference.refBaseHeight,
  ref_base_lin_vel_b: reference.refBaseLinVelB,
  ref_base_ang_vel_b: reference.refBaseAngVelB,
  ref_gravity_b: reference.refGravityB,
  ref_joint_pos: reference.refJointPos,
  ref_joint_vel: reference.refJointVel,
  ref_anchor_pos_w: reference.refAnchorPosW,
  ref_anchor_ori_6d: reference.refAnchorOri6d,
  ref_base_lin_acc_b: reference.refBaseLinAccB,
  ref_base_ang_acc_b: reference.refBaseAngAccB,
  generated_commands: reference.generatedCommands,
  motion_segment_phase: reference.motionSegmentPhase,
  base_lin_vel: proprioception.baseLinVel,
  base_ang_vel: proprioception.baseAngVel,
  builtin_sensor: proprioception.builtinSensor,
  projected_gravity: proprioception.projectedGravity,
  joint_pos_rel: proprioception.jointPosRel,
  joint_vel_rel: proprioception.jointVelRel,
  last_action: proprioception.lastAction,
  torso_ang_vel: proprioception.torsoAngVel,
  torso_projected_gravity: proprioception.torsoProjectedGravity,
  motion_anchor_pos_b: anchor.motionAnchorPosB,
  motion_anchor_pos_z_b: anchor.motionAnchorPosZB,
  motion_anchor_ori_b: anchor.motionAnchorOriB,
  motion_anchor_pos_error_w: anchor.motionAnchorPosErrorW,
  motion_anchor_ori_error: anchor.motionAnchorOriError,
  ref_body_pos_b: keybodies.refBodyPosB,
  ref_body_ori_b: keybodies.refBodyOriB,
  robot_body_pos_b: keybodies.robotBodyPosB,
  robot_body_ori_b: keybodies.robotBodyOriB,
  ref_body_lin_vel: keybodies.refBodyLinVel,
  ref_body_ang_vel: keybodies.refBodyAngVel,
  motion_body_lin_vel: keybodies.motionBodyLinVel,
  motion_body_ang_vel: keybodies.motionBodyAngVel,
  keybody_contact_forces: privileged.keybodyContactForces,
  assistive_wrench_force: privileged.assistiveWrenchForce,
  assistive_wrench_torque: privileged.assistiveWrenchTorque,
  assistive_wrench_gain: privileged.assistiveWrenchGain,
  motion_tracking_step_rewards: privileged.motionTrackingStepRewards,
  joint_mechanical_power: privileged.jointMechanicalPower,
  joint_torque_envelope_ratio: privileged.jointTorqueEnvelopeRatio,
};

/** Additional names of functions, as used in the tasks of the original project (upstream) and by deployed policies. */
const TASK_NAMES: Readonly<Record<string, string>> = {
  joint_pos: 'joint_pos_rel',
  joint_vel: 'joint_vel_rel',
  actions: 'last_action',
  ref_body_pos: 'ref_body_pos_b',
  ref_body_ori: 'ref_body_ori_b',
  body_pos: 'robot_body_pos_b',
  body_ori: 'robot_body_ori_b',
  ref_base_lin_acc: 'ref_base_lin_acc_b',
  ref_base_ang_acc: 'ref_base_ang_acc_b',
  assistive_force: 'assistive_wrench_force',
  assistive_torque: 'assistive_wrench_torque',
  assistive_gain: 'assistive_wrench_gain',
  motion_command: 'generated_commands',
  command: 'generated_commands',
};

/** Every observation, by the name of upstream's function and by the names that tasks use. */
export const OBSERVATIONS: Readonly<Record<string, ObservationTerm>> = named(FUNCTIONS, TASK_NAMES);

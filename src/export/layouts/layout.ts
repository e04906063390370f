import type { ExportFormat } from '../../protocol/schemas/exports.ts';
import type { Reading } from '../readings.ts';

/** Describes the abilities of the controller of a layout. */
export interface Layout {
  readonly format: ExportFormat;
  /** name of each value that the controller can provide, in the order in which the network gets them */
  readonly names: Readonly<Partial<Record<Reading, string>>>;
  /** whether the controller can add actions to the reference instead of the default pose */
  readonly residual: boolean;
  /** whether all observations must have the same history length */
  readonly oneHistory: boolean;
}

/** Controller motion_tracking_controller, which reads the metadata of the ONNX file. */
const WHOLE_BODY_TRACKING: Layout = {
  format: 'whole_body_tracking',
  names: {
    command: 'command',
    anchor_pos_b: 'motion_anchor_pos_b',
    anchor_ori_b: 'motion_anchor_ori_b',
    base_lin_vel: 'base_lin_vel',
    base_ang_vel: 'base_ang_vel',
    projected_gravity: 'projected_gravity',
    joint_pos: 'joint_pos',
    joint_vel: 'joint_vel',
    last_action: 'actions',
  },
  residual: false,
  oneHistory: false,
};

/** Controllers of unitree_rl_lab and unitree_rl_mjlab, state `Mimic`, which read `deploy.yaml`. */
const UNITREE: Layout = {
  format: 'unitree',
  names: {
    command: 'motion_command',
    anchor_ori_b: 'motion_anchor_ori_b',
    base_ang_vel: 'base_ang_vel',
    projected_gravity: 'projected_gravity',
    joint_pos: 'joint_pos_rel',
    joint_vel: 'joint_vel_rel',
    last_action: 'last_action',
  },
  residual: false,
  oneHistory: false,
};

/** Controller wbc-g1-deploy, which reads `config.yaml` in the schema wbc_tracking_params_v1. */
const WBC_G1_DEPLOY: Layout = {
  format: 'wbc-g1-deploy',
  names: {
    ref_base_height: 'ref_base_height',
    ref_base_lin_vel_b: 'ref_base_lin_vel_b',
    ref_base_ang_vel_b: 'ref_base_ang_vel_b',
    ref_gravity_b: 'ref_gravity_b',
    ref_joint_pos: 'ref_joint_pos',
    ref_joint_vel: 'ref_joint_vel',
    base_ang_vel: 'base_ang_vel',
    projected_gravity: 'projected_gravity',
    joint_pos: 'joint_pos',
    joint_vel: 'joint_vel',
    last_action: 'actions',
  },
  residual: true,
  oneHistory: true,
};

export const LAYOUTS: Readonly<Record<ExportFormat, Layout>> = {
  whole_body_tracking: WHOLE_BODY_TRACKING,
  unitree: UNITREE,
  'wbc-g1-deploy': WBC_G1_DEPLOY,
};

/** Names that controllers accept in addition to the names that this service writes. */
const OTHER_NAMES: Readonly<Record<string, Reading>> = {
  motion_command: 'command',
  generated_commands: 'command',
  motion_ref_pos_b: 'anchor_pos_b',
  motion_ref_ori_b: 'anchor_ori_b',
  joint_pos_rel: 'joint_pos',
  joint_vel_rel: 'joint_vel',
  last_action: 'last_action',
};

/** Returns the reading that a layout calls `name`; undefined for an unknown name. */
export function readingNamed({ names }: Layout, name: string): Reading | null {
  for (const [reading, own] of Object.entries(names) as [Reading, string][]) if (own === name) return reading;
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name]! : null;
  return other !== null && names[other] !== undefined ? other : null;
}

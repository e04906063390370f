import { describe, expect, test } from 'vitest';
import { LIBRARY } from '../../src/mdp/library.ts';
import type { ParamSchema } from '../../src/mdp/term.ts';
import { tinyContext } from '../support/terms.ts';

const words = (text: string) => text.trim().split(/\s+/);

/** Names of the terms that the tasks of wbc_mjlab use, and further terms that this service has. All must exist. */
const TASK_NAMES = {
  observations: words(`ref_base_height ref_base_lin_vel_b ref_base_ang_vel_b ref_gravity_b ref_joint_pos ref_joint_vel
    base_ang_vel projected_gravity joint_pos joint_vel actions motion_anchor_pos_b motion_anchor_ori_b
    motion_anchor_pos_error_w motion_anchor_ori_error ref_body_pos ref_body_ori body_pos body_ori ref_body_lin_vel
    ref_body_ang_vel motion_body_lin_vel motion_body_ang_vel ref_base_lin_acc ref_base_ang_acc base_lin_vel
    assistive_force assistive_torque assistive_gain motion_segment_phase motion_tracking_step_rewards
    keybody_contact_forces torso_ang_vel torso_projected_gravity ref_anchor_pos_w ref_anchor_ori_6d
    joint_mechanical_power joint_torque_envelope_ratio`),
  rewards: words(`motion_global_root_pos motion_global_root_ori motion_root_lin_vel_b motion_root_ang_vel_b
    motion_body_pos motion_body_ori motion_body_lin_vel motion_body_ang_vel motion_joint_pos motion_joint_vel
    action_rate_l1 joint_acc joint_limit survival actuator_torque_soft_limit foot_slip angular_momentum
    neg_regen_power anti_shake`),
  terminations: words(`time_out anchor_pos anchor_ori ee_body_pos keybody_ground_contact_force bad_anchor_pos
    bad_motion_body_pos excessive_contact_force bad_orientation nan_detection`),
};

/** Function names in runs and deployed policies of wbc_mjlab, mjlab and whole_body_tracking. */
const FUNCTIONS = {
  observations: words(`ref_body_pos_b ref_body_ori_b robot_body_pos_b robot_body_ori_b ref_base_lin_acc_b
    ref_base_ang_acc_b builtin_sensor joint_pos_rel joint_vel_rel last_action generated_commands motion_command
    command motion_anchor_pos_z_b assistive_wrench_force assistive_wrench_torque assistive_wrench_gain`),
  rewards: words(`motion_global_anchor_position_error_exp motion_global_anchor_orientation_error_exp
    motion_anchor_linear_velocity_body_error_exp motion_anchor_angular_velocity_body_error_exp
    motion_relative_body_position_error_exp motion_relative_body_orientation_error_exp
    motion_global_body_linear_velocity_error_exp motion_global_body_angular_velocity_error_exp
    motion_joint_position_error_exp motion_joint_velocity_error_exp joint_acc_l1 joint_pos_limits is_alive feet_slip
    angular_momentum_penalty negative_mechanical_power_l2 anti_shake_ang_vel_l2 action_rate_l2`),
  terminations: words(`bad_anchor_pos_z_only bad_anchor_ori bad_motion_body_pos_z_only
    excessive_keybody_ground_contact_force`),
};

const KINDS = ['observations', 'rewards', 'terminations'] as const;

describe.each(KINDS)('the library of %s', (kind) => {
  test("the library has every term and function of upstream's tasks", () => {
    const known = Object.keys(LIBRARY[kind]);
    expect([...TASK_NAMES[kind], ...FUNCTIONS[kind]].filter((name) => !known.includes(name))).toEqual([]);
  });

  test('the library describes each term in one sentence, and each parameter', () => {
    for (const [name, term] of Object.entries(LIBRARY[kind])) {
      expect(term.description, name).toMatch(/^\S.{9,}[^.]$/s);
      expect(term.description, name).not.toContain('\n');
      expect(term.unit.length, name).toBeGreaterThan(0);
      for (const [param, schema] of Object.entries<ParamSchema>(term.params)) {
        expect(schema.description.length, `${name}.${param}`).toBeGreaterThan(4);
        expect(defaultFits(schema), `${name}.${param}: ${JSON.stringify(schema.default)}`).toBe(true);
      }
    }
  });

  test('the library creates every term with its default parameters', () => {
    for (const term of Object.values(LIBRARY[kind])) expect(() => term.make(tinyContext(), {})).not.toThrow();
  });
});

/** Returns whether a default has its parameter's type. The default null always fits. */
function defaultFits({ type, default: value, enum: allowed }: ParamSchema): boolean {
  if (value === null) return true;
  switch (type) {
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'enum':
      return typeof value === 'string' && (allowed ?? []).includes(value);
    case 'vector':
      return Array.isArray(value) && value.every((x) => typeof x === 'number');
    case 'names':
      return Array.isArray(value) && value.every((x) => typeof x === 'string');
  }
}

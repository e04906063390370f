import type { ObservationGroupConfig, ObservationTermConfig } from '../task-config.ts';

type Terms = Readonly<Record<string, ObservationTermConfig>>;
type Noise = number | readonly number[];

/** @param noise half width of uniform noise, one for all values or one per value; absent: no noise */
function term(func: string, noise?: Noise, params: ObservationTermConfig['params'] = {}): ObservationTermConfig {
  const negative = typeof noise === 'object' ? noise.map((x) => -x) : -(noise ?? 0);
  return {
    func,
    params,
    noise: noise === undefined ? null : { n_min: negative, n_max: noise },
    noise_scale: 1,
    clip: null,
    scale: null,
    delay_min_lag: 0,
    delay_max_lag: 0,
    history_length: 0,
  };
}

/** Observations of the actor of the plain task: reference, the robot's motion, last action. The task BinaryFailure adds
 *  `ref_joint_vel`. */
const ACTOR: Terms = {
  ref_base_height: term('ref_base_height', 0.01),
  ref_base_lin_vel_b: term('ref_base_lin_vel_b', [0.1, 0.1, 0.05]),
  ref_base_ang_vel_b: term('ref_base_ang_vel_b', [0.2, 0.2, 0.3]),
  ref_gravity_b: term('ref_gravity_b', 0.02),
  ref_joint_pos: term('ref_joint_pos', 0.05),
  ref_joint_vel: term('ref_joint_vel'),
  base_ang_vel: term('builtin_sensor', 0.2, { sensor_name: 'imu_ang_vel' }),
  projected_gravity: term('projected_gravity', 0.05),
  joint_pos: term('joint_pos_rel', 0.01),
  joint_vel: term('joint_vel_rel', 1.5),
  actions: term('last_action'),
};

/** Values of a state estimator instead of height and gravity. */
const ESTIMATED: Terms = {
  motion_anchor_pos_error_w: term('motion_anchor_pos_error_w', 0.1),
  motion_anchor_ori_error: term('motion_anchor_ori_error', 0.02),
  base_lin_vel: term('builtin_sensor', 0.25, { sensor_name: 'imu_lin_vel' }),
};
const WITHOUT_ESTIMATOR = ['ref_base_height', 'ref_gravity_b', 'projected_gravity'];

/** Observations for the critic only, after the actor's terms. */
const PRIVILEGED: Terms = {
  motion_anchor_pos_b: term('motion_anchor_pos_b'),
  motion_anchor_ori_b: term('motion_anchor_ori_b'),
  motion_anchor_pos_error_w: term('motion_anchor_pos_error_w'),
  motion_anchor_ori_error: term('motion_anchor_ori_error'),
  ref_body_pos: term('ref_body_pos_b'),
  ref_body_ori: term('ref_body_ori_b'),
  body_pos: term('robot_body_pos_b'),
  body_ori: term('robot_body_ori_b'),
  ref_body_lin_vel: term('ref_body_lin_vel'),
  ref_body_ang_vel: term('ref_body_ang_vel'),
  motion_body_lin_vel: term('motion_body_lin_vel'),
  motion_body_ang_vel: term('motion_body_ang_vel'),
  ref_base_lin_acc: term('ref_base_lin_acc_b'),
  ref_base_ang_acc: term('ref_base_ang_acc_b'),
  base_lin_vel: term('base_lin_vel'),
  assistive_force: term('assistive_wrench_force'),
  assistive_torque: term('assistive_wrench_torque'),
  assistive_gain: term('assistive_wrench_gain'),
  motion_segment_phase: term('motion_segment_phase'),
  motion_tracking_step_rewards: term('motion_tracking_step_rewards'),
  keybody_contact_forces: term('keybody_contact_forces'),
};

/** @param jointVelocity whether to add the joint velocities of the reference
 *  @param estimated whether to use the values of a state estimator
 *  @param history history length of the group; null: those of the terms */
export function actorGroup(options: {
  readonly jointVelocity: boolean;
  readonly estimated: boolean;
  readonly history: number | null;
}): ObservationGroupConfig {
  const kept = Object.entries(ACTOR).filter(
    ([name]) =>
      (options.jointVelocity || name !== 'ref_joint_vel') && !(options.estimated && WITHOUT_ESTIMATOR.includes(name)),
  );
  return {
    terms: { ...Object.fromEntries(kept), ...(options.estimated ? ESTIMATED : {}) },
    enable_corruption: true,
    history_length: options.history,
  };
}

export function criticGroup(): ObservationGroupConfig {
  const clean = Object.entries(ACTOR).map(([name, { func, params }]) => [name, term(func, undefined, params)] as const);
  return { terms: { ...Object.fromEntries(clean), ...PRIVILEGED }, enable_corruption: false, history_length: null };
}

import type { EventTermConfig, PoseRange } from '../task-config.ts';

/** Ranges of pushes and of velocities added at a reset, m/s and rad/s. */
export const VELOCITY_RANGE = {
  x: [-0.5, 0.5],
  y: [-0.5, 0.5],
  z: [-0.2, 0.2],
  roll: [-0.52, 0.52],
  pitch: [-0.52, 0.52],
  yaw: [-0.78, 0.78],
} as const satisfies PoseRange;

/** Returns the disturbances, variations and assistance of a robot. Values: `make_base_wbc_env_cfg` of wbc_mjlab. */
export function baseEvents(anchor: string): Readonly<Record<string, EventTermConfig>> {
  return {
    assistive_wrench: {
      func: 'assistive_wrench',
      mode: 'step',
      interval_range_s: null,
      params: { enabled: true, beta_max: 0.6, eta: 0.8, kvp: 1, kvd: 10, kwp: 200, kwd: 10 },
    },
    push_robot: {
      func: 'push_by_setting_velocity',
      mode: 'interval',
      interval_range_s: [1, 3],
      params: VELOCITY_RANGE,
    },
    base_com: {
      func: 'body_com_offset',
      mode: 'startup',
      interval_range_s: null,
      params: { body_name: anchor, x: [-0.025, 0.025], y: [-0.05, 0.05], z: [-0.05, 0.05] },
    },
    pull_robot: {
      func: 'apply_external_force_torque',
      mode: 'interval',
      interval_range_s: [1, 4],
      params: { body_name: anchor, force_range: [0, 0], torque_range: [0, 0] },
    },
    encoder_bias: {
      func: 'encoder_bias',
      mode: 'startup',
      interval_range_s: null,
      params: { bias_range: [-0.01, 0.01] },
    },
    foot_friction: {
      func: 'geom_friction',
      mode: 'startup',
      interval_range_s: null,
      params: { ranges: [0.3, 1.5] },
    },
  };
}

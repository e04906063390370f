import type { QaSettings } from '../../core/settings.ts';

/** Thresholds of all checks, in m, rad, s and frames at 50 a second. Calibrated on mocap that was retargeted to a G1
 *  (walk, dance, falls, flips; 30 and 50 Hz) and on the built-in clips: behind each what clean clips reach. */
export const QA_DEFAULTS = {
  joint_limit: {
    margin: 0.02, // clean: 0
  },
  joint_velocity: {
    limit: 30, // rad/s; clean: 30 between the frames around, 33 between neighbours
  },
  joint_acceleration: {
    limit: 1000, // rad/s²; clean: 954 at 30 Hz
  },
  jump: {
    position_warning: 0.15, // sprint: 0.11
    position_error: 0.25,
    position_break: 0.05, // clean: 0.019
    rotation_warning: 0.35, // clean: 0.235
    rotation_error: 0.6,
    rotation_break: 0.35, // clean: 0.186
    joint_warning: 0.8, // clean: 0.72
    joint_error: 1.2,
    joint_break: 0.4, // clean: 0.92 of it, with what the motion around allows
  },
  ground_penetration: {
    warning: 0.03, // walk: 0.016, dance: 0.036, flips: 0.047, lying: 0.108
    error: 0.08,
    frames: 3,
  },
  floating: {
    height: 0.03, // clean, on its feet: 0.012
    seconds: 0.3, // clean, above that height and not falling: 0.27
  },
  foot_sliding: {
    height: 0.02,
    speed: 0.5, // clean: 0.17 in 99 % of frames; places in a dance of 131 s: 9, at 0.25 more than 25, at 0.6 6
    frames: 5,
  },
  root_tilt: {
    angle: 0.9, // on their feet: 0.76
    seconds: 0.25,
  },
  self_collision: {
    info: 0.015,
    warning: 0.03, // built-in clips: 0; retargeted hands are up to 0.095 inside a thigh
  },
  frozen: {
    seconds: 0.3,
  },
  first_frame: {
    position: 0.05,
    rotation: 0.25,
    joint: 0.15,
  },
} as const satisfies Required<QaSettings>;

export type QaThresholds = {
  readonly [K in keyof typeof QA_DEFAULTS]: Readonly<Record<keyof (typeof QA_DEFAULTS)[K], number>>;
};

/** The defaults with what `studio.yaml` says in their place. */
export function qaThresholds(settings: QaSettings): QaThresholds {
  const kinds = Object.keys(QA_DEFAULTS) as (keyof QaThresholds)[];
  return Object.fromEntries(kinds.map((kind) => [kind, { ...QA_DEFAULTS[kind], ...settings[kind] }])) as QaThresholds;
}

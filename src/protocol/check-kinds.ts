/** Kinds of issues that the checks of clips report, each with the title shown to users. */
export const CHECK_KINDS = {
  joint_limit: 'Joint limit',
  joint_velocity: 'Joint velocity',
  joint_acceleration: 'Joint acceleration',
  jump: 'Jump',
  ground_penetration: 'Ground penetration',
  floating: 'Floating',
  foot_sliding: 'Foot sliding',
  root_tilt: 'Root tilt',
  not_finite: 'Not finite',
  self_collision: 'Self-collision',
  frozen: 'Frozen frames',
  first_frame: 'First frame',
  body_order: 'Body order',
  quaternion_order: 'Quaternion order',
  joint_order: 'Joint order',
  frame_rate: 'Frame rate',
} as const;
export type CheckKind = keyof typeof CHECK_KINDS;

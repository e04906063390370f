import { type Static, Type } from 'typebox';
import { nullable } from '../protocol/route.ts';

const sum = Type.Number();
const count = Type.Integer({ minimum: 0 });

/** Measurements of one episode: sums over its tracked steps, from which means over several episodes are computed. */
export const EpisodeResult = Type.Object({
  clip: count,
  start: count,
  /** number of control steps of the whole episode, and number of steps before the failure or the end */
  possible: count,
  steps: count,
  failure: nullable(
    Type.Object({
      /** frame of the clip with which the state at the failure was compared */
      frame: count,
      term: Type.String(),
      subject: nullable(Type.String()),
      value: nullable(Type.Number()),
      limit: nullable(Type.Number()),
      /** unit of value and limit; absent in evaluations of older versions */
      unit: Type.Optional(nullable(Type.String())),
    }),
  ),
  /** sums over the steps of the mean over the key bodies, m and rad */
  body_pos: sum,
  body_pos_local: sum,
  body_rot: sum,
  /** sums over the steps of the mean of squares over the joints, rad² and rad²/s² */
  joint_pos: sum,
  joint_vel: sum,
  /** sums over the steps, m and rad */
  anchor_pos: sum,
  anchor_rot: sum,
  /** sum over `action_steps` steps of the mean over the joints of squared action differences */
  action: sum,
  action_steps: count,
  /** 95th percentile over the `jerk_steps` steps and the key bodies, m/s³ */
  jerk: sum,
  jerk_steps: count,
});
export type EpisodeResult = Static<typeof EpisodeResult>;

/** Sums over the tracked steps of several episodes, in joint order: positions of the joints and of their references,
 *  rad or m, and their squares. `cross`, (joints, joints) row-major: products of the position of the row's joint and
 *  the reference of the column's joint. */
export const JointMoments = Type.Object({
  joint: Type.Array(sum),
  reference: Type.Array(sum),
  joint_squares: Type.Array(sum),
  reference_squares: Type.Array(sum),
  cross: Type.Array(sum),
});
export type JointMoments = Static<typeof JointMoments>;

/** Loads of the joints over the tracked steps of several episodes, in joint order. */
export const JointLoads = Type.Object({
  steps: count,
  /** largest torque as a share of the limit, sum of squares of that share, number of steps at the limit */
  torque_peak: Type.Array(sum),
  torque_squares: Type.Array(sum),
  saturated: Type.Array(count),
  /** largest speed, rad/s, and power, W */
  speed_peak: Type.Array(sum),
  power_peak: Type.Array(sum),
  /** sum of squares of the torque, N²m² */
  heat_squares: Type.Array(sum),
  moments: JointMoments,
});
export type JointLoads = Static<typeof JointLoads>;

/** Measurements of one unit (a group of episodes that one thread plays together). */
export const UnitResult = Type.Object({ episodes: Type.Array(EpisodeResult), loads: JointLoads });
export type UnitResult = Static<typeof UnitResult>;

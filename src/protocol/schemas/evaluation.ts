import { type Static, Type } from 'typebox';
import { nullable, oneOf, strictBody } from '../route.ts';
import { Job } from './jobs.ts';

const scale = (description: string) =>
  Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10, description: `Factor on ${description}` }));

/** A variation of the simulation under which a policy is evaluated. */
export const Condition = strictBody({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  timestep: Type.Optional(
    Type.Number({ minimum: 1e-4, maximum: 0.1, description: 'Physics step, s. Must divide the control step' }),
  ),
  integrator: Type.Optional(oneOf(['euler', 'implicit', 'implicitfast', 'rk4'])),
  solver: Type.Optional(oneOf(['newton', 'cg', 'pgs'])),
  cone: Type.Optional(oneOf(['pyramidal', 'elliptic'], { description: 'Shape of friction cones' })),
  contacts: Type.Optional(oneOf(['all', 'soles'], { default: 'all', description: 'Which geoms have contacts' })),
  friction: Type.Optional(
    Type.Number({ minimum: 0, maximum: 10, description: 'Sliding friction of all geoms, the ground included' }),
  ),
  delay_steps: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 50, description: 'Delay of each action, in control steps' }),
  ),
  noise_scale: Type.Optional(
    Type.Number({ minimum: 0, maximum: 10, description: "Factor on the task's observation noise. Absent: no noise" }),
  ),
  stiffness_scale: scale('the position gains'),
  damping_scale: scale('the velocity gains'),
  mass_scale: scale('masses and inertias of all bodies'),
  torque_scale: scale('the effort limits'),
  pushes: Type.Optional(Type.Boolean({ default: false, description: "Whether the task's random pushes are applied" })),
  randomised: Type.Optional(
    Type.Boolean({ default: false, description: "Whether the task's domain randomisation is applied" }),
  ),
});
export type Condition = Static<typeof Condition>;

/** Tracking errors over the steps before a failure. */
export const Errors = Type.Object({
  body_pos: Type.Number({ description: 'Mean distance of the key bodies in the world, m' }),
  body_pos_local: Type.Number({
    description:
      "Mean distance of the key bodies, m, after the reference is moved to the robot anchor's x and y and turned by the difference in yaw",
  }),
  body_rot: Type.Number({ description: 'Mean angle of the key bodies in the world, rad' }),
  joint_pos: Type.Number({ description: 'RMS error of the joint positions, over joints and steps, rad' }),
  joint_vel: Type.Number({ description: 'RMS error of the joint velocities, over joints and steps, rad/s' }),
  anchor_pos: Type.Number({ description: 'Mean distance of the anchor in the world, m' }),
  anchor_rot: Type.Number({ description: 'Mean angle of the anchor in the world, rad' }),
});
export type Errors = Static<typeof Errors>;

/** Metrics of one checkpoint under one condition. */
export const Summary = Type.Object({
  checkpoint: Type.String({ description: '`""`: zero action' }),
  condition: Type.String(),
  episodes: Type.Integer(),
  success: Type.Number({ description: 'Share of the episodes without a failure, 0..1' }),
  tracked_s: Type.Number({ description: 'Mean time until the failure or the end of the episode, s' }),
  tracked_share: Type.Number({ description: 'Tracked time of all episodes / their possible time, 0..1' }),
  errors: Errors,
  action_rate: Type.Number({ description: 'RMS of the difference of successive actions × control_hz, 1/s' }),
  jerk: Type.Number({ description: '95th percentile of the jerk of the key bodies, m/s³' }),
});
export type Summary = Static<typeof Summary>;

/** Metrics of one clip. */
export const Row = Type.Object({
  ...Summary.properties,
  clip: Type.String(),
  worst: Type.Object(
    {
      start: Type.Integer({ description: 'Frame at which the episode started, at control_hz' }),
      failed: nullable(Type.Integer({ description: 'Frame of the failure, at control_hz; null: no failure' })),
      term: nullable(Type.String({ description: 'Termination that ended the episode' })),
      subject: nullable(Type.String({ description: 'Joint or body that left the reference before the failure' })),
      value: nullable(Type.Number({ description: 'Error of the subject' })),
      limit: nullable(Type.Number({ description: 'Limit that the value exceeded, in the same unit' })),
      unit: Type.Optional(
        nullable(
          Type.String({
            description:
              'Unit of value and limit: `rad` for a hinge joint, `m` for a slide joint or a body. Null: they are those of the termination. Absent in evaluations of older versions',
          }),
        ),
      ),
    },
    { description: 'The episode that tracked the smallest share of its time' },
  ),
});
export type Row = Static<typeof Row>;

/** How close a joint comes to its limits. */
export const JointMargin = Type.Object({
  checkpoint: Type.String(),
  condition: Type.String(),
  joint: Type.String(),
  torque_peak: Type.Number({ description: 'Largest torque / effort limit; 0 without a limit' }),
  torque_rms: Type.Number({ description: 'RMS torque / effort limit; 0 without a limit' }),
  saturated: Type.Number({ description: 'Share of the steps with at least 0.99 of the limit, 0..1' }),
  speed_peak: Type.Number({ description: 'Largest speed / velocity limit; 0 without a limit' }),
  power_peak: Type.Number({ description: 'Largest |torque × speed|, W' }),
  follows: Type.Optional(
    nullable(
      Type.Number({
        description:
          'Correlation of the position of the joint with its reference, −1..1. A small or negative value indicates a wrong sign or order of joints. Null: the reference hardly moves, or less than 5 s were tracked in all. Absent in evaluations of older versions',
      }),
    ),
  ),
  exchanged_with: Type.Optional(
    nullable(
      Type.String({
        description:
          'Joint whose reference this joint follows, while that joint follows the reference of this one: their actions are exchanged. Absent in evaluations of older versions',
      }),
    ),
  ),
  heat: nullable(Type.Number({ description: 'RMS torque / `continuous_torque` of robot.yaml; null: not stated' })),
});
export type JointMargin = Static<typeof JointMargin>;

/** Success over the values of one setting. */
export const Robustness = Type.Object({
  field: Type.String({ description: 'Setting of the conditions' }),
  values: Type.Array(Type.Number()),
  success: Type.Array(Type.Number(), { description: 'Success of the first checkpoint at each value' }),
  breaks_at: nullable(Type.Number({ description: 'First value with a success below 0.9' })),
});
export type Robustness = Static<typeof Robustness>;

/** Result of one gate for one checkpoint. */
export const GateResult = Type.Object({
  checkpoint: Type.String(),
  metric: Type.String({ description: 'Path in the summary' }),
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
  value: Type.Number(),
  ok: Type.Boolean(),
});
export type GateResult = Static<typeof GateResult>;

/** Bounds by metric: `{success: {min: 0.9}, 'errors.body_pos': {max: 0.1}}`. */
export const Gate = Type.Record(
  Type.String(),
  strictBody({ min: Type.Optional(Type.Number()), max: Type.Optional(Type.Number()) }),
  { description: 'Bounds by metric, a path in the summary such as `success` or `errors.body_pos`' },
);
export type Gate = Static<typeof Gate>;

/** The settings with which an evaluation was made. */
export const Protocol = Type.Object({
  checkpoints: Type.Array(Type.String()),
  motion: Type.String({ description: 'Path of the motion library' }),
  clips: Type.Integer({ description: 'Number of clips' }),
  starts: Type.Integer({ description: 'Starts per clip: frame 0, then evenly spread' }),
  horizon_s: nullable(Type.Number({ description: "Longest episode, s; null: to the clip's end" })),
  seed: Type.Integer(),
  conditions: Type.Array(Condition),
  failure: Type.String({ description: 'Rule by which an episode fails' }),
  alignment: Type.String({ description: 'How the reference frame and pose for the comparison are chosen' }),
  control_hz: Type.Number(),
  model: Type.String({ description: 'SHA-256 of the compiled robot' }),
  version: Type.String({ description: 'Version of the service' }),
});
export type Protocol = Static<typeof Protocol>;

/** An evaluation without the tables of clips and joints. */
export const ListedEvaluation = Type.Object({
  name: Type.String(),
  run: Type.String({ description: 'Path of the run' }),
  job: Type.String(),
  created: Type.String({ description: 'ISO-8601 UTC' }),
  status: Job.properties.status,
  protocol: Protocol,
  summary: Type.Array(Summary, { description: 'By checkpoint and condition; empty until it is done' }),
  robustness: Type.Array(Robustness),
  gate: nullable(Type.Array(GateResult)),
});
export type ListedEvaluation = Static<typeof ListedEvaluation>;

export const Evaluation = Type.Object({
  ...ListedEvaluation.properties,
  clips: Type.Array(Row, { description: 'By checkpoint, condition and clip' }),
  joints: Type.Array(JointMargin, { description: 'By checkpoint, condition and joint' }),
});
export type Evaluation = Static<typeof Evaluation>;

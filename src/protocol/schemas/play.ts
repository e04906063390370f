import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';
import { Condition, Errors } from './evaluation.ts';

export const PlayOptions = Type.Object({
  ghost: oneOf(['off', 'overlay', 'beside'], { description: 'Where the reference motion is shown' }),
  targets: Type.Boolean({ description: 'Marks the target positions of the key bodies' }),
  contacts: Type.Boolean({ description: 'Marks contacts with the floor' }),
  speed: Type.Number({ minimum: 0.05, maximum: 8, description: 'Requested speed, as a multiple of real time' }),
});

/** Tracking metrics of a session. `play` events update them once a second. */
export const PlayFigures = Type.Object({
  errors: Type.Array(nullable(Type.Number()), {
    description:
      'Position error of the key bodies relative to the anchor, m: mean over 1 s, for each of the first 256 environments',
  }),
  tracking: Type.Object(
    {
      keybody_error: nullable(Type.Number({ description: 'As in `errors`, m' })),
      joint_rmse: nullable(Type.Number({ description: 'RMS error over the joints, rad' })),
      anchor_rotation: nullable(Type.Number({ description: 'Rotation error of the anchor, rad' })),
      torque_at_limit: nullable(Type.Number({ description: 'Share of joints at their effort limit, 0..1' })),
    },
    { description: 'Metrics of the focused environment: means over 1 s' },
  ),
  ends: Type.Array(
    Type.Object({
      env: Type.Integer(),
      sim_time: Type.Number({ description: 'Simulated time, s' }),
      step: Type.Integer({ description: 'Control step of the episode' }),
      clip: Type.String(),
      cause: Type.String({ description: 'Name of the termination term' }),
      text: Type.String({ description: 'What happened, with value and unit' }),
    }),
    { description: 'The last 16 episodes that ended with a failure, newest first' },
  ),
});
export type PlayFigures = Static<typeof PlayFigures>;

/** Weight of a reward term in a session. */
export const RewardWeight = Type.Object({
  name: Type.String(),
  weight: Type.Number(),
  default: Type.Number({ description: 'Weight in the task' }),
});

export const CompareLayout = oneOf(['beside', 'overlay'], {
  description: '`beside`: robots side by side. `overlay`: all robots in one place',
});
export type CompareLayout = Static<typeof CompareLayout>;

/** A comparison of policies in lock step. */
export const PlayComparison = Type.Object({
  entries: Type.Array(
    Type.Object({
      run: Type.String(),
      checkpoint: Type.String({ description: '`""`: zero action' }),
      env: Type.Integer({ description: 'Environment that plays the entry' }),
      falls: Type.Integer({ description: 'Falls since the clip was chosen' }),
      episodes: Type.Integer({
        description: 'Episodes that have ended, with or without a fall. Equal for all entries',
      }),
      down: Type.Boolean({ description: 'Whether the robot has fallen and waits for the others' }),
      /** over the last 10 s in which the robot was not down; null before the first step */
      errors: nullable(Errors),
    }),
  ),
  layout: CompareLayout,
  clip: nullable(Type.String({ description: 'Clip that all environments repeat. null: the task chooses' })),
  frame: Type.Integer({ description: 'Frame at which the clip starts' }),
  seed: Type.Integer(),
});
export type PlayComparison = Static<typeof PlayComparison>;

export const PlaySession = Type.Object({
  id: Type.Integer(),
  state: oneOf(['building', 'running', 'paused', 'failed']),
  error: nullable(Type.String({ description: 'Why the session failed' })),
  run: Type.String({ description: 'Path of the run' }),
  checkpoint: Type.String({ description: '`""`: zero action' }),
  motion: Type.String({ description: 'Path of the motion library' }),
  task: Type.String(),
  robot: Type.String(),
  num_envs: Type.Integer({ description: 'Number of environments' }),
  capacity: Type.Integer({ description: 'Largest `num_envs` without rebuilding the session' }),
  focus: Type.Integer({ description: 'Index of the focused environment' }),
  playing: Type.Boolean(),
  terminations: Type.Boolean({ description: 'Whether an episode ends when the robot fails' }),
  control_hz: Type.Number({ description: 'Control steps per second' }),
  sim_time: Type.Number({ description: 'Simulated time, s' }),
  realtime_factor: Type.Number({ description: 'Measured speed, as a multiple of real time' }),
  history_s: Type.Literal(60, { description: 'Length of the kept record, s' }),
  options: PlayOptions,
  rewards: Type.Array(RewardWeight),
  pins: Type.Array(Type.Object({ env: Type.Integer(), clip: Type.String() }), {
    description: 'Environments that repeat one clip',
  }),
  compare: nullable(PlayComparison),
  condition: nullable(Condition),
  figures: Type.Optional(PlayFigures),
});
export type PlaySession = Static<typeof PlaySession>;

export const PlayState = Type.Object({ session: nullable(PlaySession) });
export type PlayOptions = Static<typeof PlayOptions>;
export type PlayState = Static<typeof PlayState>;

/** A motion library that a run can play. */
export const MotionLibrary = Type.Object({
  path: Type.String({ description: 'Value for `motion` of POST /api/play/configure' }),
  name: Type.String(),
  clips: Type.Integer(),
  duration: Type.Number({ description: 's' }),
  default: Type.Boolean({ description: "Whether it is the run's own library" }),
});

/** A clip of the session's motion library. */
export const PlayClip = Type.Object({
  index: Type.Integer(),
  name: Type.String(),
  frames: Type.Integer(),
  fps: Type.Number(),
  duration: Type.Number({ description: 's' }),
});

/** Reply when the running session was changed without rebuilding it. */
export const ChangedInPlace = Type.Object({
  ok: Type.Literal(true),
  in_place: Type.Literal(true),
  session: PlaySession,
});

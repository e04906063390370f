import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';

export const PlayOptions = Type.Object({
  ghost: oneOf(['off', 'overlay', 'beside']),
  targets: Type.Boolean(),
  contacts: Type.Boolean(),
  speed: Type.Number({ minimum: 0.05, maximum: 8, description: 'real-time factor asked for' }),
});

/** How well the policy tracks; what `play` events renew once a second. */
export const PlayFigures = Type.Object({
  errors: Type.Array(nullable(Type.Number()), {
    description: 'm: mean position error of the keybodies relative to the anchor, 1 s mean, by env; the first 256',
  }),
  tracking: Type.Object(
    {
      keybody_error: nullable(Type.Number({ description: 'm, as in errors' })),
      joint_rmse: nullable(Type.Number({ description: 'rad' })),
      anchor_rotation: nullable(Type.Number({ description: 'rad' })),
      torque_at_limit: nullable(Type.Number({ description: '0..1: share of joints at their effort limit' })),
    },
    { description: 'the focused env, 1 s means' },
  ),
  ends: Type.Array(
    Type.Object({
      env: Type.Integer(),
      sim_time: Type.Number({ description: 's' }),
      step: Type.Integer({ description: 'of the episode' }),
      clip: Type.String(),
      cause: Type.String({ description: 'name of the termination' }),
      text: Type.String({ description: 'what happened, with its figure and unit' }),
    }),
    { description: 'the last 16 episodes that ended by a failure, newest first' },
  ),
});
export type PlayFigures = Static<typeof PlayFigures>;

/** Weight of a reward term in a session. */
export const RewardWeight = Type.Object({
  name: Type.String(),
  weight: Type.Number(),
  default: Type.Number({ description: "the task's" }),
});

export const PlaySession = Type.Object({
  id: Type.Integer(),
  state: oneOf(['building', 'running', 'paused', 'failed']),
  error: nullable(Type.String()),
  run: Type.String(),
  checkpoint: Type.String(),
  motion: Type.String(),
  task: Type.String(),
  robot: Type.String(),
  num_envs: Type.Integer(),
  capacity: Type.Integer(),
  focus: Type.Integer(),
  playing: Type.Boolean(),
  terminations: Type.Boolean(),
  control_hz: Type.Number(),
  sim_time: Type.Number(),
  realtime_factor: Type.Number(),
  history_s: Type.Literal(60),
  options: PlayOptions,
  rewards: Type.Array(RewardWeight),
  pins: Type.Array(Type.Object({ env: Type.Integer(), clip: Type.String() })),
  figures: Type.Optional(PlayFigures),
});
export type PlaySession = Static<typeof PlaySession>;

export const PlayState = Type.Object({ session: nullable(PlaySession) });
export type PlayOptions = Static<typeof PlayOptions>;
export type PlayState = Static<typeof PlayState>;

/** A motion library that a run can play. */
export const MotionLibrary = Type.Object({
  path: Type.String({ description: 'what `motion` of configure takes' }),
  name: Type.String(),
  clips: Type.Integer(),
  duration: Type.Number({ description: 's' }),
  default: Type.Boolean(),
});

/** A clip of the session's motion library. */
export const PlayClip = Type.Object({
  index: Type.Integer(),
  name: Type.String(),
  frames: Type.Integer(),
  fps: Type.Number(),
  duration: Type.Number({ description: 's' }),
});

/** A running session was changed in place. */
export const ChangedInPlace = Type.Object({
  ok: Type.Literal(true),
  in_place: Type.Literal(true),
  session: PlaySession,
});

import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';

export const PlayOptions = Type.Object({
  ghost: oneOf(['off', 'overlay', 'beside']),
  targets: Type.Boolean(),
  contacts: Type.Boolean(),
  speed: Type.Number({ minimum: 0.05, maximum: 8, description: 'real-time factor asked for' }),
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
  rewards: Type.Array(Type.Object({ name: Type.String(), weight: Type.Number(), default: Type.Number() })),
  pins: Type.Array(Type.Object({ env: Type.Integer(), clip: Type.String() })),
});

export const PlayState = Type.Object({ session: nullable(PlaySession) });
export type PlayState = Static<typeof PlayState>;

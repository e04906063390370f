import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';
import { Check } from './busy.ts';

export const Job = Type.Object({
  name: Type.String(),
  kind: oneOf(['train', 'convert', 'evaluate']),
  status: oneOf(['queued', 'running', 'stopping', 'done', 'failed', 'stopped', 'lost']),
  progress: nullable(Type.Number()),
  step: nullable(Type.Integer()),
  steps: nullable(Type.Integer()),
  eta: nullable(Type.Number({ description: 's' })),
  rate: nullable(Type.Number({ description: 'steps/s' })),
  created: Type.String(),
  started: nullable(Type.String()),
  ended: nullable(Type.String()),
  task: nullable(Type.String()),
  dataset: nullable(Type.String()),
  run: nullable(Type.String()),
  trainer: nullable(Type.String()),
  launcher: nullable(Type.String()),
  pid: nullable(Type.Integer()),
  exit_code: nullable(Type.Integer()),
  signal: nullable(Type.String()),
  error: nullable(Type.String()),
  alarm: Type.Optional(nullable(Type.String({ description: 'what a person should look at while it runs' }))),
  params: Type.Record(Type.String(), Type.Unknown()),
});
export type Job = Static<typeof Job>;

/** What trains. */
export const Trainer = Type.Object({
  name: Type.String(),
  num_envs: nullable(Type.Integer({ description: 'unless told otherwise; null: as the task says' })),
  max_iterations: nullable(Type.Integer()),
  takes: Type.Array(oneOf(['num_envs', 'max_iterations', 'run_name', 'seed', 'logger', 'resume', 'extra']), {
    description: 'which fields of a launch it takes',
  }),
  loggers: Type.Array(oneOf(['tensorboard', 'wandb', 'none'])),
  extra: Type.String({ description: 'what extra may be, for people' }),
});
export type Trainer = Static<typeof Trainer>;

/** Where trainings run. */
export const Launcher = Type.Object({
  name: Type.String(),
  kind: Type.String({ description: 'local, or the kind that studio.yaml names' }),
  label: Type.String({ description: 'what people call the kind' }),
  limit: nullable(Type.Integer({ description: 'trainings at once; null: it has its own queue' })),
});
export type Launcher = Static<typeof Launcher>;

export const Run = Type.Object({
  path: Type.String({ description: '<run_dir>/<run>' }),
  run_dir: Type.String(),
  run: Type.String(),
  task: nullable(Type.String()),
  robot: nullable(Type.String()),
  dataset: nullable(Type.String()),
  created: Type.String(),
  modified: Type.String(),
  format: oneOf(['studio', 'rsl_rl', 'deploy']),
  checkpoints: Type.Array(
    Type.Object({ name: Type.String(), iteration: nullable(Type.Integer()), modified: Type.String() }),
  ),
  latest: nullable(Type.String()),
  job: nullable(Type.String()),
  error: nullable(Type.String()),
});
export type Run = Static<typeof Run>;

/** A training was launched. */
export const Launched = Type.Object({
  ok: Type.Literal(true),
  job: Type.String({ description: 'see GET /api/jobs/{name}' }),
  run: nullable(Type.String({ description: 'path of the run; null until the trainer reports it' })),
});

/** A dry run: nothing was launched. */
export const LaunchTrial = Type.Object({
  ok: Type.Literal(true),
  dry_run: Type.Literal(true),
  command: Type.Array(Type.String(), { description: 'program and arguments that the job would run' }),
  params: Type.Record(Type.String(), Type.Unknown(), { description: 'what the job would be launched with' }),
  checks: Type.Array(Check),
});

export type LaunchTrial = Static<typeof LaunchTrial>;

/** One curve. */
export const Series = Type.Object({
  tag: Type.String(),
  name: Type.String(),
  group: Type.String(),
  x: Type.Array(Type.Number(), { description: 'iterations' }),
  y: Type.Array(nullable(Type.Number())),
});

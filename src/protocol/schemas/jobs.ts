import { type Static, Type } from 'typebox';
import { nullable, oneOf } from '../route.ts';
import { Check } from './busy.ts';
import { Tags } from './clip-marks.ts';

export const Job = Type.Object({
  name: Type.String({ description: 'Unique name; also the folder in `jobs/`' }),
  kind: oneOf(['train', 'convert', 'evaluate']),
  status: oneOf(['queued', 'running', 'stopping', 'done', 'failed', 'stopped', 'lost'], {
    description: '`lost`: the process ended without reporting a result',
  }),
  progress: nullable(Type.Number({ description: '0..1; null: unknown' })),
  step: nullable(Type.Integer({ description: 'Iterations or clips done' })),
  steps: nullable(Type.Integer({ description: 'Iterations or clips in total' })),
  eta: nullable(Type.Number({ description: 'Estimated remaining time, s' })),
  rate: nullable(Type.Number({ description: 'Steps per second' })),
  created: Type.String({ description: 'ISO-8601 UTC' }),
  started: nullable(Type.String({ description: 'ISO-8601 UTC' })),
  ended: nullable(Type.String({ description: 'ISO-8601 UTC' })),
  task: nullable(Type.String()),
  dataset: nullable(Type.String()),
  run: nullable(Type.String({ description: 'Path of the run that a training writes' })),
  trainer: nullable(Type.String()),
  launcher: nullable(Type.String()),
  pid: nullable(Type.Integer()),
  exit_code: nullable(Type.Integer()),
  signal: nullable(Type.String({ description: 'Signal that ended the process' })),
  error: nullable(Type.String({ description: 'Why the job failed' })),
  alarm: Type.Optional(nullable(Type.String({ description: 'Problem of a running job that needs attention' }))),
  params: Type.Record(Type.String(), Type.Unknown(), { description: 'Parameters that the job was started with' }),
});
export type Job = Static<typeof Job>;

/** A program that trains policies. */
export const Trainer = Type.Object({
  name: Type.String(),
  num_envs: nullable(Type.Integer({ description: 'Default number of environments; null: the value of the task' })),
  max_iterations: nullable(Type.Integer({ description: 'Default number of iterations; null: until it converges' })),
  takes: Type.Array(
    oneOf(['num_envs', 'max_iterations', 'run_name', 'seed', 'logger', 'resume', 'start_from', 'extra']),
    {
      description: 'Optional fields of POST /api/train/launch that this trainer accepts',
    },
  ),
  loggers: Type.Array(oneOf(['tensorboard', 'wandb', 'none'])),
  extra: Type.String({ description: 'Description of `extra` for people' }),
});
export type Trainer = Static<typeof Trainer>;

/** Where trainings run. */
export const Launcher = Type.Object({
  name: Type.String(),
  kind: Type.String({ description: '`local`, or the kind given in studio.yaml' }),
  label: Type.String({ description: 'Name of the kind for people' }),
  limit: nullable(
    Type.Integer({ description: 'Trainings that run at the same time; null: the launcher has its own queue' }),
  ),
});
export type Launcher = Static<typeof Launcher>;

/** Maximum number of characters in the note of a run. */
const MAX_NOTE = 4000;

/** Tags, note and favourite mark that users gave a run. */
export const RunMarks = Type.Object({
  tags: Tags,
  note: Type.String({ maxLength: MAX_NOTE, description: '`""`: no note' }),
  favourite: Type.Boolean(),
});
export type RunMarks = Static<typeof RunMarks>;

/** How well the policy of a run tracks its motion. */
export const RunScore = Type.Object({
  tracked_s: Type.Number({ description: 'Mean time before a failure or the end of an episode, s' }),
  horizon_s: Type.Number({ description: 'Mean maximum length of the episodes, s' }),
  success: Type.Number({ description: 'Share of episodes without a failure, 0..1' }),
  body_pos: Type.Number({ description: 'Mean distance of the key bodies from the reference, m' }),
  by: oneOf(['training', 'evaluation'], { description: '`training`: measured during the training' }),
});
export type RunScore = Static<typeof RunScore>;

export const Run = Type.Object({
  path: Type.String({ description: '`<run_dir>/<run>`' }),
  run_dir: Type.String(),
  run: Type.String(),
  task: nullable(Type.String()),
  robot: nullable(Type.String()),
  dataset: nullable(Type.String()),
  created: Type.String({ description: 'ISO-8601 UTC' }),
  modified: Type.String({ description: 'ISO-8601 UTC' }),
  format: oneOf(['studio', 'rsl_rl', 'deploy'], { description: 'Layout of the run folder' }),
  checkpoints: Type.Array(
    Type.Object({ name: Type.String(), iteration: nullable(Type.Integer()), modified: Type.String() }),
  ),
  latest: nullable(Type.String({ description: 'Name of the latest checkpoint' })),
  job: nullable(Type.String({ description: 'Job that writes or wrote the run' })),
  error: nullable(Type.String({ description: 'Why the run cannot be read' })),
  ...RunMarks.properties,
  unplayable: nullable(Type.String({ description: 'Why the run cannot be played' })),
  score: nullable(RunScore),
  started_from: nullable(Type.String({ description: 'Path of the run whose networks the training started with' })),
  minutes: nullable(Type.Number({ description: 'Wall time trained so far' })),
});
export type Run = Static<typeof Run>;

/** The networks that a training starts with. */
const Beginning = {
  started_from: nullable(Type.String({ description: 'Path of the run whose networks the training starts with' })),
  note: nullable(Type.String({ description: 'Explains the start, for people' })),
};

/** A training was launched. */
export const Launched = Type.Object({
  ok: Type.Literal(true),
  job: Type.String({ description: 'Name of the job: see GET /api/jobs/{name}' }),
  run: nullable(Type.String({ description: 'Path of the run; null until the trainer reports it' })),
  ...Beginning,
});

/** Reply of a dry run, which launches nothing. */
export const LaunchTrial = Type.Object({
  ok: Type.Literal(true),
  dry_run: Type.Literal(true),
  command: Type.Array(Type.String(), { description: 'Program and arguments that the job would run' }),
  params: Type.Record(Type.String(), Type.Unknown(), { description: 'Parameters that the job would be launched with' }),
  checks: Type.Array(Check),
  budget: nullable(
    Type.Object(
      {
        env_steps: Type.Integer({ description: 'Steps of all environments together' }),
        iterations: Type.Integer({
          description:
            'Exact if `max_iterations` is given; otherwise an estimate that the evaluations during training change',
        }),
        seconds: Type.Unsafe<readonly [low: number, high: number]>(
          Type.Array(Type.Number(), {
            minItems: 2,
            maxItems: 2,
            description: 'Lowest and highest expected wall time on this machine',
          }),
        ),
      },
      { description: 'null: unknown, as for an external trainer' },
    ),
  ),
  ...Beginning,
});

export type LaunchTrial = Static<typeof LaunchTrial>;

/** One curve. */
export const Series = Type.Object({
  tag: Type.String({ description: 'Name in the event files' }),
  name: Type.String({ description: 'Label for people' }),
  group: Type.String(),
  x: Type.Array(Type.Number(), { description: 'Iterations' }),
  y: Type.Array(nullable(Type.Number()), { description: 'Values; null: not a finite number' }),
});

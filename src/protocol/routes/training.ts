import { Type } from 'typebox';
import { flag, nameOf, nullable, oneOf, route, strictBody } from '../route.ts';
import { Launched, Launcher, LaunchTrial, Series, Trainer } from '../schemas/jobs.ts';
import { Task } from '../schemas/presets.ts';
import { runPath } from '../schemas/run-path.ts';

export const listTasks = route({
  method: 'GET',
  path: '/api/tasks',
  tag: 'Training',
  summary: 'Lists the tasks of the robot (built-in ones and presets), the trainers and the launchers',
  reply: Type.Object({
    tasks: Type.Array(Task),
    trainers: Type.Array(Trainer),
    launchers: Type.Array(Launcher),
  }),
});

export const launchTraining = route({
  method: 'POST',
  path: '/api/train/launch',
  tag: 'Training',
  summary: 'Launches a detached training job',
  stores: true,
  body: strictBody({
    task: nameOf('a task of the selected robot, see GET /api/tasks'),
    dataset: nameOf('a dataset of the selected robot'),
    num_envs: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_536, description: "environments; absent: as the trainer's profile says" }),
    ),
    max_iterations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description: 'exact; absent: `builtin` goes on until its evaluation has converged',
      }),
    ),
    run_name: Type.Optional(Type.String({ default: '', description: 'part of the name of the run' })),
    resume_run: Type.Optional(Type.String({ default: '', description: 'run to continue' })),
    resume_checkpoint: Type.Optional(
      Type.String({ default: '', description: 'checkpoint of `resume_run`; `""`: the latest' }),
    ),
    logger: Type.Optional(
      oneOf(['tensorboard', 'wandb', 'none'], {
        default: 'tensorboard',
        description: '`wandb`: with an external trainer only',
      }),
    ),
    extra: Type.Optional(
      Type.Union([Type.Array(Type.String()), Type.String()], {
        default: [],
        description: 'arguments for the trainer; a text is split on blanks; never read by a shell',
      }),
    ),
    trainer: Type.Optional(nameOf('see GET /api/tasks', { default: 'builtin' })),
    launcher: Type.Optional(nameOf('see GET /api/tasks', { default: 'local' })),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: "absent: the task's" })),
    dry_run: flag('checks everything and answers with the command, but launches nothing'),
  }),
  reply: Type.Union([Launched, LaunchTrial]),
});

export const getCurves = route({
  method: 'GET',
  path: '/api/curves',
  tag: 'Training',
  summary: 'Gets the training curves of a job or of a run',
  query: Type.Object({
    job: Type.Optional(nameOf('exactly one of `job` and `run`')),
    run: Type.Optional(runPath),
    group: Type.Optional(oneOf(['train', 'errors', 'rewards', 'sampling', 'loss', 'all'], { default: 'all' })),
    max_points: Type.Optional(
      Type.Integer({ minimum: 2, maximum: 100_000, default: 1000, description: 'of each curve; extremes are kept' }),
    ),
    since: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'first iteration' })),
  }),
  reply: Type.Object({
    run: nullable(Type.String()),
    job: nullable(Type.String()),
    group: Type.String(),
    x: Type.Literal('iteration'),
    series: Type.Array(Series),
  }),
});

export const openTensorboard = route({
  method: 'GET',
  path: '/tensorboard',
  tag: 'Training',
  summary: 'Starts the training-metrics viewer if needed and redirects to it',
  sideEffects: true,
  query: Type.Object({ run: Type.Optional(runPath) }),
  reply: { contentType: 'text/html', description: 'a redirection to the viewer', status: 302 },
});

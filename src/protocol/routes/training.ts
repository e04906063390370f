import { Type } from 'typebox';
import { flag, nameOf, nullable, oneOf, route, strictBody } from '../route.ts';
import { Launched, Launcher, LaunchTrial, Series, Trainer } from '../schemas/jobs.ts';
import { Task } from '../schemas/presets.ts';
import { runPath } from '../schemas/run-path.ts';

export const listTasks = route({
  method: 'GET',
  path: '/api/tasks',
  tag: 'Training',
  summary: 'Lists the tasks of the selected robot (built-in tasks and presets), the trainers and the launchers',
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
  summary: 'Starts a training as a job. It continues if the service stops',
  stores: true,
  body: strictBody({
    task: nameOf('Task of the selected robot: see GET /api/tasks'),
    dataset: nameOf('Dataset of the selected robot'),
    num_envs: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_536,
        description: 'Number of environments. Absent: the default of the trainer',
      }),
    ),
    max_iterations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description: 'Exact number of iterations. Absent: `builtin` trains until its evaluation converges',
      }),
    ),
    run_name: Type.Optional(Type.String({ default: '', description: 'Suffix of the name of the run' })),
    resume_run: Type.Optional(Type.String({ default: '', description: 'Path of a run to continue' })),
    resume_checkpoint: Type.Optional(
      Type.String({ default: '', description: 'Checkpoint of `resume_run`. `""`: the latest' }),
    ),
    start_from: Type.Optional(
      nameOf(
        'Initial networks; only for the trainer `builtin`. `fresh`: new networks. `best`: the networks of the run of this robot and task that tracks best. Otherwise the path of a run',
        { default: 'fresh' },
      ),
    ),
    logger: Type.Optional(
      oneOf(['tensorboard', 'wandb', 'none'], {
        default: 'tensorboard',
        description: '`wandb` requires an external trainer',
      }),
    ),
    extra: Type.Optional(
      Type.Union([Type.Array(Type.String()), Type.String()], {
        default: [],
        description: 'More arguments for the trainer. A string is split at spaces. No shell interprets them',
      }),
    ),
    trainer: Type.Optional(nameOf('Trainer: see GET /api/tasks', { default: 'builtin' })),
    launcher: Type.Optional(nameOf('Launcher: see GET /api/tasks', { default: 'local' })),
    seed: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: 'Absent: the seed of the task' }),
    ),
    dry_run: flag('Runs all checks and answers with the command, without launching it'),
  }),
  reply: Type.Union([Launched, LaunchTrial]),
});

export const getCurves = route({
  method: 'GET',
  path: '/api/curves',
  tag: 'Training',
  summary: 'Gets the training curves of a job or of a run',
  query: Type.Object({
    job: Type.Optional(nameOf('Name of a job. Send either `job` or `run`')),
    run: Type.Optional(runPath),
    group: Type.Optional(oneOf(['train', 'errors', 'rewards', 'sampling', 'loss', 'all'], { default: 'all' })),
    max_points: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 100_000,
        default: 1000,
        description: 'Maximum number of points of each curve. Downsampling keeps minima and maxima',
      }),
    ),
    since: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'First iteration to return' })),
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
  summary: 'Starts TensorBoard if it is not running and redirects to it',
  sideEffects: true,
  asksSender: true,
  query: Type.Object({ run: Type.Optional(runPath) }),
  reply: { contentType: 'text/html', description: 'Redirect to TensorBoard', status: 302 },
});

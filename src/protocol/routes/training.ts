import { Type } from 'typebox';
import { flag, looseBody, nameOf, nullable, oneOf, route, strictBody } from '../route.ts';
import { Ok } from '../schemas/busy.ts';
import { Job, Launched, Launcher, LaunchTrial, Run, Series, Trainer } from '../schemas/jobs.ts';
import { Task } from '../schemas/presets.ts';

const runPath = nameOf('path of a run: `<run_dir>/<run>`');

export const listTasks = route({
  method: 'GET',
  path: '/api/tasks',
  area: 'training',
  summary: 'Lists the tasks of the robot (built-in ones and presets), the trainers and the launchers',
  reply: Type.Object({
    tasks: Type.Array(Task),
    trainers: Type.Array(Trainer),
    launchers: Type.Array(Launcher),
  }),
});

export const listRuns = route({
  method: 'GET',
  path: '/api/runs',
  area: 'training',
  summary: 'Lists the runs on disk, newest first',
  reply: Type.Object({ runs: Type.Array(Run) }),
});

export const downloadRunFile = route({
  method: 'GET',
  path: '/api/runs/file',
  area: 'training',
  summary: 'Downloads one file of a run',
  query: Type.Object({ run: runPath, file: nameOf("path in the run's folder") }),
  reply: { contentType: 'application/octet-stream', description: 'the file' },
});

export const deleteRun = route({
  method: 'DELETE',
  path: '/api/runs',
  area: 'training',
  summary: 'Deletes a run',
  conflict: 'a queued or running job, or the play session, uses the run',
  stores: true,
  query: Type.Object({ run: runPath }),
  reply: Ok,
});

export const launchTraining = route({
  method: 'POST',
  path: '/api/train/launch',
  area: 'training',
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

export const listJobs = route({
  method: 'GET',
  path: '/api/jobs',
  area: 'training',
  summary: 'Lists the jobs with status, progress and ETA, newest first',
  reply: Type.Object({ jobs: Type.Array(Job) }),
});

export const getJob = route({
  method: 'GET',
  path: '/api/jobs/{name}',
  area: 'training',
  summary: 'Gets one job with the end of its log',
  query: Type.Object({
    tail: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 200, description: 'lines of the log' })),
  }),
  reply: Type.Intersect([Job, Type.Object({ log: Type.Array(Type.String(), { description: 'last lines' }) })]),
});

export const downloadJobLog = route({
  method: 'GET',
  path: '/api/jobs/{name}/log',
  area: 'training',
  summary: "Downloads a job's whole log",
  reply: { contentType: 'text/plain; charset=utf-8', description: 'the log file' },
});

export const stopJob = route({
  method: 'POST',
  path: '/api/jobs/{name}/stop',
  area: 'training',
  summary: 'Stops a job. Stopping one that has ended is no error',
  body: looseBody({}),
  reply: Ok,
});

export const forgetJob = route({
  method: 'DELETE',
  path: '/api/jobs/{name}',
  area: 'training',
  summary: 'Forgets a job. Its run stays. Waits for a job that is stopping',
  conflict: 'the job is queued or running: stop it first',
  stores: true,
  deadlineS: 120,
  reply: Ok,
});

export const getCurves = route({
  method: 'GET',
  path: '/api/curves',
  area: 'training',
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
  area: 'training',
  summary: 'Starts the training-metrics viewer if needed and redirects to it',
  sideEffects: true,
  query: Type.Object({ run: Type.Optional(runPath) }),
  reply: { contentType: 'text/html', description: 'a redirection to the viewer', status: 302 },
});

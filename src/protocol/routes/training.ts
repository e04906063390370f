import { Type } from 'typebox';
import { looseBody, nullable, oneOf, route, strictBody } from '../route.ts';
import { Ok } from '../schemas/busy.ts';
import { Job, Launcher, Run, Trainer } from '../schemas/jobs.ts';
import { Task } from '../schemas/presets.ts';

export const listTasks = route({
  method: 'GET',
  path: '/api/tasks',
  area: 'training',
  summary: 'Tasks of the robot (built-in and presets)',
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
  summary: 'Runs on disk, newest first',
  reply: Type.Object({ runs: Type.Array(Run) }),
});

export const downloadRunFile = route({
  method: 'GET',
  path: '/api/runs/file',
  area: 'training',
  summary: 'One file of a run',
  query: Type.Object({ run: Type.String(), file: Type.String() }),
  reply: { contentType: 'application/octet-stream', description: 'the file' },
});

export const deleteRun = route({
  method: 'DELETE',
  path: '/api/runs',
  area: 'training',
  summary: 'Deletes a run',
  query: Type.Object({ run: Type.String() }),
  reply: Ok,
});

export const launchTraining = route({
  method: 'POST',
  path: '/api/train/launch',
  area: 'training',
  summary: 'Launches a detached training job',
  body: strictBody({
    task: Type.String(),
    dataset: Type.String(),
    num_envs: Type.Optional(Type.Integer({ minimum: 1 })),
    max_iterations: Type.Optional(Type.Integer({ minimum: 1 })),
    run_name: Type.Optional(Type.String()),
    resume_run: Type.Optional(Type.String()),
    resume_checkpoint: Type.Optional(Type.String()),
    logger: Type.Optional(oneOf(['tensorboard', 'wandb', 'none'])),
    extra: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String()])),
    trainer: Type.Optional(Type.String()),
    launcher: Type.Optional(Type.String()),
    seed: Type.Optional(Type.Integer()),
    dry_run: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({
    ok: Type.Literal(true),
    job: Type.Optional(Type.String()),
    run: Type.Optional(nullable(Type.String({ description: 'null until the trainer tells it' }))),
    dry_run: Type.Optional(Type.Literal(true)),
    command: Type.Optional(Type.Array(Type.String())),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'of a dry run: what the job would be launched with' }),
    ),
    checks: Type.Optional(Type.Array(Type.Object({ name: Type.String(), ok: Type.Boolean(), text: Type.String() }))),
  }),
});

export const listJobs = route({
  method: 'GET',
  path: '/api/jobs',
  area: 'training',
  summary: 'Jobs with status, progress and ETA, newest first',
  reply: Type.Object({ jobs: Type.Array(Job) }),
});

export const getJob = route({
  method: 'GET',
  path: '/api/jobs/{name}',
  area: 'training',
  summary: 'One job with its log tail',
  query: Type.Object({
    tail: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: 'log lines, default 200' })),
  }),
  reply: Type.Object({ ...Job.properties, log: Type.Array(Type.String()) }),
});

export const downloadJobLog = route({
  method: 'GET',
  path: '/api/jobs/{name}/log',
  area: 'training',
  summary: "A job's whole log",
  reply: { contentType: 'text/plain; charset=utf-8', description: 'the log file' },
});

export const stopJob = route({
  method: 'POST',
  path: '/api/jobs/{name}/stop',
  area: 'training',
  summary: 'Stops a job',
  body: looseBody({}),
  reply: Ok,
});

export const forgetJob = route({
  method: 'DELETE',
  path: '/api/jobs/{name}',
  area: 'training',
  summary: 'Forgets a job; its run stays',
  deadlineS: 120,
  reply: Ok,
});

export const getCurves = route({
  method: 'GET',
  path: '/api/curves',
  area: 'training',
  summary: 'Training curves of a job or a run',
  query: Type.Object({
    job: Type.Optional(Type.String()),
    run: Type.Optional(Type.String()),
    group: Type.Optional(oneOf(['train', 'errors', 'rewards', 'sampling', 'loss', 'all'])),
    max_points: Type.Optional(Type.Integer({ minimum: 2, maximum: 100_000 })),
    since: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  reply: Type.Object({
    run: nullable(Type.String()),
    job: nullable(Type.String()),
    group: Type.String(),
    x: Type.Literal('iteration'),
    series: Type.Array(
      Type.Object({
        tag: Type.String(),
        name: Type.String(),
        group: Type.String(),
        x: Type.Array(Type.Number()),
        y: Type.Array(nullable(Type.Number())),
      }),
    ),
  }),
});

export const openTensorboard = route({
  method: 'GET',
  path: '/tensorboard',
  area: 'training',
  summary: 'Starts the training-metrics viewer if needed and redirects to it',
  sideEffects: true,
  query: Type.Object({ run: Type.Optional(Type.String()) }),
  reply: { contentType: 'text/html', description: '302 to the viewer' },
});

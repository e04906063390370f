import { Type } from 'typebox';
import { looseBody, route } from '../route.ts';
import { Ok } from '../schemas/busy.ts';
import { Job } from '../schemas/jobs.ts';

export const listJobs = route({
  method: 'GET',
  path: '/api/jobs',
  tag: 'Jobs',
  summary: 'Lists the jobs with status, progress and estimated remaining time, newest first',
  reply: Type.Object({ jobs: Type.Array(Job) }),
});

export const getJob = route({
  method: 'GET',
  path: '/api/jobs/{name}',
  tag: 'Jobs',
  summary: 'Gets one job with the end of its log',
  query: Type.Object({
    tail: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000, default: 200, description: 'Number of log lines' }),
    ),
  }),
  reply: Type.Intersect([
    Job,
    Type.Object({ log: Type.Array(Type.String(), { description: 'Last lines of the log' }) }),
  ]),
});

export const downloadJobLog = route({
  method: 'GET',
  path: '/api/jobs/{name}/log',
  tag: 'Jobs',
  summary: 'Downloads the log of a job',
  reply: { contentType: 'text/plain; charset=utf-8', description: 'The log file' },
});

export const stopJob = route({
  method: 'POST',
  path: '/api/jobs/{name}/stop',
  tag: 'Jobs',
  summary: 'Stops a job. A job that has already ended is not an error',
  body: looseBody({}),
  reply: Ok,
});

export const forgetJob = route({
  method: 'DELETE',
  path: '/api/jobs/{name}',
  tag: 'Jobs',
  summary: 'Deletes the record and log of a job. Its run is kept. Waits for a job that is stopping',
  conflict: 'the job is queued or running. Stop it first',
  stores: true,
  deadlineS: 120,
  reply: Ok,
});

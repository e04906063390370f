// A first policy for the selected robot, from which later trainings start (start_from: best), over HTTP alone:
//   npm start                                  in one terminal
//   node examples/base-policy.mjs              in another
//
// Options: --url http://127.0.0.1:8765  --robot <the selected one>  --task <its first task>  --iterations 0 (automatic)
// It generates motions for the robot (standing, swaying, squatting, stepping, turning), converts them, trains on them
// with the built-in trainer and prints one JSON line at the end.
import { parseArgs } from 'node:util';
import { connect } from './client.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8765' },
    robot: { type: 'string' },
    task: { type: 'string' },
    dataset: { type: 'string', default: 'basics' },
    iterations: { type: 'string', default: '0' },
    envs: { type: 'string', default: '128' },
    seed: { type: 'string', default: '1' },
  },
});
const { call, finished } = connect(options.url);
const { dataset } = options;

if (options.robot !== undefined) await call('POST', '/api/robot/select', { name: options.robot });
const { datasets } = await call('GET', '/api/data/datasets');
if (!datasets.some(({ name }) => name === dataset)) await call('POST', '/api/data/generate', { dataset });
const { job: conversion } = await call('POST', '/api/data/convert', { dataset });
await finished(conversion);

const { tasks } = await call('GET', '/api/tasks');
const iterations = Number(options.iterations);
const order = {
  task: options.task ?? tasks[0].name,
  dataset,
  num_envs: Number(options.envs),
  seed: Number(options.seed),
  run_name: 'base',
  ...(iterations > 0 ? { max_iterations: iterations } : {}),
};
const { budget } = await call('POST', '/api/train/launch', { ...order, dry_run: true });
if (budget !== null) console.error(`about ${budget.seconds.join(' to ')} s for ${budget.iterations} iterations`);
const { job, run } = await call('POST', '/api/train/launch', order);
console.error(`${job} trains ${run}`);
await finished(job);
const { runs } = await call('GET', '/api/runs');
const { score, minutes } = runs.find(({ path }) => path === run);
console.log(JSON.stringify({ run, score, minutes }));

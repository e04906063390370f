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
const iterations = wholeNumber('iterations', 0);

if (options.robot !== undefined) await call('POST', '/api/robot/select', { name: options.robot });
const { datasets } = await call('GET', '/api/data/datasets');
const { tasks } = await call('GET', '/api/tasks');
const task = options.task ?? tasks[0].name;
if (!tasks.some(({ name }) => name === task))
  fail(`--task: unknown task "${task}"; choose one of ${tasks.map(({ name }) => name).join(', ')}`);
if (!datasets.some(({ name }) => name === dataset)) await call('POST', '/api/data/generate', { dataset });
const { job: conversion } = await call('POST', '/api/data/convert', { dataset });
await finished(conversion);

const order = {
  task,
  dataset,
  num_envs: wholeNumber('envs', 1),
  seed: wholeNumber('seed', 0),
  run_name: 'base',
  ...(iterations > 0 ? { max_iterations: iterations } : {}),
};
const { budget } = await call('POST', '/api/train/launch', { ...order, dry_run: true });
if (budget !== null) {
  const [least, most] = budget.seconds.map((seconds) => (seconds / 60).toFixed(1));
  console.error(`${budget.iterations} iterations, about ${least} to ${most} minutes`);
}
const { job, run } = await call('POST', '/api/train/launch', order);
console.error(`${job} trains ${run}`);
let shown = -1;
await finished(job, ({ status, step, steps }) => {
  if (step === null || step < shown + 25) return;
  shown = step;
  console.error(`${status}: iteration ${step} of ${steps}`);
});
const { runs } = await call('GET', '/api/runs');
const own = runs.find(({ path }) => path === run);
if (own === undefined) fail(`${run} is trained, but another robot is selected now. Select its robot to see the score.`);
console.log(JSON.stringify({ run, score: own.score, minutes: own.minutes }));

/** Reads an option as a whole number. */
function wholeNumber(name, least) {
  const value = Number(options[name]);
  if (!Number.isSafeInteger(value) || value < least) fail(`--${name}: must be an integer of at least ${least}`);
  return value;
}

function fail(message) {
  console.error(message);
  process.exit(2);
}

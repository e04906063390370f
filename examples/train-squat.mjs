// Teaches any robot of the workspace to squat, over HTTP:
//   npm run build && npm start                          in one terminal
//   node examples/train-squat.mjs --robot my-robot      in another
//
// Options: --url http://127.0.0.1:8765  --workspace workspace  --iterations 150  --envs 128  --seed 1  --depth 0.2
// It computes a squat from the robot's model: all legs bend, the feet stay where they are, the centre of mass stays above
// them. Then it uploads the clip, converts it, trains on it with the built-in trainer, and prints one JSON line that
// compares the policy with zero action. `depth` is a share of the height of the root.
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { squatOf } from './squat-clip.mjs';
import { connect } from './client.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8765' },
    workspace: { type: 'string', default: 'workspace' },
    robot: { type: 'string' },
    iterations: { type: 'string', default: '150' },
    envs: { type: 'string', default: '128' },
    seed: { type: 'string', default: '1' },
    depth: { type: 'string', default: '0.2' },
  },
});
const { robot } = options;
if (robot === undefined) throw new Error('name the robot: --robot my-robot');
const { call, finished } = connect(options.url);
const dataset = 'synthetic-squat';

await call('POST', '/api/robot/select', { name: robot });
const { joints } = await call('GET', '/api/robot');
const { spec } = await call('GET', `/api/robots/${robot}/spec`);
const clip = await squatOf(path.join(options.workspace, 'robots', robot), spec, joints, Number(options.depth));
// The computation blocks, and the service closes idle connections meanwhile: let fetch see that.
await sleep(100);
console.error(`squat of ${clip.rows.length} frames, root down by ${clip.depth.toFixed(3)} m, feet off by ${clip.slip.toFixed(4)} m`);

const { datasets } = await call('GET', '/api/data/datasets');
if (!datasets.some(({ name }) => name === dataset)) await call('POST', '/api/data/new', { name: dataset });
const csv = clip.rows.map((row) => row.map((value) => value.toFixed(6)).join(',')).join('\n');
await call('PUT', `/api/data/upload/${dataset}/squat.csv`, new TextEncoder().encode(`${csv}\n`));
const { job: conversion } = await call('POST', '/api/data/convert', { dataset });
await finished(conversion);

const { tasks } = await call('GET', '/api/tasks');
const launched = await call('POST', '/api/train/launch', {
  task: tasks[0].base,
  dataset,
  num_envs: Number(options.envs),
  max_iterations: Number(options.iterations),
  seed: Number(options.seed),
  run_name: 'squat',
});
console.error(`${launched.job} trains ${launched.run}`);
let shown = 0;
await finished(launched.job, ({ step, steps }) => {
  if (step === null || step < shown + 25) return;
  shown = step;
  console.error(`  ${step} of ${steps} iterations`);
});
const { series } = await call('GET', `/api/curves?run=${launched.run}&group=all`);
const evaluations = series.filter(({ tag }) => tag.startsWith('Eval/')).map(({ tag, y }) => [tag.slice(5), y]);
// The run keeps the networks of its best evaluation: long episodes first, close tracking second.
const { mean_episode_length: lengths, tracking } = Object.fromEntries(evaluations);
const scores = lengths.map((length, k) => length / Math.max(...lengths) + 0.2 * tracking[k]);
const best = scores.indexOf(Math.max(...scores));
console.log(
  JSON.stringify({ robot, run: launched.run, ...Object.fromEntries(evaluations.map(([tag, y]) => [tag, y[best]])) }),
);

// From clips to a policy that plays, over HTTP alone:
//   npm start                                  in one terminal
//   node examples/train-and-play.mjs           in another
//
// Options: --url http://127.0.0.1:8765  --clips squat,step_in_place  --iterations 150  --seed 1
// It converts built-in clips, writes a preset, trains on it with the built-in trainer, plays the run in 64 environments
// and prints one JSON line at the end.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect } from './client.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8765' },
    clips: { type: 'string', default: 'squat' },
    iterations: { type: 'string', default: '150' },
    envs: { type: 'string', default: '128' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '10' },
  },
});
const clips = options.clips.split(',');
const dataset = `example-${clips.join('-').slice(0, 40)}`;

const { call, finished } = connect(options.url);

const began = performance.now();
const seconds = () => (performance.now() - began) / 1e3;

// 1. The built-in robot, and a dataset with the wanted clips of its samples.
await call('POST', '/api/robot/select', { name: 'humanoid' });
const { datasets } = await call('GET', '/api/data/datasets');
if (!datasets.some(({ name }) => name === dataset)) {
  await call('POST', '/api/data/new', { name: dataset });
  for (const clip of clips) {
    const bytes = await call('GET', `/api/data/download?dataset=samples&clip=${clip}&source=raw`);
    await call('PUT', `/api/data/upload/${dataset}/${clip}.csv`, bytes);
  }
}

// 2. Conversion.
const { job: conversion } = await call('POST', '/api/data/convert', { dataset });
await finished(conversion);

// 3. A preset: the plain task, which costs a little more for rash actions.
const { tasks } = await call('GET', '/api/tasks');
const base = tasks[0].base;
await call('PUT', '/api/presets/example', {
  base,
  overrides: { rewards: { action_rate_l1: { weight: -0.12 } } },
  description: 'made by examples/train-and-play.mjs',
});

// 4. Training.
const launched = await call('POST', '/api/train/launch', {
  task: `${base}--example`,
  dataset,
  num_envs: Number(options.envs),
  max_iterations: Number(options.iterations),
  seed: Number(options.seed),
  run_name: 'example',
});
console.error(`${launched.job} trains ${launched.run}`);
let shown = -1;
await finished(launched.job, ({ step, steps, eta }) => {
  if (step === null || Math.floor(step / 25) === shown) return;
  shown = Math.floor(step / 25);
  console.error(`  ${step} of ${steps} iterations${eta === null ? '' : `, about ${Math.round(eta)} s left`}`);
});
const trainedS = seconds();
const { series } = await call('GET', `/api/curves?run=${launched.run}&group=train`);
const lastOf = (tag) => series.find((one) => one.tag === tag)?.y.at(-1) ?? null;

// 5. Play: 64 environments from all over the clips.
const envs = 64;
await call('POST', '/api/play/configure', { run: launched.run, num_envs: envs, terminations: true });
const start = (await call('GET', '/api/play')).session;
let session = start;
while (session.sim_time - start.sim_time < Number(options.seconds)) {
  await sleep(500);
  session = (await call('GET', '/api/play')).session;
  if (session === null || session.state === 'failed') throw new Error(`the session ended: ${session?.error}`);
}

await call('POST', '/api/play/stop');

console.log(
  JSON.stringify({
    run: launched.run,
    trained_s: Math.round(trainedS),
    mean_episode_length: lastOf('Eval/mean_episode_length'),
    full_episodes: lastOf('Eval/full_episodes'),
    tracking: lastOf('Eval/tracking'),
    zero_action_mean_episode_length: lastOf('Eval/zero_action_mean_episode_length'),
    played_s: Math.round(session.sim_time - start.sim_time),
    realtime_factor: session.realtime_factor,
  }),
);

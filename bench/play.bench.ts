/** Claim: a session keeps real time, shows a step at once, costs little more than its environments and does not leak
 *  memory.
 *
 *  - one environment runs at 0.99 × real time or better while 128 clients watch, sixteen environments at 0.95 ×;
 *  - a single step is shown within 30 ms of the request (p50);
 *  - recording and drawing cost at most 10 % of the CPU of the steps;
 *  - after ten sessions the service is at most 20 % larger than after the first; 4096 environments take at most 1 GB.
 *
 *    play.bench.ts [--seconds 10] [--rounds 10] [--clients 128] */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRecordRing } from '../src/play/record/record-ring.ts';
import { rowWidth } from '../src/play/record/row-writer.ts';
import { Listener } from '../test/support/client.ts';
import { builtinClip } from '../test/support/clips.ts';
import { planOf, shardsOf } from '../test/support/play.ts';
import { configure, convertAll, sessionOf } from '../test/support/play-client.ts';
import { preparedHumanoid } from '../test/support/robots.ts';
import { call, spawnService } from '../test/support/service-process.ts';
import { addSmallRun } from '../test/support/small-run.ts';
import { libraryOf } from '../test/support/tracking.ts';
import { threadCpuS } from './harness/process-cpu.ts';
import { printTable, writeResult } from './harness/report.ts';
import { median, quantile } from './harness/statistics.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '10' },
    clients: { type: 'string', default: '128' },
  },
});
const [SECONDS, ROUNDS, CLIENTS] = [options.seconds, options.rounds, options.clients].map(Number) as [
  number,
  number,
  number,
];
const RUN = 'small/zero';
const MANY = 4096;
const SINGLE_STEPS = 60;
const MB = 1024;

const robot = await preparedHumanoid();
const extra = await overhead();
const root = temporaryFolder('bench-play-');
addSmallRun(path.join(root, 'logs/rsl_rl'), robot.facts.joints.length, RUN);
const service = spawnService(['--workspace', root]);
const address = await service.ready;
await convertAll(address, 'samples');
const rssMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))![1]) / MB;
const post = (row: string, body: object = {}) => call<Record<string, never>>(address, row, body);
const stop = async () => {
  await post('/api/play/stop');
  await sleep(1000);
};

/** Measures simulated seconds per second while `clients` clients watch. */
async function pace(envs: number, clients: number): Promise<number> {
  await configure(address, { run: RUN, num_envs: envs, terminations: false });
  const watchers = await Promise.all(Array.from({ length: clients }, () => Listener.open(address)));
  await sleep(1500);
  const [before, start] = [(await sessionOf(address)).sim_time, performance.now()];
  await sleep(1e3 * SECONDS);
  const factor = ((await sessionOf(address)).sim_time - before) / ((performance.now() - start) / 1e3);
  for (const watcher of watchers) watcher.close();
  return factor;
}

/** Measures the time from requesting a step to the frame that shows it, ms. */
async function stepLatencies(): Promise<number[]> {
  await configure(address, { run: RUN, num_envs: 1 });
  await post('/api/play/playing', { playing: false });
  const listener = await Listener.open(address);
  const latencies: number[] = [];
  for (let k = 0; k < SINGLE_STEPS; k++) {
    const before = (await sessionOf(address)).sim_time;
    const start = performance.now();
    const shown = listener.nextFrame(({ header }) => (header.hud.sim_time ?? 0) > before + 1e-6);
    await Promise.all([post('/api/play/step'), shown]);
    latencies.push(performance.now() - start);
    await sleep(30);
  }
  listener.close();
  return latencies;
}

/** Measures the CPU of recording and drawing relative to the steps of the same environments. */
async function overhead(): Promise<number> {
  const library = await libraryOf(robot, { walk: builtinClip('walk_forward') });
  const plan = planOf(robot, library, { numEnvs: 16, terminations: false });
  const cost = async (recorded: boolean) => {
    const { shards, group } = await shardsOf(robot, plan);
    const width = rowWidth(shards[0]!.shard.shape.signals);
    for (let env = 0; recorded && env < plan.numEnvs; env++)
      group.apply({ kind: 'record', env, buffer: createRecordRing(width, 3000, 0).buffer });
    const steps = 100;
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const start = threadCpuS();
      if (recorded) for (let step = 0; step < steps; step++) await group.advance(1, step % 2);
      else {
        const actions = new Float32Array(plan.numEnvs * shards[0]!.envs.actionDim);
        for (let step = 0; step < steps; step++) shards[0]!.envs.step(actions);
      }
      times.push(threadCpuS() - start);
    }
    group.close();
    return median(times.slice(1));
  };
  const bare = await cost(false);
  return (await cost(true)) / bare - 1;
}

const one = await pace(1, CLIENTS);
const sixteen = await pace(16, 0);
const latencies = await stepLatencies();
await stop();
const before = rssMb();
await configure(address, { run: RUN, num_envs: MANY });
await sleep(2000);
const many = rssMb() - before;
await stop();
const rounds: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  await configure(address, { run: RUN, num_envs: 32 });
  await sleep(1500);
  await stop();
  rounds.push(rssMb());
}
service.child.kill('SIGTERM');
await service.exit;

printTable(
  ['figure', 'value'],
  [
    [`1 environment, ${CLIENTS} clients: × real time`, one],
    ['16 environments: × real time', sixteen],
    ['a step to its frame, ms, p50', median(latencies)],
    ['a step to its frame, ms, p99', quantile(latencies, 0.99)],
    ['recording and drawing, share of the steps', extra],
    [`${MANY} environments, MB`, many],
    ['after the first session, MB', rounds[0]!],
    [`after ${ROUNDS}, MB`, rounds.at(-1)!],
  ],
);
writeResult(
  'play',
  [
    { name: 'one environment, s a simulated second', value: 1 / one, atMost: 1 / 0.99 },
    { name: 'sixteen environments, s a simulated second', value: 1 / sixteen, atMost: 1 / 0.95 },
    { name: 'a step to its frame, ms, p50', value: median(latencies), atMost: 30 },
    { name: 'recording and drawing, share of the steps', value: extra, atMost: 0.1 },
    { name: 'memory after ten sessions, × after the first', value: rounds.at(-1)! / rounds[0]!, atMost: 1.2 },
    { name: `${MANY} environments, MB`, value: many, atMost: 1000 },
  ],
  {
    clients: CLIENTS,
    seconds: SECONDS,
    realtime_1: one,
    realtime_16: sixteen,
    latencies_ms: latencies,
    rounds_mb: rounds,
  },
  ROUNDS >= 10 && SECONDS >= 10,
);

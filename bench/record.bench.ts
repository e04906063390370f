/** Claim: recording a session of 16 environments as MCAP takes at most 2 % of CPU beside the session.
 *
 *    record.bench.ts [--seconds 10] [--rounds 5] [--envs 16]
 *
 *  The CPU time of the recording thread is compared with that of all other threads in the same period, because two
 *  periods differ by more than the measured cost. Periods with and without a recording alternate in one session,
 *  with one client that receives all frames. Periods without a recording show that the other threads do not work
 *  more during a recording. */

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Listener, request } from '../test/support/client.ts';
import { configure, convertAll } from '../test/support/play-client.ts';
import { preparedHumanoid } from '../test/support/robots.ts';
import { spawnService } from '../test/support/service-process.ts';
import { addSmallRun } from '../test/support/small-run.ts';
import { threadsCpuS } from './harness/process-cpu.ts';
import { printTable, writeResult } from './harness/report.ts';
import { median } from './harness/statistics.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    envs: { type: 'string', default: '16' },
  },
});
const [SECONDS, ROUNDS, ENVS] = [options.seconds, options.rounds, options.envs].map(Number) as [number, number, number];
const RUN = 'small/zero';
const MB = 1e6;

const robot = await preparedHumanoid();
const root = temporaryFolder('bench-record-');
addSmallRun(path.join(root, 'logs/rsl_rl'), robot.facts.joints.length, RUN);
const service = spawnService(['--workspace', root]);
const address = await service.ready;
await convertAll(address, 'samples');
await configure(address, { run: RUN, num_envs: ENVS });
const listener = await Listener.open(address);

/** CPU time per second of wall time, of the threads that live during the whole period.
 *  @param known threads that belong to `others`; null: all */
async function share(known: ReadonlyMap<string, number> | null): Promise<{ others: number; recording: number }> {
  await sleep(500);
  const [before, start] = [threadsCpuS(service.child.pid!), performance.now()];
  await sleep(1e3 * SECONDS);
  const wallS = (performance.now() - start) / 1e3;
  const cores = { others: 0, recording: 0 };
  for (const [thread, cpuS] of threadsCpuS(service.child.pid!)) {
    const from = before.get(thread);
    if (from === undefined) continue;
    cores[known === null || known.has(thread) ? 'others' : 'recording'] += (cpuS - from) / wallS;
  }
  return cores;
}

const plain: number[] = [];
const others: number[] = [];
const recording: number[] = [];
const rates: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  plain.push((await share(null)).others);
  const known = threadsCpuS(service.child.pid!);
  await request(address, 'POST /api/record/start', { name: `round-${round}` });
  const cores = await share(known);
  others.push(cores.others);
  recording.push(cores.recording);
  const { body } = await request(address, 'POST /api/record/stop', {});
  rates.push(body.bytes! / MB / body.duration!);
}
listener.close();
service.child.kill('SIGTERM');
await service.exit;

const ratio = median(recording.map((value, round) => 1 + value / others[round]!));
printTable(
  ['figure', 'value'],
  [
    [`${ENVS} environments: cores without a recording`, median(plain)],
    [`${ENVS} environments: cores beside a recording`, median(others)],
    ['cores of the recording', median(recording)],
    ['ratio, median of the rounds', ratio],
    ['size, MB/s', median(rates)],
  ],
);
writeResult(
  'record',
  [{ name: 'CPU with a recording, × without', value: ratio, atMost: 1.02 }],
  {
    envs: ENVS,
    seconds: SECONDS,
    plain_cores: plain,
    others_cores: others,
    recording_cores: recording,
    mb_per_s: rates,
  },
  ROUNDS >= 5 && SECONDS >= 10 && ENVS === 16,
);

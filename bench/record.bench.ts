/** Claim: recording a session of 16 environments as MCAP takes at most 2 % of CPU beside the session.
 *
 *    record.bench.ts [--seconds 10] [--rounds 5] [--envs 16]
 *
 *  Stretches with and without a recording alternate in one session, with one client that receives all frames. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Listener, request } from '../test/support/client.ts';
import { configure, convertAll } from '../test/support/play-client.ts';
import { preparedHumanoid } from '../test/support/robots.ts';
import { spawnService } from '../test/support/service-process.ts';
import { addSmallRun } from '../test/support/small-run.ts';
import { processCpuS } from './harness/process-cpu.ts';
import { printTable, writeResult } from './harness/report.ts';
import { median } from './harness/statistics.ts';

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
const root = mkdtempSync(path.join(tmpdir(), 'bench-record-'));
addSmallRun(path.join(root, 'logs/rsl_rl'), robot.facts.joints.length, RUN);
const service = spawnService(['--workspace', root]);
const address = await service.ready;
await convertAll(address, 'samples');
await configure(address, { run: RUN, num_envs: ENVS });
const listener = await Listener.open(address);

/** CPU of the service per second of wall time. */
async function share(): Promise<number> {
  await sleep(500);
  const [cpu, start] = [processCpuS(service.child.pid!), performance.now()];
  await sleep(1e3 * SECONDS);
  return (processCpuS(service.child.pid!) - cpu) / ((performance.now() - start) / 1e3);
}

const plain: number[] = [];
const recorded: number[] = [];
const rates: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  plain.push(await share());
  await request(address, 'POST /api/record/start', { name: `round-${round}` });
  // Measured while the thread of the recording lives: the time of ended threads is not counted.
  recorded.push(await share());
  const { body } = await request(address, 'POST /api/record/stop', {});
  rates.push(body.bytes! / MB / body.duration!);
}
listener.close();
service.child.kill('SIGTERM');
await service.exit;
rmSync(root, { recursive: true });

const ratio = median(recorded.map((value, round) => value / plain[round]!));
printTable(
  ['figure', 'value'],
  [
    [`${ENVS} environments: cores without a recording`, median(plain)],
    [`${ENVS} environments: cores with a recording`, median(recorded)],
    ['ratio, median of the rounds', ratio],
    ['size, MB/s', median(rates)],
  ],
);
writeResult(
  'record',
  [{ name: 'CPU with a recording, × without', value: ratio, atMost: 1.02 }],
  { envs: ENVS, seconds: SECONDS, plain_cores: plain, recorded_cores: recorded, mb_per_s: rates },
  ROUNDS >= 5 && SECONDS >= 10 && ENVS === 16,
);

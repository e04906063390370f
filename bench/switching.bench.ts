/** Claim: switching robots does not leak memory, and the robot selected last is the one that stays. For a minute, one
 *  of fifty robots is selected every 100 ms.
 *
 *  - afterwards the service is at most 200 MB larger than before;
 *  - no selection is refused or ends in an error; the robot that was requested last is selected, and its frames arrive;
 *  - its first frame arrives within 1 s of the request.
 *
 *    switching.bench.ts [--seconds 60] [--robots 50] [--every 100] */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Listener } from '../test/support/client.ts';
import { WALKER_MJCF, walkerSpec } from '../test/support/models.ts';
import { call, spawnService } from '../test/support/service-process.ts';
import { fromDist } from './harness/product.ts';
import { printTable, writeResult } from './harness/report.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    robots: { type: 'string', default: '50' },
    every: { type: 'string', default: '100' },
  },
});
const [SECONDS, ROBOTS, EVERY_MS] = [options.seconds, options.robots, options.every].map(Number) as [
  number,
  number,
  number,
];
const READY_MS = 300_000;

const { formatYaml } = await fromDist<typeof import('../src/core/yaml-file.ts')>('core/yaml-file.js');

const root = temporaryFolder('bench-switching-');
const idOf = (k: number) => `walker-${k % ROBOTS}`;
for (let k = 0; k < ROBOTS; k++) {
  const folder = path.join(root, 'robots', idOf(k));
  mkdirSync(folder, { recursive: true });
  // Each robot is a different model: the mass of its trunk differs.
  writeFileSync(path.join(folder, 'walker.xml'), WALKER_MJCF.replace('mass="10"', `mass="${10 + k}"`));
  writeFileSync(path.join(folder, 'robot.yaml'), formatYaml(walkerSpec({ id: idOf(k), name: idOf(k) })));
}
const service = spawnService(['--workspace', root]);
const address = await service.ready;
const rssMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))![1]) / 1024;

interface Listed {
  readonly selected: string;
  readonly robots: readonly { readonly model: object | null }[];
}
const listed = () => call<Listed>(address, '/api/robots');
for (const end = performance.now() + READY_MS; (await listed()).robots.some(({ model }) => !model); ) {
  if (performance.now() > end) throw new Error('the robots were not all compiled in time');
  await sleep(500);
}

let refused = 0;
async function select(k: number, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const response = await fetch(`${address}/api/robot/select`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: idOf(k) }),
  });
  await response.arrayBuffer();
  if (!response.ok) refused++;
}

const listener = await Listener.open(address);
await select(0, { prefer: 'wait=30' });
const before = rssMb();
const samples: { readonly s: number; readonly rss_mb: number }[] = [];
const started = performance.now();
let switches = 0;
while (performance.now() - started < 1e3 * SECONDS) {
  switches++;
  await Promise.all([select(switches), sleep(EVERY_MS)]);
  if (switches % 100 === 0) samples.push({ s: (performance.now() - started) / 1e3, rss_mb: rssMb() });
}
const asked = performance.now();
const last = switches + 7;
await select(last, { prefer: 'wait=30' });
const { version } = await call<{ version: number }>(address, '/api/robot/model');
await listener.nextFrame(({ header }) => header.owner === 'robots' && header.model_version === version);
const firstFrameS = (performance.now() - asked) / 1e3;
const stands = (await listed()).selected === idOf(last);
const after = rssMb();
const errors = listener.events.filter(
  ({ topic, payload }) => topic === 'log' && 'level' in payload && payload.level === 'error',
).length;
const ended = service.child.exitCode !== null;
listener.close();
service.child.kill('SIGTERM');
await service.exit;

printTable(
  ['s', 'resident MB'],
  [['before', before], ...samples.map(({ s, rss_mb }) => [s, rss_mb]), ['after', after]],
);
writeResult(
  'switching',
  [
    { name: 'memory afterwards, MB more than before', value: after - before, atMost: 200 },
    { name: 'selections refused', value: refused, atMost: 0 },
    { name: 'errors logged, and crashes', value: errors + (ended ? 1 : 0), atMost: 0 },
    { name: 'another robot than the last one is shown (1: yes)', value: stands ? 0 : 1, atMost: 0 },
    { name: 'the last one to its first frame, s', value: firstFrameS, atMost: 1 },
  ],
  { seconds: SECONDS, robots: ROBOTS, every_ms: EVERY_MS, switches, before_mb: before, after_mb: after, samples },
);

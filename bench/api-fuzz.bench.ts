/** Claim: no request is answered with 500 and none hangs, whatever the requests are and however they overlap.
 *  Sends random valid and invalid calls of every route to a separate service process. Uploads, listings and deletions
 *  of the same few names race with each other.
 *
 *    api-fuzz.bench.ts [--requests 60000] [--clients 16] [--seed 1] [--transport uws|node]
 *
 *  Ends with exit code 1 on any 500 or hang. Writes results only for a run of 60,000 requests or more. */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ApiFuzzer } from './harness/api-fuzzer.ts';
import { printTable, writeResult } from './harness/report.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const WHOLE = 60_000;
const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: String(WHOLE) },
    clients: { type: 'string', default: '16' },
    seed: { type: 'string', default: '1' },
    transport: { type: 'string' },
  },
});
const [requests, clients, seed] = [options.requests, options.clients, options.seed].map(Number) as [
  number,
  number,
  number,
];

const workspace = temporaryFolder('bench-api-fuzz-');
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const transport = options.transport === undefined ? [] : ['--transport', options.transport];
const service = spawn(
  process.execPath,
  [main, '--port', '0', '--log-level', 'error', '--workspace', workspace, ...transport],
  { stdio: ['ignore', 'pipe', 'pipe'] },
);
const ended = new Promise<number | null>((resolve) => service.once('exit', resolve));
let errors = '';
service.stderr.on('data', (chunk: Buffer) => {
  errors = (errors + chunk.toString()).slice(-20_000);
});
const address = await new Promise<string>((resolve, reject) => {
  let out = '';
  service.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    const found = /listening on (\S+)/.exec(out)?.[1];
    if (found !== undefined) resolve(found);
  });
  void ended.then((code) => reject(new Error(`the service ended with ${code} before it listened: ${errors}`)));
});

const fuzzer = new ApiFuzzer(address, seed);
const started = performance.now();
const timer = setInterval(() => console.log(`${fuzzer.sent} of ${requests} requests`), 30_000);
await fuzzer.run(requests, clients);
clearInterval(timer);
const seconds = (performance.now() - started) / 1e3;
const alive = await fuzzer.isAlive();
service.kill('SIGTERM');
const code = await ended;

printTable(
  ['status', 'answers'],
  [...fuzzer.statuses].sort(([a], [b]) => a - b).map(([status, count]) => [String(status), count]),
);
for (const { request, text } of fuzzer.failures.slice(0, 20)) console.log(`\n${request}\n  ${text}`);
if (fuzzer.failures.length > 0) console.log(`\n${errors}`);
if (!alive || code !== 0) console.log(`the service ${alive ? `ended with ${code}` : 'no longer answers'}`);
const internal = fuzzer.statuses.get(500) ?? 0;
writeResult(
  'api-fuzz',
  [
    { name: 'answers with 500', value: internal, atMost: 0 },
    { name: 'hangs and broken connections', value: fuzzer.hangs, atMost: 0 },
    { name: 'service still answers and ends in order', value: alive && code === 0 ? 0 : 1, atMost: 0 },
  ],
  {
    requests: fuzzer.sent,
    seed,
    clients,
    transport: options.transport ?? 'auto',
    seconds,
    rows: fuzzer.rows,
    statuses: Object.fromEntries(fuzzer.statuses),
  },
  requests >= WHOLE,
);
process.exit(internal === 0 && fuzzer.hangs === 0 && alive && code === 0 ? 0 : 1);

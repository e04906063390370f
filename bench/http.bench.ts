/** Claim: `GET /api/robot` costs the service at most 1.2 × the CPU of a bare uWebSockets.js handler, and at most 0.8
 *  × that of node:http and of fastify. These baselines only send the same prepared body. The service also checks
 *  access, looks up the route, and counts and times the request. On the node transport it costs at most 1.1 × the
 *  CPU of node:http.
 *
 *    http.bench.ts [--reps 5] [--seconds 2] [--connections 64]
 *
 *  CPU per request is the CPU of the process under load minus its CPU when idle. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { httpLoad, type LoadFigures } from './harness/http-load.ts';
import { printTable, writeResult } from './harness/report.ts';
import { benchFile, ServerProcess } from './harness/server-process.ts';
import { medianOf } from './harness/statistics.ts';
import { temporaryFolder } from './harness/temporary-folder.ts';

const PATH = '/api/robot';
const IDLE_S = 1;
const { values: options } = parseArgs({
  options: {
    reps: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
  },
});

interface Figures extends LoadFigures {
  readonly cpu_us: number;
}

async function measure(server: ServerProcess): Promise<Figures> {
  const url = `http://127.0.0.1:${server.port}${PATH}`;
  const connections = Number(options.connections);
  await httpLoad(url, connections, 1); // warm-up: compiles the code
  const idleFrom = server.cpuS();
  await sleep(1e3 * IDLE_S);
  const from = server.cpuS();
  const start = performance.now();
  const load = await httpLoad(url, connections, Number(options.seconds));
  const idleShare = (performance.now() - start) / 1e3 / IDLE_S;
  const cpuS = server.cpuS() - from - (from - idleFrom) * idleShare;
  return { ...load, cpu_us: (cpuS / load.requests) * 1e6 };
}

const folder = temporaryFolder('bench-http-');
const bodyFile = path.join(folder, 'body.json');
const startService = (transport: 'uws' | 'node') =>
  ServerProcess.start(
    [process.execPath, benchFile('../dist/cli/main.js')],
    ['--port', 0, '--workspace', path.join(folder, transport), '--log-level', 'warn', '--transport', transport],
  );
const service = await startService('uws');
const body = await (await fetch(`http://127.0.0.1:${service.port}${PATH}`)).text();
writeFileSync(bodyFile, body);

const servers = [
  { name: 'product', label: 'motion-studio', server: service },
  { name: 'product-node', label: 'motion-studio, node transport', server: await startService('node') },
  ...(await Promise.all(
    [
      { name: 'uws', label: 'bare uWebSockets.js' },
      { name: 'node', label: 'node:http' },
      { name: 'fastify', label: 'fastify' },
    ].map(async ({ name, label }) => ({
      name,
      label,
      server: await ServerProcess.start(['http-plain.ts', name], [bodyFile]),
    })),
  )),
];
await sleep(3000); // waits until the new workspaces have been scanned
const runs = new Map<string, Figures[]>(servers.map(({ name }) => [name, []]));
for (let rep = 0; rep < Number(options.reps); rep++) {
  for (const { name, server } of servers) runs.get(name)!.push(await measure(server));
}
for (const { server } of servers) await server.stop();

const rows = servers.map(({ name, label }) => {
  const taken = runs.get(name)!;
  return {
    name,
    server: label,
    cpu_us: medianOf(taken, (run) => run.cpu_us),
    per_s: medianOf(taken, (run) => run.per_s),
    p50_ms: medianOf(taken, (run) => run.p50_ms),
    p99_ms: medianOf(taken, (run) => run.p99_ms),
    errors: taken.reduce((sum, run) => sum + run.errors, 0),
  };
});
console.log(`\nGET ${PATH}, ${body.length} bytes, ${options.connections} connections`);
printTable(
  ['server', 'CPU µs a request', 'requests/s', 'p50 ms', 'p99 ms', 'errors'],
  rows.map((r) => [r.server, r.cpu_us, r.per_s, r.p50_ms, r.p99_ms, r.errors]),
);
const cpu = (name: string) => rows.find((row) => row.name === name)!.cpu_us;
writeResult(
  'http',
  [
    { name: 'CPU / bare uWebSockets.js', value: cpu('product') / cpu('uws'), atMost: 1.2 },
    { name: 'CPU / node:http', value: cpu('product') / cpu('node'), atMost: 0.8 },
    { name: 'CPU of the node transport / node:http', value: cpu('product-node') / cpu('node'), atMost: 1.1 },
    { name: 'CPU / fastify', value: cpu('product') / cpu('fastify'), atMost: 0.8 },
  ],
  { path: PATH, body_bytes: body.length, connections: Number(options.connections), rows },
);
